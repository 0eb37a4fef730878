#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of sizes at which sharding matters, in plain JAX: StableHLO text for the benchmark `search`.

    jax_zoo.py rn50 > rn50.mlir    # nothing is allocated and nothing runs: arguments are shapes

    t32_infer   a decoder of 32 layers, 4 B weights: one token for each of 8 sequences, with caches of keys and values
    rn50        ResNet-50 on 1024 images
    unet        a diffusion model of images: 9 residual blocks down, 2 with attention, 12 up
    gns         a graph network: 24 rounds of messages along 65,536 edges
    moe         a decoder of 12 layers with 32 experts each, 65,536 tokens, 16 bits
    llama       the shapes of LLaMA 3 8B: 32 layers, 32 heads of which 4 share keys and values, 16 bits
    deepseek    those of DeepSeek-V3: 61 layers, latent attention, 3 layers dense, then 256 experts and a shared one each

All but the first are training steps: forward, backward, and Adam, with parameters and state donated."""

import argparse
import sys
from pathlib import Path

try:
    import jax
except ImportError:
    print("jax_zoo.py needs jax: TW_JAX_PYTHON names a Python that has it", file=sys.stderr)
    sys.exit(77)
import jax.numpy as jnp
import numpy as np
from jax import lax

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "models"))
from gpt_step import gelu, keep_argument_locations, softmax


def shape(*dims, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


def shapes(tree, dtype=jnp.float32):
    """Tuples of sizes as arrays."""
    return jax.tree.map(lambda dims: shape(*dims, dtype=dtype), tree, is_leaf=lambda x: isinstance(x, tuple))


def training_step(loss, params, data):
    """One step of Adam as a function, the shapes of its arguments, and which are donated."""
    b1, b2, eps = 0.9, 0.999, 1e-8

    def step(params, opt, data):
        value, grads = jax.value_and_grad(loss)(params, **data)
        count = opt["count"] + 1
        t = count.astype(jnp.float32)
        rate = 1e-3 * jnp.sqrt(1.0 - b2**t) / (1.0 - b1**t)
        wide, kept = (lambda x: x.astype(jnp.float32)), (lambda x, p: x.astype(p.dtype))
        m = jax.tree.map(lambda m, g: b1 * wide(m) + (1.0 - b1) * wide(g), opt["m"], grads)
        v = jax.tree.map(lambda v, g: b2 * wide(v) + (1.0 - b2) * wide(g) * wide(g), opt["v"], grads)
        new = jax.tree.map(lambda p, m, v: kept(wide(p) - rate * m / (jnp.sqrt(v) + eps), p), params, m, v)
        return new, {"m": jax.tree.map(kept, m, params), "v": jax.tree.map(kept, v, params), "count": count}, value

    return step, (params, {"m": params, "v": params, "count": shape(dtype=jnp.int32)}, data), (0, 1)


def affine(x, p):
    return x @ p["w"] + p["b"]


def layer_norm(x, p):
    centred = x - jnp.mean(x, -1, keepdims=True)
    return centred * lax.rsqrt(jnp.mean(centred * centred, -1, keepdims=True) + 1e-5) * p["scale"] + p["bias"]


def pick(logits, targets):
    """The logit of each target, by a mask rather than a gather: what is picked from can then be tiled too."""
    hit = lax.broadcasted_iota(jnp.int32, logits.shape, logits.ndim - 1) == targets[..., None]
    return jnp.sum(jnp.where(hit, logits, 0.0), -1)


def cross_entropy(logits, targets):
    shifted = logits - jnp.max(lax.stop_gradient(logits), -1, keepdims=True)
    return jnp.mean(jnp.log(jnp.sum(jnp.exp(shifted), -1)) - pick(shifted, targets))


def at_rows(table, rows):
    """Rows that are promised to be there, so that one plain gather reads them."""
    return table.at[rows].get(mode="promise_in_bounds", wrap_negative_indices=False)


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


# --- A token for each sequence ------------------------------------------------------------------------------


def t32_infer(layers=32, d=3584, heads=28, ffn=14336, vocab=32768, batch=8, length=2048):
    """Heads share one key and one value (multi-query)."""
    head = d // heads

    def step(params, cache, token, at):
        x = at_rows(params["tokens"], token) + lax.dynamic_index_in_dim(params["positions"], at, keepdims=False)
        for i in range(layers):
            p, old = params[f"layer{i}"], cache[f"layer{i}"]
            y = layer_norm(x, p["ln1"])
            q = jnp.einsum("bd,dhe->bhe", y, p["wq"])
            k = lax.dynamic_update_slice(old["k"], (y @ p["wk"])[:, None], (0, at, 0))
            v = lax.dynamic_update_slice(old["v"], (y @ p["wv"])[:, None], (0, at, 0))
            cache = cache | {f"layer{i}": {"k": k, "v": v}}
            scores = jnp.einsum("bhe,bte->bht", q, k) * head**-0.5
            weights = softmax(jnp.where(jnp.arange(length) <= at, scores, -1e30))
            x = x + jnp.einsum("bhe,hed->bd", jnp.einsum("bht,bte->bhe", weights, v), p["wo"])
            x = x + gelu(layer_norm(x, p["ln2"]) @ p["w_up"]) @ p["w_down"]
        logits = layer_norm(x, params["ln_f"]) @ params["tokens"].T
        return jnp.argmax(logits, -1).astype(jnp.int32), cache

    norm = {"scale": (d,), "bias": (d,)}
    layer = {"ln1": norm, "wq": (d, heads, head), "wk": (d, head), "wv": (d, head), "wo": (heads, head, d), "ln2": norm, "w_up": (d, ffn), "w_down": (ffn, d)}
    params = {f"layer{i}": layer for i in range(layers)} | {"tokens": (vocab, d), "positions": (length, d), "ln_f": norm}
    cache = {f"layer{i}": {"k": (batch, length, head), "v": (batch, length, head)} for i in range(layers)}
    return step, (shapes(params), shapes(cache), shape(batch, dtype=jnp.int32), shape(dtype=jnp.int32)), (1,)


# --- Images -------------------------------------------------------------------------------------------------


def rn50(batch=1024, extent=224, classes=1000, depths=(3, 4, 6, 3), per_norm=128):
    """Norms are over 128 images, as they are where each of 8 devices takes its own."""

    def norm(x, p):
        groups = x.reshape(-1, per_norm, *x.shape[1:])
        centred = groups - jnp.mean(groups, (1, 2, 3), keepdims=True)
        normal = centred * lax.rsqrt(jnp.mean(centred * centred, (1, 2, 3), keepdims=True) + 1e-5)
        return normal.reshape(x.shape) * p["scale"] + p["bias"]

    def block(x, p, stride):
        y = jax.nn.relu(norm(conv(x, p["w1"]), p["n1"]))
        y = jax.nn.relu(norm(conv(y, p["w2"], stride), p["n2"]))
        beside = norm(conv(x, p["w_skip"], stride), p["n_skip"]) if "w_skip" in p else x
        return jax.nn.relu(norm(conv(y, p["w3"]), p["n3"]) + beside)

    def loss(params, images, labels):
        x = jax.nn.relu(norm(conv(images, params["stem"], 2), params["n_stem"]))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stage, depth in enumerate(depths):
            for i in range(depth):
                x = block(x, params[f"stage{stage}"][f"block{i}"], 2 if i == 0 and stage > 0 else 1)
        return cross_entropy(affine(jnp.mean(x, (1, 2)), params["head"]), labels)

    scales = lambda c: {"scale": (c,), "bias": (c,)}
    params, c_in = {"stem": (7, 7, 3, 64), "n_stem": scales(64)}, 64
    for stage, depth in enumerate(depths):
        inner, c_out, blocks = 64 << stage, 256 << stage, {}
        for i in range(depth):
            blocks[f"block{i}"] = {
                "w1": (1, 1, c_in, inner), "n1": scales(inner), "w2": (3, 3, inner, inner), "n2": scales(inner),
                "w3": (1, 1, inner, c_out), "n3": scales(c_out),
            } | ({"w_skip": (1, 1, c_in, c_out), "n_skip": scales(c_out)} if i == 0 else {})  # fmt: skip
            c_in = c_out
        params[f"stage{stage}"] = blocks
    params["head"] = {"w": (c_in, classes), "b": (classes,)}
    data = {"images": shape(batch, extent, extent, 3), "labels": shape(batch, dtype=jnp.int32)}
    return training_step(loss, shapes(params), data)


def unet(batch=64, extent=64, colours=4, base=256, widths=(1, 2, 4), blocks=3, heads=16, groups=32):
    """Predicts the noise in images. A block up also reads what one down made of its size."""
    time = 4 * base

    def norm(x, p):
        parts = x.reshape(*x.shape[:3], groups, -1)
        centred = parts - jnp.mean(parts, (1, 2, 4), keepdims=True)
        normal = centred * lax.rsqrt(jnp.mean(centred * centred, (1, 2, 4), keepdims=True) + 1e-5)
        return normal.reshape(x.shape) * p["scale"] + p["bias"]

    def residual(x, p, t):
        y = conv(jax.nn.silu(norm(x, p["n1"])), p["w1"]) + p["b1"]
        y = y + affine(t, p["time"])[:, None, None]
        y = conv(jax.nn.silu(norm(y, p["n2"])), p["w2"]) + p["b2"]
        return y + (conv(x, p["w_skip"]) if "w_skip" in p else x)

    def attention(x, p):
        b, h, w, c = x.shape
        y = norm(x, p["norm"]).reshape(b, h * w, c)
        q, k, v = ((y @ p[name]).reshape(b, h * w, heads, c // heads) for name in ("wq", "wk", "wv"))
        weights = softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) * (c // heads) ** -0.5)
        return x + (jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, h * w, c) @ p["wo"]).reshape(x.shape)

    def loss(params, images, noise, times):
        angles = times[:, None] * jnp.asarray(np.exp(-np.log(1e4) * np.arange(base // 2) / (base // 2)), jnp.float32)
        t = jax.nn.silu(affine(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1), params["time1"]))
        t = jax.nn.silu(affine(t, params["time2"]))
        x = conv(images, params["stem"])
        kept = [x]
        for level in range(len(widths)):
            for i in range(blocks):
                x = residual(x, params[f"down{level}"][f"block{i}"], t)
                kept.append(x)
            if level + 1 < len(widths):
                x = conv(x, params[f"down{level}"]["halve"], 2)
                kept.append(x)
        for i in range(2):
            x = attention(residual(x, params[f"mid{i}"], t), params[f"mid{i}"]["attention"])
        for level in reversed(range(len(widths))):
            for i in range(blocks + 1):
                x = residual(jnp.concatenate([x, kept.pop()], -1), params[f"up{level}"][f"block{i}"], t)
            if level > 0:
                b, h, w, c = x.shape
                x = jnp.broadcast_to(x[:, :, None, :, None], (b, h, 2, w, 2, c)).reshape(b, 2 * h, 2 * w, c)
                x = conv(x, params[f"up{level}"]["double"])
        made = conv(jax.nn.silu(norm(x, params["n_out"])), params["out"])
        return jnp.mean((made - noise) ** 2)

    scales = lambda c: {"scale": (c,), "bias": (c,)}

    def block(c_in, c):
        inner = {"n1": scales(c_in), "w1": (3, 3, c_in, c), "b1": (c,), "time": {"w": (time, c), "b": (c,)}}
        inner |= {"n2": scales(c), "w2": (3, 3, c, c), "b2": (c,)}
        return inner | ({"w_skip": (1, 1, c_in, c)} if c_in != c else {})

    params = {"time1": {"w": (base, time), "b": (time,)}, "time2": {"w": (time, time), "b": (time,)}, "stem": (3, 3, colours, base)}
    c, kept = base, [base]
    for level, width in enumerate(widths):
        down = {}
        for i in range(blocks):
            down[f"block{i}"] = block(c, width * base)
            c = width * base
            kept.append(c)
        if level + 1 < len(widths):
            down["halve"] = (3, 3, c, c)
            kept.append(c)
        params[f"down{level}"] = down
    for i in range(2):
        params[f"mid{i}"] = block(c, c) | {"attention": {"norm": scales(c)} | {name: (c, c) for name in ("wq", "wk", "wv", "wo")}}
    for level, width in reversed(list(enumerate(widths))):
        up = {}
        for i in range(blocks + 1):
            up[f"block{i}"] = block(c + kept.pop(), width * base)
            c = width * base
        params[f"up{level}"] = up | ({"double": (3, 3, c, c)} if level > 0 else {})
    params |= {"n_out": scales(c), "out": (3, 3, c, colours)}
    image = shape(batch, extent, extent, colours)
    return training_step(loss, shapes(params), {"images": image, "noise": image, "times": shape(batch)})


# --- A graph ------------------------------------------------------------------------------------------------


def gns(steps=24, depth=5, hidden=1024, latent=512, nodes=2048, edges=65536, node_features=32, edge_features=4):
    """A learned simulator: messages go along edges, and what arrives at a node moves it."""

    def mlp(x, p):
        for i in range(depth):
            x = affine(x, p[f"layer{i}"])
            x = jax.nn.relu(x) if i + 1 < depth else x
        return layer_norm(x, p["norm"]) if "norm" in p else x

    def loss(params, node_state, edge_state, senders, receivers, moved):
        x, e = mlp(node_state, params["encode_nodes"]), mlp(edge_state, params["encode_edges"])
        for i in range(steps):
            p = params[f"step{i}"]
            message = mlp(jnp.concatenate([e, at_rows(x, senders), at_rows(x, receivers)], -1), p["edges"])
            arrived = jnp.zeros_like(x).at[receivers].add(message, mode="promise_in_bounds", wrap_negative_indices=False)
            x, e = x + mlp(jnp.concatenate([x, arrived], -1), p["nodes"]), e + message
        return jnp.mean((mlp(x, params["decode"]) - moved) ** 2)

    def weights(c_in, c_out=latent, norm=True):
        sizes = [c_in] + [hidden] * (depth - 1) + [c_out]
        layers = {f"layer{i}": {"w": (sizes[i], sizes[i + 1]), "b": (sizes[i + 1],)} for i in range(depth)}
        return layers | ({"norm": {"scale": (c_out,), "bias": (c_out,)}} if norm else {})

    params = {f"step{i}": {"edges": weights(3 * latent), "nodes": weights(2 * latent)} for i in range(steps)}
    params |= {"encode_nodes": weights(node_features), "encode_edges": weights(edge_features), "decode": weights(latent, 3, norm=False)}
    ends = shape(edges, dtype=jnp.int32)
    data = {"node_state": shape(nodes, node_features), "edge_state": shape(edges, edge_features)}
    data |= {"senders": ends, "receivers": ends, "moved": shape(nodes, 3)}
    return training_step(loss, shapes(params), data)


# --- Experts ------------------------------------------------------------------------------------------------


def moe(layers=12, d=1024, ffn=4096, experts=32, heads=16, vocab=32768, batch=128, seq=512, factor=1.25):
    """Each token goes to two experts, of a sequence `capacity` tokens at most to one (GShard).

    Weights are kept in 32 bits, and most products are of 16."""
    capacity = int(2 * seq * factor) // experts
    half = lambda x: x.astype(jnp.bfloat16)

    def attention(x, p):
        q, k, v = ((x @ half(p[name])).reshape(batch, seq, heads, d // heads) for name in ("wq", "wk", "wv"))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * (d // heads) ** -0.5
        causal = lax.broadcasted_iota(jnp.int32, (seq, seq), 0) >= lax.broadcasted_iota(jnp.int32, (seq, seq), 1)
        weights = half(softmax(jnp.where(causal, scores, -1e30)))
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape) @ half(p["wo"])

    def routes(x, router):
        """How much of what an expert makes at a place is for a token: [sequence, token, expert, place]."""
        gates = softmax(x.astype(jnp.float32) @ router)
        first = jax.nn.one_hot(jnp.argmax(gates, -1), experts)
        second = jax.nn.one_hot(jnp.argmax(gates * (1 - first), -1), experts)
        before = jnp.cumsum(first, 1) - first
        behind = jnp.cumsum(second, 1) - second + jnp.sum(first, 1, keepdims=True)
        total = jnp.sum(gates * (first + second), -1, keepdims=True)
        combine = 0
        for chosen, place in ((first, before), (second, behind)):
            gate = jnp.sum(gates * chosen, -1, keepdims=True) / total * chosen
            place = jax.nn.one_hot(jnp.sum(place * chosen, -1).astype(jnp.int32), capacity)
            combine = combine + gate[..., None] * place[:, :, None]
        return combine

    def ffn_of_experts(x, p):
        combine = half(routes(x, p["router"]))
        dispatch = half(combine > 0)
        arrived = jnp.einsum("gsec,gsd->egcd", dispatch, x)
        inner = gelu(jnp.einsum("egcd,edf->egcf", arrived, half(p["w_up"])))
        done = jnp.einsum("egcf,efd->egcd", inner, half(p["w_down"]))
        return jnp.einsum("gsec,egcd->gsd", combine, done)

    def norm(x, p):
        return half(layer_norm(x.astype(jnp.float32), p))

    def loss(params, tokens, targets):
        x = at_rows(half(params["tokens"]), tokens) + half(params["positions"])
        for i in range(layers):
            p = params[f"layer{i}"]
            x = x + attention(norm(x, p["ln1"]), p)
            x = x + ffn_of_experts(norm(x, p["ln2"]), p)
        logits = norm(x, params["ln_f"]) @ half(params["head"])
        return cross_entropy(logits.astype(jnp.float32), targets)

    scales = {"scale": (d,), "bias": (d,)}
    layer = {"ln1": scales, "ln2": scales, "router": (d, experts), "w_up": (experts, d, ffn), "w_down": (experts, ffn, d)}
    layer |= {name: (d, d) for name in ("wq", "wk", "wv", "wo")}
    params = {f"layer{i}": layer for i in range(layers)} | {"tokens": (vocab, d), "positions": (seq, d), "ln_f": scales, "head": (d, vocab)}
    ids = shape(batch, seq, dtype=jnp.int32)
    return training_step(loss, shapes(params), {"tokens": ids, "targets": ids})


# --- Decoders of today ----------------------------------------------------------------------------------------


half = lambda x: x.astype(jnp.bfloat16)


def rms_norm(x, scale):
    wide = x.astype(jnp.float32)
    return half(wide * lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5) * scale)


def rotate(x):
    """Pairs of the last dimension turn by their place in the sequence, which is the second."""
    pairs = x.shape[-1] // 2
    rate = jnp.asarray(np.exp(-np.log(5e5) * np.arange(pairs) / pairs), jnp.float32)
    angle = (lax.broadcasted_iota(jnp.float32, (x.shape[1], pairs), 0) * rate)[None, :, None]
    one, other = x[..., :pairs].astype(jnp.float32), x[..., pairs:].astype(jnp.float32)
    return half(jnp.concatenate([one * jnp.cos(angle) - other * jnp.sin(angle), one * jnp.sin(angle) + other * jnp.cos(angle)], -1))


def causal_softmax(scores):
    """Of [.., query, key]."""
    rank = scores.ndim
    causal = lax.broadcasted_iota(jnp.int32, scores.shape, rank - 2) >= lax.broadcasted_iota(jnp.int32, scores.shape, rank - 1)
    return half(softmax(jnp.where(causal, scores.astype(jnp.float32), -1e30)))


def gated(x, p):
    return (jax.nn.silu(x @ half(p["w_gate"])) * (x @ half(p["w_up"]))) @ half(p["w_down"])


def decoder(layer_of, params, d, vocab, batch, seq, dtype=jnp.float32):
    """A training step of layers, each `layer_of(x, weights)`; weights and moments are of one type."""
    layers = len(params)
    def loss(params, tokens, targets):
        x = at_rows(half(params["tokens"]), tokens)
        for i in range(layers):
            x = layer_of(x, params[f"layer{i}"])
        return cross_entropy((rms_norm(x, params["norm"]) @ half(params["head"])).astype(jnp.float32), targets)

    ids = shape(batch, seq, dtype=jnp.int32)
    params = params | {"tokens": (vocab, d), "norm": (d,), "head": (d, vocab)}
    return training_step(loss, shapes(params, dtype), {"tokens": ids, "targets": ids})


def llama(layers=32, d=4096, heads=32, shared=8, ffn=14336, vocab=128256, batch=64, seq=2048):
    """`shared` heads of keys and values."""
    head = d // heads

    def layer_of(x, p):
        y = rms_norm(x, p["norm1"])
        q = rotate(jnp.einsum("bsd,dhe->bshe", y, half(p["wq"]))).reshape(batch, seq, shared, heads // shared, head)
        k = rotate(jnp.einsum("bsd,dhe->bshe", y, half(p["wk"])))
        v = jnp.einsum("bsd,dhe->bshe", y, half(p["wv"]))
        weights = causal_softmax(jnp.einsum("bqghe,bkge->bghqk", q, k) * head**-0.5)
        mixed = jnp.einsum("bghqk,bkge->bqghe", weights, v).reshape(batch, seq, heads, head)
        x = x + jnp.einsum("bshe,hed->bsd", mixed, half(p["wo"]))
        return x + gated(rms_norm(x, p["norm2"]), p)

    layer = {"norm1": (d,), "norm2": (d,), "wq": (d, heads, head), "wk": (d, shared, head), "wv": (d, shared, head), "wo": (heads, head, d)}
    layer |= {"w_gate": (d, ffn), "w_up": (d, ffn), "w_down": (ffn, d)}
    return decoder(layer_of, {f"layer{i}": layer for i in range(layers)}, d, vocab, batch, seq)


def deepseek(layers=61, dense=3, d=7168, heads=128, rank_q=1536, rank_kv=512, plain=128, turned=64, ffn=18432, experts=256, chosen=8,
             inner=2048, vocab=129280, batch=64, seq=512, factor=1.25):  # fmt: skip
    """Queries, keys and values come from vectors of lower rank; a part of each head is rotated, and shared among keys."""
    capacity = int(chosen * seq * factor) // experts

    def attention(x, p):
        q = jnp.einsum("bsr,rhe->bshe", rms_norm(x @ half(p["wq_down"]), p["norm_q"]), half(p["wq_up"]))
        latent, key = jnp.split(x @ half(p["wkv_down"]), [rank_kv], -1)
        kv = jnp.einsum("bsr,rhe->bshe", rms_norm(latent, p["norm_kv"]), half(p["wkv_up"]))
        scores = jnp.einsum("bqhe,bkhe->bhqk", q[..., :plain], kv[..., :plain])
        scores = scores + jnp.einsum("bqhe,bke->bhqk", rotate(q[..., plain:]), rotate(key[:, :, None])[:, :, 0])
        mixed = jnp.einsum("bhqk,bkhe->bqhe", causal_softmax(scores * (plain + turned) ** -0.5), kv[..., plain:])
        return jnp.einsum("bshe,hed->bsd", mixed, half(p["wo"]))

    def routed(x, p):
        """Each token goes to some experts, of a sequence `capacity` tokens at most to one."""
        gates = jax.nn.sigmoid(x.astype(jnp.float32) @ p["router"])
        best, which = lax.top_k(gates, chosen)
        best = best / jnp.sum(best, -1, keepdims=True)
        hit = jax.nn.one_hot(which, experts)  # [sequence, token, choice, expert]
        taken = jnp.sum(hit, 2)
        place = jax.nn.one_hot((jnp.cumsum(taken, 1) - taken).astype(jnp.int32), capacity, dtype=jnp.bfloat16)
        dispatch = half(taken)[..., None] * place
        arrived = jnp.einsum("gsec,gsd->egcd", dispatch, x)
        done = jax.nn.silu(jnp.einsum("egcd,edf->egcf", arrived, half(p["w_gate"]))) * jnp.einsum("egcd,edf->egcf", arrived, half(p["w_up"]))
        done = jnp.einsum("egcf,efd->egcd", done, half(p["w_down"]))
        return jnp.einsum("gsec,egcd->gsd", dispatch * half(jnp.sum(best[..., None] * hit, 2))[..., None], done)

    def layer_of(x, p):
        x = x + attention(rms_norm(x, p["norm1"]), p["attention"])
        y = rms_norm(x, p["norm2"])
        return x + gated(y, p["ffn"]) + (routed(y, p["experts"]) if "experts" in p else 0)

    down = {"wq_down": (d, rank_q), "norm_q": (rank_q,), "wkv_down": (d, rank_kv + turned), "norm_kv": (rank_kv,)}
    weights = down | {"wq_up": (rank_q, heads, plain + turned), "wkv_up": (rank_kv, heads, 2 * plain), "wo": (heads, plain, d)}
    params = {}
    for i in range(layers):
        width = ffn if i < dense else inner
        params[f"layer{i}"] = {"norm1": (d,), "norm2": (d,), "attention": weights, "ffn": {"w_gate": (d, width), "w_up": (d, width), "w_down": (width, d)}}
        if i >= dense:
            params[f"layer{i}"]["experts"] = {"router": (d, experts), "w_gate": (experts, d, inner), "w_up": (experts, d, inner), "w_down": (experts, inner, d)}
    return decoder(layer_of, params, d, vocab, batch, seq, jnp.bfloat16)


PROGRAMS = {make.__name__: make for make in (t32_infer, rn50, unet, gns, moe, llama, deepseek)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=PROGRAMS)
    step, arguments, donated = PROGRAMS[parser.parse_args().name]()
    print(keep_argument_locations(jax.jit(step, donate_argnums=donated).lower(*arguments).as_text(debug_info=True)))
