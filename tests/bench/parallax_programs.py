# SPDX-License-Identifier: Apache-2.0
"""Programs in plain JAX for peer_parallax.py: NAME -> a function of parameters and inputs, the shapes of these, and which are donated. Sizes are
those at which sharding matters; nothing is allocated. Steps give new parameters for old ones, which the next step takes."""

import jax
import jax.numpy as jnp
import numpy as np

PROGRAMS = {}


def shape(*dims, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


def shapes(tree):
    return jax.tree.map(lambda dims: shape(*dims), tree, is_leaf=lambda x: isinstance(x, tuple))


def training(loss):
    """A step of gradient descent."""

    def step(params, *inputs):
        value, grads = jax.value_and_grad(loss)(params, *inputs)
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads), value

    return step


def squared_error(model):
    return lambda params, x, y: jnp.mean((model(params, x) - y) ** 2)


def norm(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def softmax(x):
    e = jnp.exp(x - jnp.max(x, -1, keepdims=True))
    return e / jnp.sum(e, -1, keepdims=True)


# --- Layers one after the other ---


def mlp(params, x):
    for i, p in enumerate(params.values()):
        x = x @ p["w"] + p["b"]
        x = jnp.maximum(x, 0) if i + 1 < len(params) else x
    return x


def add_mlp(name, sizes, batch):
    params = shapes({f"layer{i}": {"w": (a, b), "b": (b,)} for i, (a, b) in enumerate(zip(sizes, sizes[1:]))})
    x, y = shape(batch, sizes[0]), shape(batch, sizes[-1])
    PROGRAMS[f"{name} forward"] = lambda: (mlp, (params, x), ())
    PROGRAMS[f"{name} step"] = lambda: (training(squared_error(mlp)), (params, x, y), (0,))


add_mlp("mlp of 2", (1024, 4096, 1024), 8192)
add_mlp("mlp of 2, small batch", (4096, 16384, 4096), 64)
add_mlp("mlp of 3", (1024, 4096, 4096, 256), 4096)
add_mlp("mlp of 8", (2048,) * 9, 2048)
add_mlp("autoencoder", (4096, 1024, 256, 1024, 4096), 16384)
add_mlp("regression", (8192, 512), 4096)


def gated(params, x):
    return x + (jax.nn.silu(x @ params["gate"]) * (x @ params["up"])) @ params["down"]


def mixer(params, x):
    """x[batch, place, channel]: a network over places, one over channels."""
    y = jnp.maximum(jnp.einsum("bsc,st->btc", norm(x, params["n1"]), params["s1"]), 0)
    x = x + jnp.einsum("btc,ts->bsc", y, params["s2"])
    return x + jnp.maximum(norm(x, params["n2"]) @ params["c1"], 0) @ params["c2"]


def lora(params, x):
    return x @ params["w"] + (x @ params["a"]) @ params["b"]


def chain(params, x):
    for w in params.values():
        x = jnp.tanh(x @ w)
    return x


def experts(params, x):
    """All experts see all tokens, and their outputs are weighted."""
    weights = softmax(x @ params["router"])
    inner = jnp.maximum(jnp.einsum("td,edf->etf", x, params["up"]), 0)
    return jnp.einsum("etf,efd,te->td", inner, params["down"], weights)


def add(name, model, params, *inputs, target=None):
    params, inputs = shapes(params), [shape(*dims) for dims in inputs]
    PROGRAMS[f"{name} forward"] = lambda: (model, (params, *inputs), ())
    PROGRAMS[f"{name} step"] = lambda: (training(squared_error(model)), (params, *inputs, shape(*(target or inputs[0].shape))), (0,))


add("gated", gated, {"gate": (2048, 8192), "up": (2048, 8192), "down": (8192, 2048)}, (8192, 2048))
add("mixer", mixer, {"n1": (1024,), "s1": (256, 1024), "s2": (1024, 256), "n2": (1024,), "c1": (1024, 4096), "c2": (4096, 1024)}, (128, 256, 1024))
add("lora", lora, {"w": (4096, 4096), "a": (4096, 64), "b": (64, 4096)}, (4096, 4096))
add("chain", chain, {f"w{i}": (4096, 4096) for i in range(4)}, (1024, 4096))
add("experts", experts, {"router": (1024, 8), "up": (8, 1024, 4096), "down": (8, 4096, 1024)}, (8192, 1024))


# --- Transformers ---


def attention(x, p, heads, shared=1):
    """`shared` heads of queries have one of keys and values."""
    b, s, _ = x.shape
    q = (x @ p["wq"]).reshape(b, s, heads, -1)
    k, v = ((x @ p[name]).reshape(b, s, heads // shared, -1) for name in ("wk", "wv"))
    if shared > 1:
        k, v = (jnp.repeat(y, shared, axis=2) for y in (k, v))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    causal = np.tril(np.ones((s, s), bool))
    weights = softmax(jnp.where(causal, scores, -1e30))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, s, -1) @ p["wo"]


def heads_apart(x, p):
    """Weights have a dimension of heads."""
    q, k, v = (jnp.einsum("bsd,dhe->bshe", x, p[name]) for name in ("wq", "wk", "wv"))
    weights = softmax(jnp.einsum("bqhe,bkhe->bhqk", q, k) / np.sqrt(q.shape[-1]))
    return jnp.einsum("bqhe,hed->bqd", jnp.einsum("bhqk,bkhe->bqhe", weights, v), p["wo"])


def block(x, p, mix):
    x = x + mix(norm(x, p["n1"]), p)
    y = norm(x, p["n2"])
    return x + (jax.nn.gelu(y @ p["up"]) @ p["down"] if "gate" not in p else (jax.nn.silu(y @ p["gate"]) * (y @ p["up"])) @ p["down"])


def add_transformer(name, layers, d, heads, ffn, batch, seq, *, shared=1, gate=False, apart=False, vocab=0):
    mix = heads_apart if apart else lambda x, p: attention(x, p, heads, shared)
    head = d // heads
    layer = {"n1": (d,), "n2": (d,), "up": (d, ffn), "down": (ffn, d)} | ({"gate": (d, ffn)} if gate else {})
    if apart:
        layer |= {"wq": (d, heads, head), "wk": (d, heads, head), "wv": (d, heads, head), "wo": (heads, head, d)}
    else:
        layer |= {"wq": (d, d), "wk": (d, d // shared), "wv": (d, d // shared), "wo": (d, d)}
    params = {f"layer{i}": layer for i in range(layers)} | {"positions": (seq, d)}

    def stack(params, x):
        x = x + params["positions"]  # parallax takes what is in no parameter for the batch
        for i in range(layers):
            x = block(x, params[f"layer{i}"], mix)
        return x

    if not vocab:
        add(name, stack, params, (batch, seq, d))
        return
    params |= {"tokens": (vocab, d), "norm": (d,)}

    def logits(params, tokens):
        x = jax.nn.one_hot(tokens, vocab) @ params["tokens"]
        return norm(stack(params, x), params["norm"]) @ params["tokens"].T

    def loss(params, tokens, targets):
        out = logits(params, tokens)
        out = out - jnp.max(jax.lax.stop_gradient(out), -1, keepdims=True)
        picked = jnp.sum(out * jax.nn.one_hot(targets, vocab), -1)
        return jnp.mean(jnp.log(jnp.sum(jnp.exp(out), -1)) - picked)

    tokens = shape(batch, seq, dtype=jnp.int32)
    PROGRAMS[f"{name} forward"] = lambda: (logits, (shapes(params), tokens), ())
    PROGRAMS[f"{name} step"] = lambda: (training(loss), (shapes(params), tokens, tokens), (0,))


add_transformer("block", 1, 1024, 16, 4096, 32, 512)
add_transformer("block, heads apart", 1, 1024, 16, 4096, 32, 512, apart=True)
add_transformer("block, small batch", 1, 4096, 32, 16384, 4, 512)
add_transformer("gated block, shared keys", 1, 2048, 16, 8192, 16, 512, shared=4, gate=True)
add_transformer("transformer of 4", 4, 1024, 16, 4096, 32, 256)
add_transformer("gpt of 2", 2, 1024, 16, 4096, 32, 256, vocab=8192)


def add_zoo():
    import jax_zoo

    for name in ("t32_infer", "rn50", "unet", "gns", "moe", "llama", "deepseek"):
        PROGRAMS[f"zoo {name}"] = lambda name=name: getattr(jax_zoo, name)()


add_zoo()
