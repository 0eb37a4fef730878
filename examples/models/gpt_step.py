#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A GPT training step in plain JAX: forward, backward and Adam, exported as StableHLO text.

    python gpt_step.py > gpt_step.mlir            # the file kept beside this script
    python gpt_step.py --layers 12 --d 768 --heads 12 --ffn 3072 --vocab 50304 --seq 1024 > big.mlir

The program is a pre-norm causal decoder with learned token and position embeddings, separately stored q, k, v and
output projections, a tanh-gelu feed-forward and an untied head. Its one entry point is

    step(params, opt, tokens, targets) -> (params, opt, loss)

where `opt` holds Adam's two moments of every parameter and the step count. Parameters and state are donated. Layers
are unrolled, so the text has no loop and no custom call. Arguments keep their JAX names (`params['layer0']['wq']`) as
locations; every other location is dropped, which shortens the text by a quarter.

Needs jax (written with 0.10.2). Nothing that builds, tests or runs the library needs this script.
"""

import argparse
import re

import jax
import jax.numpy as jnp
from jax import lax


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--d", type=int, default=128, help="width of the residual stream")
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--ffn", type=int, default=512, help="width of the feed-forward")
    parser.add_argument("--vocab", type=int, default=512)
    parser.add_argument("--seq", type=int, default=64)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser.parse_args()


def parameter_shapes(c):
    """The shape of every parameter, as the nested dictionary that the model takes."""
    norm = {"scale": (c.d,), "bias": (c.d,)}
    layer = {
        "ln1": norm,
        "wq": (c.d, c.d), "bq": (c.d,),
        "wk": (c.d, c.d), "bk": (c.d,),
        "wv": (c.d, c.d), "bv": (c.d,),
        "wo": (c.d, c.d), "bo": (c.d,),
        "ln2": norm,
        "w_up": (c.d, c.ffn), "b_up": (c.ffn,),
        "w_down": (c.ffn, c.d), "b_down": (c.d,),
    }  # fmt: skip
    shapes = {f"layer{i}": layer for i in range(c.layers)}
    return shapes | {"tokens": (c.vocab, c.d), "positions": (c.seq, c.d), "ln_f": norm, "head": (c.d, c.vocab)}


def layer_norm(x, p):
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return centred * lax.rsqrt(variance + 1e-5) * p["scale"] + p["bias"]


def softmax(x):
    e = jnp.exp(x - jnp.max(lax.stop_gradient(x), axis=-1, keepdims=True))
    return e / jnp.sum(e, axis=-1, keepdims=True)


def attention(x, p, heads):
    batch, seq, d = x.shape
    split = (batch, seq, heads, d // heads)
    q = (x @ p["wq"] + p["bq"]).reshape(split)
    k = (x @ p["wk"] + p["bk"]).reshape(split)
    v = (x @ p["wv"] + p["bv"]).reshape(split)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (d // heads) ** -0.5
    causal = lax.broadcasted_iota(jnp.int32, (seq, seq), 0) >= lax.broadcasted_iota(jnp.int32, (seq, seq), 1)
    weights = softmax(lax.select(jnp.broadcast_to(causal, scores.shape), scores, jnp.full_like(scores, -1e30)))
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape)
    return mixed @ p["wo"] + p["bo"]


def gelu(x):
    return 0.5 * x * (1.0 + jnp.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


def loss(params, tokens, targets, heads):
    """Mean cross-entropy of the next token."""
    # Token ids are promised to be in range, so the lookup is one plain gather.
    x = params["tokens"].at[tokens].get(mode="promise_in_bounds", wrap_negative_indices=False)
    x = x + params["positions"]
    for i in range(sum(name.startswith("layer") for name in params)):
        p = params[f"layer{i}"]
        x = x + attention(layer_norm(x, p["ln1"]), p, heads)
        x = x + gelu(layer_norm(x, p["ln2"]) @ p["w_up"] + p["b_up"]) @ p["w_down"] + p["b_down"]
    logits = layer_norm(x, params["ln_f"]) @ params["head"]
    shifted = logits - jnp.max(lax.stop_gradient(logits), axis=-1, keepdims=True)
    # The target's logit by a mask rather than by a gather: the vocabulary can then be tiled too.
    hit = lax.broadcasted_iota(jnp.int32, logits.shape, 2) == targets[..., None]
    wanted = jnp.sum(lax.select(hit, shifted, jnp.zeros_like(shifted)), axis=-1)
    return jnp.mean(jnp.log(jnp.sum(jnp.exp(shifted), axis=-1)) - wanted)


def make_step(c, b1=0.9, b2=0.999, eps=1e-8):
    def step(params, opt, tokens, targets):
        value, grads = jax.value_and_grad(loss)(params, tokens, targets, c.heads)
        count = opt["count"] + 1
        t = count.astype(jnp.float32)
        rate = c.lr * jnp.sqrt(1.0 - b2**t) / (1.0 - b1**t)
        m = jax.tree.map(lambda m, g: b1 * m + (1.0 - b1) * g, opt["m"], grads)
        v = jax.tree.map(lambda v, g: b2 * v + (1.0 - b2) * g * g, opt["v"], grads)
        # No trained state has a negative v, but invented inputs do: the magnitude keeps their results finite.
        moved = lambda p, m, v: p - rate * m / (jnp.sqrt(jnp.abs(v)) + eps)
        params = jax.tree.map(moved, params, m, v)
        return params, {"m": m, "v": v, "count": count}, value

    return step


def abstract_arguments(c):
    f32 = lambda shape: jax.ShapeDtypeStruct(shape, jnp.float32)
    params = jax.tree.map(f32, parameter_shapes(c), is_leaf=lambda x: isinstance(x, tuple))
    ids = jax.ShapeDtypeStruct((c.batch, c.seq), jnp.int32)
    opt = {"m": params, "v": params, "count": jax.ShapeDtypeStruct((), jnp.int32)}
    return params, opt, ids, ids


def keep_argument_locations(text):
    """Drops the locations of operations, which hold paths of the exporting machine, and keeps those of arguments."""
    lines = [line for line in text.splitlines() if not line.startswith("#loc")]
    return re.sub(r' loc\((#loc\d*|"[^"]*"\(#loc\d*\))\)', "", "\n".join(lines))


def export(c):
    lowered = jax.jit(make_step(c), donate_argnums=(0, 1)).lower(*abstract_arguments(c))
    return keep_argument_locations(lowered.as_text(debug_info=True))


if __name__ == "__main__":
    arguments = parse_arguments()
    sizes = ", ".join(f"{name} {value}" for name, value in vars(arguments).items())
    print(f"// A GPT training step, written by gpt_step.py with jax {jax.__version__}: {sizes}.")
    print("// To write it again: python gpt_step.py > gpt_step.mlir")
    print(export(arguments))
