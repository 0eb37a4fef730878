#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a transformer training step of any size as StableHLO text.

    transformer.py --ops 100000 > step.mlir       # as many layers as come nearest to 100,000 operations
    transformer.py --layers 2 --d 64 --ffn 256    # or a step of these sizes
    transformer.py --type bf16 --weights beside --gradients f32 --recompute full --dropout --tied    # as trainers of large models have it

The model is that of gpt_step.py (pre-norm causal decoder, tanh-gelu, masked cross-entropy, Adam), and its arguments
carry the same names, so the same sharding specs apply. Forward, backward and optimizer are written out here by hand:
this needs plain Python and nothing else, and writes about 200,000 operations a second.
tests/bench/check_transformer.py compares small steps with what JAX computes.

`--weights` says where the weights in f32 are that Adam updates: `only` has one copy of `--type`, `beside` has f32 ones in
the optimizer's state, `converted` has f32 parameters, converted where they are used. `--recompute` says what of the forward
pass the backward pass makes again: `none`, norms and the activation function (`cheap`), also attention between its
products with weights (`selective`), or each layer (`full`). `--buffers` gives gradients arrays that live on from step to step.
"""

import argparse
import math
import sys

from stablehlo_writer import LOWEST, Value, Writer

ADAM = {"rate": 1e-3, "b1": 0.9, "b2": 0.999, "eps": 1e-8}
KEPT = 230  # of 256: what dropout leaves
LEVELS = ("none", "cheap", "selective", "full")


# Each block is a forward function that returns its result and a backward function. The backward function takes the
# gradient of the result, returns that of the input, and puts those of the parameters into `grads`, keyed like `p`.


def made_again(w, forward, inputs, whole=False):
    """`forward` of values, whose backward makes what forward made of them again; `whole`: to its end, though nobody reads that."""
    y, _ = forward(*inputs)

    def backward(dy):
        *again, dy = w.together(*inputs, dy)
        end, inner = forward(*again)
        if whole:
            _, dy = w.together(end, dy)
        return inner(dy)

    return y, backward


def affine(w, x, names, p, grads, c):
    """A list of products of x with weights, whose backward takes a list too. Where something is made again, so is what brings x there."""
    ys = []
    for name in names:
        product = w.dot(x, p[f"['w{name}']"], ([2], [0]))
        ys.append(w.add(product, w.along_last(p[f"['b{name}']"], product.shape)))

    def backward(dys):
        again, *dys = [x, *dys] if c.recompute == "none" else w.together(x, *dys)
        dx = None
        for name, dy in zip(names, dys):
            grads[f"['b{name}']"] = w.reduce(dy, [0, 1])
            grads[f"['w{name}']"] = w.dot(again, dy, ([0, 1], [0, 1]), element=grads.element)
            part = w.dot(dy, p[f"['w{name}']"], ([2], [1]))
            dx = part if dx is None else w.add(dx, part)
        return dx

    return ys, backward


def layer_norm(w, x, prefix, p, grads):
    scale, bias = f"{prefix}['scale']", f"{prefix}['bias']"
    centred = w.sub(x, w.over_last(w.mean_last(x), x.shape))
    variance = w.mean_last(w.mul(centred, centred))
    spread = w.over_last(w.unary("rsqrt", w.add(variance, w.fill_like(1e-5, variance))), x.shape)
    normal = w.mul(centred, spread)
    scales = w.along_last(p[scale], x.shape)
    y = w.add(w.mul(normal, scales), w.along_last(p[bias], x.shape))

    def backward(dy):
        grads[bias] = w.reduce(dy, [0, 1])
        grads[scale] = w.reduce(w.mul(dy, normal), [0, 1])
        dn = w.mul(dy, scales)
        flat = w.sub(dn, w.over_last(w.mean_last(dn), x.shape))
        slope = w.mul(normal, w.over_last(w.mean_last(w.mul(dn, normal)), x.shape))
        return w.mul(spread, w.sub(flat, slope))

    return y, backward


def norm(w, x, prefix, p, grads, c):
    forward = lambda x: layer_norm(w, x, prefix, p, grads)
    return forward(x) if c.recompute == "none" else made_again(w, forward, [x])


def softmax(w, x):
    last = len(x.shape) - 1
    largest = w.reduce(x, [last], "maximum", -math.inf)
    e = w.unary("exponential", w.sub(x, w.over_last(largest, x.shape)))
    y = w.div(e, w.over_last(w.reduce(e, [last]), x.shape))

    def backward(dy):
        return w.mul(y, w.sub(dy, w.over_last(w.reduce(w.mul(dy, y), [last]), x.shape)))

    return y, backward


class Dropout:
    """Drops numbers by bits drawn from a seed, other ones at each place; nothing where there is no seed."""

    def __init__(self, w, seed):
        self.w, self.seed, self.places = w, seed, 0

    def place(self):
        """One place of the model: what is called again drops the same."""
        w, self.places = self.w, self.places + 1
        number = self.places

        def drop(x):
            if self.seed is None:
                return x, lambda dy: dy
            state = w.add(self.seed, w.fill(number, (2,), "ui64"))
            bits = w.random_bytes(state, x.shape)
            kept = w.compare("LT", bits, w.fill(KEPT, x.shape, "ui8"), "UNSIGNED")
            only = lambda x: w.select(kept, w.scale(x, 256 / KEPT), w.fill_like(0.0, x))
            return only(x), only

        return drop


def attend(w, q, k, v, drop):
    """Attention of [batch, seq, heads, width] arrays, between its products with weights."""
    scale = q.shape[3] ** -0.5
    seq = q.shape[1]
    lowest = -1e4 if q.element == "f16" else -1e30
    scores = w.scale(w.dot(q, k, ([3], [3]), ([0, 2], [0, 2])), scale)
    mask = w.compare("GE", w.iota(0, (seq, seq)), w.iota(1, (seq, seq)))
    mask = w.broadcast(mask, scores.shape, (2, 3))
    weights, softmax_backward = softmax(w, w.select(mask, scores, w.fill_like(lowest, scores)))
    dropped, drop_backward = drop(weights)
    mixed = w.dot(dropped, v, ([3], [1]), ([0, 1], [0, 2]))

    def backward(dmixed):
        dv = w.dot(dropped, dmixed, ([2], [1]), ([0, 1], [0, 2]))
        dweights = softmax_backward(drop_backward(w.dot(dmixed, v, ([3], [3]), ([0, 2], [0, 2]))))
        ds = w.scale(w.select(mask, dweights, w.fill_like(0.0, scores)), scale)
        dq = w.dot(ds, k, ([3], [1]), ([0, 1], [0, 2]))
        dk = w.dot(ds, q, ([2], [1]), ([0, 1], [0, 2]))
        return dq, dk, dv

    return mixed, backward


def attention(w, x, p, grads, drop, c):
    batch, seq, d = x.shape
    split = (batch, seq, c.heads, d // c.heads)
    merge = lambda y: w.reshape(w.transpose(y, [0, 2, 1, 3]), x.shape)

    qkv, qkv_backward = affine(w, x, "qkv", p, grads, c)
    inputs = [w.reshape(y, split) for y in qkv]
    forward = lambda q, k, v: attend(w, q, k, v, drop)
    mixed, mixed_backward = made_again(w, forward, inputs) if c.recompute == "selective" else forward(*inputs)
    [y], o_backward = affine(w, merge(mixed), "o", p, grads, c)

    def backward(dy):
        return qkv_backward([merge(d) for d in mixed_backward(w.reshape(o_backward([dy]), split))])

    return y, backward


def gelu(w, x):
    c = math.sqrt(2 / math.pi)
    squares = w.mul(x, x)
    inner = w.scale(w.add(x, w.mul(w.scale(squares, 0.044715), x)), c)
    t = w.unary("tanh", inner)
    ones = w.fill_like(1.0, x)
    half = w.scale(w.add(ones, t), 0.5)
    y = w.mul(x, half)

    def backward(dy):
        dinner = w.scale(w.add(ones, w.scale(squares, 3 * 0.044715)), c)
        bend = w.mul(w.mul(w.scale(x, 0.5), w.sub(ones, w.mul(t, t))), dinner)
        return w.mul(dy, w.add(half, bend))

    return y, backward


def feed_forward(w, x, p, grads, c):
    [h], up_backward = affine(w, x, ["_up"], p, grads, c)
    forward = lambda h: gelu(w, h)
    g, gelu_backward = forward(h) if c.recompute == "none" else made_again(w, forward, [h])
    [y], down_backward = affine(w, g, ["_down"], p, grads, c)
    return y, lambda dy: up_backward([gelu_backward(down_backward([dy]))])


def layer(w, x, p, grads, drops, c):
    n1, n1_backward = norm(w, x, "['ln1']", p, grads, c)
    y, y_backward = attention(w, n1, p, grads, drops[0], c)
    y, drop1_backward = drops[1](y)
    x = w.add(x, y)
    n2, n2_backward = norm(w, x, "['ln2']", p, grads, c)
    z, z_backward = feed_forward(w, n2, p, grads, c)
    z, drop2_backward = drops[2](z)

    def backward(dx):
        dx = w.add(dx, n2_backward(z_backward(drop2_backward(dx))))
        return w.add(dx, n1_backward(y_backward(drop1_backward(dx))))

    return w.add(x, z), backward


def cross_entropy(w, logits, targets):
    """The mean over all tokens, and the gradient of the logits. In f32, but for the target's own logit, which is picked before."""
    shape, real = logits.shape, logits.element
    tokens = shape[0] * shape[1]
    words = w.broadcast(w.iota(0, shape[2:]), shape, (2,))
    hit = w.compare("EQ", words, w.broadcast(targets, shape, (0, 1)))
    wanted = w.convert(w.reduce(w.select(hit, logits, w.fill_like(0.0, logits)), [2]), "f32")
    logits = w.convert(logits, "f32")
    largest = w.reduce(logits, [2], "maximum", -math.inf)
    e = w.unary("exponential", w.sub(logits, w.over_last(largest, shape)))
    total = w.reduce(e, [2])
    loss = w.scale(w.reduce(w.sub(w.add(w.unary("log", total), largest), wanted), [0, 1]), 1 / tokens)
    probability = w.div(e, w.over_last(total, shape))
    excess = w.select(hit, w.sub(probability, w.fill_like(1.0, logits)), probability)
    return loss, w.convert(w.scale(excess, 1 / tokens), real)


def clip(w, grads):
    """The gradients, made shorter where they are longer than 1 together."""
    squares = None
    for g in grads.values():
        exact = w.convert(g, "f32")
        part = w.reduce(w.mul(exact, exact), range(len(g.shape)))
        squares = part if squares is None else w.add(squares, part)
    one = w.constant(1.0, "f32")
    factor = w.div(one, w.binary("maximum", one, w.unary("sqrt", squares)))
    return {name: w.mul(w.convert(g, "f32"), w.broadcast(factor, g.shape, ())) for name, g in grads.items()}


def adam(w, p, m, v, g, rate):
    g = w.convert(g, p.element)
    m = w.add(w.scale(m, ADAM["b1"]), w.scale(g, 1 - ADAM["b1"]))
    v = w.add(w.scale(v, ADAM["b2"]), w.scale(w.mul(g, g), 1 - ADAM["b2"]))
    root = w.unary("sqrt", w.unary("abs", v))
    step = w.div(m, w.add(root, w.fill_like(ADAM["eps"], v)))
    return w.sub(p, w.mul(w.broadcast(rate, p.shape, ()), step)), m, v


def parameter_shapes(c):
    """Name -> shape of every parameter, in the order of the arguments."""
    norm = lambda name: {f"{name}['scale']": (c.d,), f"{name}['bias']": (c.d,)}
    layer = norm("['ln1']")
    for letter in "qkvo":
        layer |= {f"['w{letter}']": (c.d, c.d), f"['b{letter}']": (c.d,)}
    layer |= norm("['ln2']")
    layer |= {"['w_up']": (c.d, c.ffn), "['b_up']": (c.ffn,), "['w_down']": (c.ffn, c.d), "['b_down']": (c.d,)}
    shapes = {"['tokens']": (c.vocab, c.d), "['positions']": (c.seq, c.d)}
    for i in range(c.layers):
        shapes |= {f"['layer{i}']{name}": shape for name, shape in layer.items()}
    return shapes | norm("['ln_f']") | ({} if c.tied else {"['head']": (c.d, c.vocab)})


class Scope:
    """A dictionary seen through a prefix of its keys: one layer's parameters among all."""

    def __init__(self, whole, prefix):
        self.whole, self.prefix = whole, prefix
        self.element = getattr(whole, "element", None)

    def __getitem__(self, key):
        return self.whole[self.prefix + key]

    def __setitem__(self, key, value):
        self.whole[self.prefix + key] = value


class Gradients(dict):
    """By parameter; products make them in this element type."""

    def __init__(self, element):
        super().__init__()
        self.element = element


def write_gradients(w, c, p, tokens, targets, seed):
    """The loss and the gradient of every parameter."""
    grads = Gradients(c.gradients or c.type)
    dropout = Dropout(w, seed)
    ids = w.broadcast(tokens, (c.batch, c.seq, 1), (0, 1))
    x = w.lookup(p["['tokens']"], ids)
    x = w.add(x, w.broadcast(p["['positions']"], x.shape, (1, 2)))
    backwards = []
    for i in range(c.layers):
        drops = [dropout.place() for _ in range(3)]
        scopes = Scope(p, f"['layer{i}']"), Scope(grads, f"['layer{i}']")
        forward = lambda x, scopes=scopes, drops=drops: layer(w, x, *scopes, drops, c)
        x, backward = made_again(w, forward, [x], whole=True) if c.recompute == "full" else forward(x)
        backwards.append(backward)
    n, n_backward = norm(w, x, "['ln_f']", p, grads, c)
    table = p["['tokens']" if c.tied else "['head']"]
    width = 1 if c.tied else 0
    loss, dlogits = cross_entropy(w, w.dot(n, table, ([2], [width])), targets)

    over = ([0, 1], [0, 1])
    head = w.dot(*((dlogits, n) if c.tied else (n, dlogits)), over, element=grads.element)
    dx = n_backward(w.dot(dlogits, table, ([2], [1 - width])))
    for backward in reversed(backwards):
        dx = backward(dx)
    grads["['positions']"] = w.reduce(dx, [0])
    looked_up = w.lookup_gradient(p["['tokens']"].shape, ids, dx)
    if c.tied:
        grads["['tokens']"] = w.add(head, w.convert(looked_up, grads.element))
    else:
        grads["['head']"], grads["['tokens']"] = head, looked_up
    return loss, {name: w.convert(g, grads.element) for name, g in grads.items()}


def write_step(c):
    """The module's lines and the number of its operations."""
    shapes = parameter_shapes(c)
    arguments = []

    def argument(name, shape, element):
        value = Value(f"%arg{len(arguments)}", shape, element)
        arguments.append((value, name))
        return value

    def argument_of_each(name, element):
        return {of: argument(name + of, shape, element) for of, shape in shapes.items()}

    exact = c.type if c.weights == "only" else "f32"  # of what Adam updates
    params = argument_of_each("params", c.type if c.weights == "beside" else exact)
    masters = argument_of_each("opt['w']", exact) if c.weights == "beside" else params
    m, v = argument_of_each("opt['m']", exact), argument_of_each("opt['v']", exact)
    buffers = argument_of_each("opt['g']", c.gradients or c.type) if c.buffers else {}
    count = argument("opt['count']", (), "i32")
    donated = len(arguments)  # The results come in the arguments' order.
    tokens = argument("tokens", (c.batch, c.seq), "i32")
    targets = argument("targets", (c.batch, c.seq), "i32")
    seed = argument("seed", (2,), "ui64") if c.dropout else None

    w = Writer(exact)
    p = {name: w.convert(value, c.type) for name, value in params.items()}
    loss, grads = write_gradients(w, c, p, tokens, targets, seed)
    grads |= {name: w.add(value, grads[name]) for name, value in buffers.items()}
    grads = clip(w, grads) if c.clip else grads

    count = w.emit(f"add {count.name}, {w.constant(1, 'i32').name} : {{type}}", (), "i32")
    t = w.convert(count, exact)
    correction = lambda b: w.sub(w.constant(1.0), w.binary("power", w.constant(b), t))
    rate = w.mul(w.constant(ADAM["rate"]), w.unary("sqrt", correction(ADAM["b2"])))
    rate = w.div(rate, correction(ADAM["b1"]))
    updated = list(zip(*(adam(w, masters[name], m[name], v[name], grads[name], rate) for name in shapes)))
    if c.weights == "beside":
        updated.insert(0, [w.convert(value, c.type) for value in updated[0]])
    updated.append([w.fill_like(0.0, value) for value in buffers.values()])
    results = [value for part in updated for value in part] + [count, loss]

    alias = lambda i: f" {{tf.aliasing_output = {i} : i32}}" if i < donated else ""
    signature = [f'{a.name}: {a.type}{alias(i)} loc("{name}")' for i, (a, name) in enumerate(arguments)]
    types = [value.type for value in results]
    options = ", ".join(f"{name} {value}" for name, value in vars(c).items() if value not in (None, False))
    head = [
        f"// Written by transformer.py: {options}; {w.ops} operations.",
        "module @transformer_step {",
        f"  func.func public @main({', '.join(signature)}) -> ({', '.join(types)}) {{",
    ]
    tail = [f"    return {', '.join(value.name for value in results)} : {', '.join(types)}", "  }", "}"]
    return head + w.lines + tail, w.ops


def layers_for(c, ops):
    """Operations are linear in layers: how many come nearest to `ops`."""
    count = lambda layers: write_step(argparse.Namespace(**(vars(c) | {"layers": layers})))[1]
    one, two = count(1), count(2)
    return max(1, round((ops - one) / (two - one)) + 1)


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ops", type=int, help="as many layers as come nearest to this many operations")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--d", type=int, default=128, help="width of the residual stream")
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--ffn", type=int, default=512, help="width of the feed-forward")
    parser.add_argument("--vocab", type=int, default=512)
    parser.add_argument("--seq", type=int, default=64)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--type", choices=LOWEST, default="f32", help="element type of all but counts and tokens")
    parser.add_argument("--weights", choices=("only", "beside", "converted"), default="only", help="where those in f32 are")
    parser.add_argument("--gradients", choices=LOWEST, help="element type of gradients of parameters (default: that of --type)")
    parser.add_argument("--recompute", choices=LEVELS, default="none", help="what the backward pass makes again")
    parser.add_argument("--dropout", action="store_true", help="of attention and of what each half of a layer adds")
    parser.add_argument("--tied", action="store_true", help="tokens are looked up in the head's own table")
    parser.add_argument("--clip", action="store_true", help="gradients longer than 1 together are made shorter")
    parser.add_argument("--buffers", action="store_true", help="gradients are added to arrays of the optimizer's state")
    c = parser.parse_args(argv)
    if min(c.layers, c.d, c.heads, c.ffn, c.vocab, c.seq, c.batch) < 1 or c.d % c.heads:
        parser.error("sizes are positive, and heads divides d")
    if c.ops is not None:
        c.layers = layers_for(c, c.ops)
    return c


if __name__ == "__main__":
    sys.stdout.write("\n".join(write_step(parse_arguments())[0]) + "\n")
