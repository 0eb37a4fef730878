#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a transformer training step of any size as StableHLO text: the input of the scale benchmarks.

    make_transformer.py --ops 100000 > step.mlir       # as many layers as come nearest to 100,000 operations
    make_transformer.py --layers 2 --d 64 --ffn 256    # or a step of these sizes

The model is that of examples/models/gpt_step.py (pre-norm causal decoder, tanh-gelu, masked cross-entropy, Adam), and
its arguments carry the same names, so the same sharding specs apply. Forward, backward and optimizer are written out
here by hand: this needs plain Python and nothing else, and writes about 200,000 operations a second.
check_transformer.py compares a small step with what JAX computes.
"""

import argparse
import math
import sys

REAL = "f32"  # element type of all but counts and tokens; set by --type
LOWEST = {"f32": "0xFF800000", "bf16": "0xFF80"}
ADAM = {"rate": 1e-3, "b1": 0.9, "b2": 0.999, "eps": 1e-8}


class Value:
    """An SSA value: its name, shape and element type."""

    __slots__ = ("name", "shape", "type")

    def __init__(self, name, shape, element=None):
        self.name = name
        self.shape = tuple(shape)
        self.type = "tensor<" + "".join(f"{n}x" for n in self.shape) + (element or REAL) + ">"


class Writer:
    """Writes one function's operations, one line each."""

    def __init__(self):
        self.lines = []
        self.ops = 0
        self.next_name = 0

    def emit(self, text, shape, element=None):
        """Appends `%n = text`, where `{type}` in the text stands for the result's type."""
        result = Value(f"%{self.next_name}", shape, element)
        self.next_name += 1
        self.ops += 1
        self.lines.append(f"    {result.name} = stablehlo.{text.replace('{type}', result.type)}")
        return result

    def unary(self, op, x):
        return self.emit(f"{op} {x.name} : {{type}}", x.shape)

    def binary(self, op, a, b):
        assert a.shape == b.shape, (op, a.shape, b.shape)
        return self.emit(f"{op} {a.name}, {b.name} : {{type}}", a.shape)

    def add(self, a, b):
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.binary("subtract", a, b)

    def mul(self, a, b):
        return self.binary("multiply", a, b)

    def div(self, a, b):
        return self.binary("divide", a, b)

    def constant(self, number, element=None):
        text = f"{number:.9e}" if element is None and math.isfinite(number) else str(number)
        text = LOWEST[REAL] if number == -math.inf else text
        return self.emit(f"constant dense<{text}> : {{type}}", (), element)

    def broadcast(self, x, shape, dims, element=None):
        return self.emit(f"broadcast_in_dim {x.name}, dims = {list(dims)} : ({x.type}) -> {{type}}", shape, element)

    def fill(self, number, shape):
        return self.broadcast(self.constant(number), shape, ())

    def scale(self, x, number):
        """x times a number; a scalar needs no broadcast."""
        factor = self.fill(number, x.shape) if x.shape else self.constant(number)
        return self.mul(x, factor)

    def along_last(self, x, shape):
        """A vector over the last dimension, repeated over the others."""
        return self.broadcast(x, shape, (len(shape) - 1,))

    def over_last(self, x, shape):
        """Whatever was reduced over the last dimension, repeated along it."""
        return self.broadcast(x, shape, range(len(shape) - 1))

    def reduce(self, x, dims, op="add", init=0.0):
        start = self.constant(init)
        kept = [n for i, n in enumerate(x.shape) if i not in dims]
        head = f"reduce({x.name} init: {start.name}) applies stablehlo.{op} across dimensions = {list(dims)}"
        return self.emit(f"{head} : ({x.type}, {start.type}) -> {{type}}", kept)

    def mean_last(self, x):
        total = self.reduce(x, [len(x.shape) - 1])
        return self.div(total, self.fill(x.shape[-1], total.shape))

    def reshape(self, x, shape):
        return self.emit(f"reshape {x.name} : ({x.type}) -> {{type}}", shape)

    def transpose(self, x, dims):
        text = f"transpose {x.name}, dims = {list(dims)} : ({x.type}) -> {{type}}"
        return self.emit(text, [x.shape[i] for i in dims])

    def dot(self, a, b, contract, batch=((), ())):
        (ca, cb), (ba, bb) = contract, batch
        free = lambda x, used: [n for i, n in enumerate(x.shape) if i not in used]
        shape = [a.shape[i] for i in ba] + free(a, [*ba, *ca]) + free(b, [*bb, *cb])
        batching = f"batching_dims = {list(ba)} x {list(bb)}, " if ba else ""
        contracting = f"contracting_dims = {list(ca)} x {list(cb)}"
        text = f"dot_general {a.name}, {b.name}, {batching}{contracting} : ({a.type}, {b.type}) -> {{type}}"
        return self.emit(text, shape)

    def iota(self, dim, shape):
        return self.emit(f"iota dim = {dim} : {{type}}", shape, "i32")

    def compare(self, direction, a, b):
        text = f"compare {direction}, {a.name}, {b.name}, SIGNED : ({a.type}, {b.type}) -> {{type}}"
        return self.emit(text, a.shape, "i1")

    def select(self, mask, a, b):
        return self.emit(f"select {mask.name}, {a.name}, {b.name} : {mask.type}, {{type}}", a.shape)

    def lookup(self, table, ids):
        """Rows of table [V,D] for ids [B,T,1]."""
        width = table.shape[1]
        numbers = "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2"
        attributes = f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: 1, {width}>"
        result = Value(f"%{self.next_name}", (*ids.shape[:2], width))
        self.next_name += 1
        self.ops += 1
        signature = f"({table.type}, {ids.type}) -> {result.type}"
        self.lines.append(
            f'    {result.name} = "stablehlo.gather"({table.name}, {ids.name}) <{{{attributes}}}> : {signature}'
        )
        return result

    def lookup_gradient(self, shape, ids, updates):
        """Sum of the rows of updates [B,T,D] into zeros [V,D] at ids [B,T,1]."""
        zeros = self.fill(0.0, shape)
        numbers = "update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]"
        result = Value(f"%{self.next_name}", shape)
        self.next_name += 1
        self.ops += 1
        self.lines += [
            f'    {result.name} = "stablehlo.scatter"({zeros.name}, {ids.name}, {updates.name}) '
            f"<{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}, index_vector_dim = 2>}}> ({{",
            f"    ^bb0(%old: tensor<{REAL}>, %new: tensor<{REAL}>):",
            f"      %sum = stablehlo.add %old, %new : tensor<{REAL}>",
            f"      stablehlo.return %sum : tensor<{REAL}>",
            f"    }}) : ({zeros.type}, {ids.type}, {updates.type}) -> {result.type}",
        ]
        return result


# Each block is a forward function that returns its result and a backward function. The backward function takes the
# gradient of the result, returns that of the input, and puts those of the parameters into `grads`, keyed like `p`.


def affine(w, x, weight, bias, p, grads):
    product = w.dot(x, p[weight], ([2], [0]))
    y = w.add(product, w.along_last(p[bias], product.shape))

    def backward(dy):
        grads[bias] = w.reduce(dy, [0, 1])
        grads[weight] = w.dot(x, dy, ([0, 1], [0, 1]))
        return w.dot(dy, p[weight], ([2], [1]))

    return y, backward


def layer_norm(w, x, prefix, p, grads):
    scale, bias = f"{prefix}['scale']", f"{prefix}['bias']"
    centred = w.sub(x, w.over_last(w.mean_last(x), x.shape))
    variance = w.mean_last(w.mul(centred, centred))
    spread = w.over_last(w.unary("rsqrt", w.add(variance, w.fill(1e-5, variance.shape))), x.shape)
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


def softmax(w, x):
    last = len(x.shape) - 1
    largest = w.reduce(x, [last], "maximum", -math.inf)
    e = w.unary("exponential", w.sub(x, w.over_last(largest, x.shape)))
    y = w.div(e, w.over_last(w.reduce(e, [last]), x.shape))

    def backward(dy):
        return w.mul(y, w.sub(dy, w.over_last(w.reduce(w.mul(dy, y), [last]), x.shape)))

    return y, backward


def attention(w, x, p, grads, heads):
    batch, seq, d = x.shape
    split = (batch, seq, heads, d // heads)
    scale = (d // heads) ** -0.5
    merge = lambda y: w.reshape(w.transpose(y, [0, 2, 1, 3]), x.shape)

    q, q_backward = affine(w, x, "['wq']", "['bq']", p, grads)
    k, k_backward = affine(w, x, "['wk']", "['bk']", p, grads)
    v, v_backward = affine(w, x, "['wv']", "['bv']", p, grads)
    q, k, v = (w.reshape(y, split) for y in (q, k, v))
    scores = w.scale(w.dot(q, k, ([3], [3]), ([0, 2], [0, 2])), scale)
    mask = w.compare("GE", w.iota(0, (seq, seq)), w.iota(1, (seq, seq)))
    mask = w.broadcast(mask, scores.shape, (2, 3), "i1")
    weights, softmax_backward = softmax(w, w.select(mask, scores, w.fill(-1e30, scores.shape)))
    mixed = merge(w.dot(weights, v, ([3], [1]), ([0, 1], [0, 2])))
    y, o_backward = affine(w, mixed, "['wo']", "['bo']", p, grads)

    def backward(dy):
        dmixed = w.reshape(o_backward(dy), split)
        dv = w.dot(weights, dmixed, ([2], [1]), ([0, 1], [0, 2]))
        dweights = softmax_backward(w.dot(dmixed, v, ([3], [3]), ([0, 2], [0, 2])))
        ds = w.scale(w.select(mask, dweights, w.fill(0.0, scores.shape)), scale)
        dq = w.dot(ds, k, ([3], [1]), ([0, 1], [0, 2]))
        dk = w.dot(ds, q, ([2], [1]), ([0, 1], [0, 2]))
        return w.add(w.add(q_backward(merge(dq)), k_backward(merge(dk))), v_backward(merge(dv)))

    return y, backward


def gelu(w, x):
    c = math.sqrt(2 / math.pi)
    squares = w.mul(x, x)
    inner = w.scale(w.add(x, w.mul(w.scale(squares, 0.044715), x)), c)
    t = w.unary("tanh", inner)
    ones = w.fill(1.0, x.shape)
    half = w.scale(w.add(ones, t), 0.5)
    y = w.mul(x, half)

    def backward(dy):
        dinner = w.scale(w.add(ones, w.scale(squares, 3 * 0.044715)), c)
        bend = w.mul(w.mul(w.scale(x, 0.5), w.sub(ones, w.mul(t, t))), dinner)
        return w.mul(dy, w.add(half, bend))

    return y, backward


def feed_forward(w, x, p, grads):
    h, up_backward = affine(w, x, "['w_up']", "['b_up']", p, grads)
    g, gelu_backward = gelu(w, h)
    y, down_backward = affine(w, g, "['w_down']", "['b_down']", p, grads)
    return y, lambda dy: up_backward(gelu_backward(down_backward(dy)))


def cross_entropy(w, logits, targets):
    """The mean over all tokens, and the gradient of the logits."""
    shape = logits.shape
    largest = w.reduce(logits, [2], "maximum", -math.inf)
    shifted = w.sub(logits, w.over_last(largest, shape))
    e = w.unary("exponential", shifted)
    total = w.reduce(e, [2])
    hit = w.compare("EQ", w.iota(2, shape), w.broadcast(targets, shape, (0, 1), "i32"))
    zeros = w.fill(0.0, shape)
    wanted = w.reduce(w.select(hit, shifted, zeros), [2])
    loss = w.scale(w.reduce(w.sub(w.unary("log", total), wanted), [0, 1]), 1 / (shape[0] * shape[1]))
    probability = w.div(e, w.over_last(total, shape))
    excess = w.sub(probability, w.select(hit, w.fill(1.0, shape), zeros))
    return loss, w.scale(excess, 1 / (shape[0] * shape[1]))


def adam(w, p, m, v, g, rate):
    m = w.add(w.scale(m, ADAM["b1"]), w.scale(g, 1 - ADAM["b1"]))
    v = w.add(w.scale(v, ADAM["b2"]), w.scale(w.mul(g, g), 1 - ADAM["b2"]))
    root = w.unary("sqrt", w.unary("abs", v))
    step = w.div(m, w.add(root, w.fill(ADAM["eps"], v.shape)))
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
    return shapes | norm("['ln_f']") | {"['head']": (c.d, c.vocab)}


class Scope:
    """A dictionary seen through a prefix of its keys: one layer's parameters among all."""

    def __init__(self, whole, prefix):
        self.whole, self.prefix = whole, prefix

    def __getitem__(self, key):
        return self.whole[self.prefix + key]

    def __setitem__(self, key, value):
        self.whole[self.prefix + key] = value


def write_step(c):
    """The module's lines and the number of its operations."""
    shapes = parameter_shapes(c)
    arguments = []

    def argument(name, shape, element=None):
        value = Value(f"%arg{len(arguments)}", shape, element)
        arguments.append((value, name))
        return value

    p = {name: argument("params" + name, shape) for name, shape in shapes.items()}
    m = {name: argument("opt['m']" + name, shape) for name, shape in shapes.items()}
    v = {name: argument("opt['v']" + name, shape) for name, shape in shapes.items()}
    count = argument("opt['count']", (), "i32")
    tokens = argument("tokens", (c.batch, c.seq), "i32")
    targets = argument("targets", (c.batch, c.seq), "i32")

    w = Writer()
    grads = {}
    ids = w.broadcast(tokens, (c.batch, c.seq, 1), (0, 1), "i32")
    x = w.lookup(p["['tokens']"], ids)
    x = w.add(x, w.broadcast(p["['positions']"], x.shape, (1, 2)))
    backwards = []
    for i in range(c.layers):
        layer, layer_grads = Scope(p, f"['layer{i}']"), Scope(grads, f"['layer{i}']")
        n1, n1_backward = layer_norm(w, x, "['ln1']", layer, layer_grads)
        y, y_backward = attention(w, n1, layer, layer_grads, c.heads)
        x = w.add(x, y)
        n2, n2_backward = layer_norm(w, x, "['ln2']", layer, layer_grads)
        z, z_backward = feed_forward(w, n2, layer, layer_grads)
        x = w.add(x, z)
        backwards += [(n1_backward, y_backward), (n2_backward, z_backward)]
    n, n_backward = layer_norm(w, x, "['ln_f']", p, grads)
    loss, dlogits = cross_entropy(w, w.dot(n, p["['head']"], ([2], [0])), targets)

    grads["['head']"] = w.dot(n, dlogits, ([0, 1], [0, 1]))
    dx = n_backward(w.dot(dlogits, p["['head']"], ([2], [1])))
    for norm_backward, block_backward in reversed(backwards):
        dx = w.add(dx, norm_backward(block_backward(dx)))
    grads["['positions']"] = w.reduce(dx, [0])
    grads["['tokens']"] = w.lookup_gradient(shapes["['tokens']"], ids, dx)

    count = w.emit(f"add {count.name}, {w.constant(1, 'i32').name} : {{type}}", (), "i32")
    t = w.emit(f"convert {count.name} : ({count.type}) -> {{type}}", ())
    correction = lambda b: w.sub(w.constant(1.0), w.binary("power", w.constant(b), t))
    rate = w.mul(w.constant(ADAM["rate"]), w.unary("sqrt", correction(ADAM["b2"])))
    rate = w.div(rate, correction(ADAM["b1"]))
    updated = [adam(w, p[name], m[name], v[name], grads[name], rate) for name in shapes]
    results = [value for part in zip(*updated) for value in part] + [count, loss]

    donated = len(arguments) - 2  # All but tokens and targets; the results come in the arguments' order.
    alias = lambda i: f" {{tf.aliasing_output = {i} : i32}}" if i < donated else ""
    signature = [f'{a.name}: {a.type}{alias(i)} loc("{name}")' for i, (a, name) in enumerate(arguments)]
    types = [value.type for value in results]
    head = [
        f"// Written by make_transformer.py: layers {c.layers}, d {c.d}, heads {c.heads}, ffn {c.ffn}, "
        f"vocab {c.vocab}, seq {c.seq}, batch {c.batch}, {REAL}; {w.ops} operations.",
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
    c = parser.parse_args(argv)
    global REAL
    REAL = c.type
    if min(c.layers, c.d, c.heads, c.ffn, c.vocab, c.seq, c.batch) < 1 or c.d % c.heads:
        parser.error("sizes are positive, and heads divides d")
    if c.ops is not None:
        c.layers = layers_for(c, c.ops)
    return c


if __name__ == "__main__":
    sys.stdout.write("\n".join(write_step(parse_arguments())[0]) + "\n")
