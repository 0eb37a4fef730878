#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs of many kinds in plain JAX, each exported as StableHLO text with inputs and JAX's own results.

    python zoo.py                 # writes zoo/NAME.mlir, NAME.in.npz and NAME.out.npz for every program
    python zoo.py lstm_step       # only this one

    resnet_step   convolutions, batch normalisation, pooling, a residual block, and all their gradients
    lstm_step     a scan over time and its gradient
    moe_step      a mixture of experts: top-2 routing, dispatch, gradients
    expert_step   a mixture of experts as GShard has it: groups of tokens, the first `capacity` of a group reach their expert, gradients
    graph_step    messages along edges: gather, scatter-add, gradients
    decode        greedy decoding with a cache of keys and values, in a loop
    stencil       heat on a grid of odd sizes, many steps in a loop
    fft_filter    a convolution by Fourier transforms
    dropout       random bits (threefry) that decide what is kept

NAME.in.npz holds the arguments as arg0, arg1, .., NAME.out.npz the results as out0, out1, ..

Needs jax (written with 0.10.2). Nothing that builds, tests or runs the library needs this script.
"""

import re
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

FOLDER = Path(__file__).resolve().parent / "zoo"


def normal(rng, *shape, scale=0.3):
    return (scale * rng.standard_normal(shape)).astype(np.float32)


def gradient_step(loss, params, *data, rate=0.1):
    """Each parameter after one step of descent, and the loss."""
    value, grads = jax.value_and_grad(loss)(params, *data)
    return [p - rate * g for p, g in zip(params, grads)] + [value]


def cross_entropy(logits, labels):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
    return -jnp.mean(picked)


# --- the programs: each takes a random generator and gives a function with its arguments ---


def resnet_step(rng, c=8, images=8, extent=12):
    def conv(x, w, stride=1):
        return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def norm(x, scale, bias):
        mean = jnp.mean(x, (0, 1, 2))
        centred = x - mean
        return centred * lax.rsqrt(jnp.mean(centred * centred, (0, 1, 2)) + 1e-3) * scale + bias

    def pool(x, init, op, size, stride):
        return lax.reduce_window(x, init, op, (1, size, size, 1), (1, stride, stride, 1), "SAME")

    def loss(params, x, labels):
        stem, w1, s1, b1, w2, s2, b2, head = params
        x = pool(jax.nn.relu(conv(x, stem)), -jnp.inf, lax.max, 3, 2)
        y = jax.nn.relu(norm(conv(x, w1), s1, b1))
        x = jax.nn.relu(x + norm(conv(y, w2), s2, b2))
        x = pool(x, 0.0, lax.add, 2, 2) / 4
        return cross_entropy(jnp.mean(x, (1, 2)) @ head, labels)

    params = [normal(rng, 3, 3, 3, c), normal(rng, 3, 3, c, c), 1 + normal(rng, c), normal(rng, c),
              normal(rng, 3, 3, c, c), 1 + normal(rng, c), normal(rng, c), normal(rng, c, 5)]  # fmt: skip
    labels = rng.integers(0, 5, images).astype(np.int32)
    return lambda *a: gradient_step(loss, list(a[:8]), *a[8:]), [*params, normal(rng, images, extent, extent, 3, scale=1), labels]


def lstm_step(rng):
    def loss(params, x, wanted):
        w, u, b, head = params

        def cell(state, x_t):
            h, c = state
            i, f, g, o = jnp.split(x_t @ w + h @ u + b, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((x.shape[1], u.shape[0]))
        _, hs = lax.scan(cell, (zero, zero), x)
        return jnp.mean((hs @ head - wanted) ** 2)

    params = [normal(rng, 6, 32), normal(rng, 8, 32), normal(rng, 32), normal(rng, 8, 3)]
    data = [normal(rng, 7, 6, 6, scale=1), normal(rng, 7, 6, 3, scale=1)]
    return lambda *a: gradient_step(loss, list(a[:4]), *a[4:]), params + data


def moe_step(rng):
    def loss(params, x, wanted):
        router, up, down = params
        weights, experts = lax.top_k(jax.nn.softmax(x @ router), 2)
        weights = weights / jnp.sum(weights, 1, keepdims=True)
        combine = jnp.einsum("tk,tke->te", weights, jax.nn.one_hot(experts, router.shape[1]))
        inside = jax.nn.gelu(jnp.einsum("td,edf->tef", x, up))
        y = jnp.einsum("te,tef,efd->td", combine, inside, down)
        return jnp.mean((y - wanted) ** 2)

    params = [normal(rng, 8, 4), normal(rng, 4, 8, 12), normal(rng, 4, 12, 8)]
    return (lambda *a: gradient_step(loss, list(a[:3]), *a[3:])), params + [normal(rng, 24, 8, scale=1), normal(rng, 24, 8)]


def expert_step(rng):
    capacity = 3

    def loss(params, x, wanted):
        router, up, down = params
        gates = jax.nn.softmax(jnp.einsum("gsd,de->gse", x, router))
        chosen = jax.nn.one_hot(jnp.argmax(gates, 2), router.shape[1])
        place = jnp.cumsum(chosen, 1) * chosen - 1
        dispatch = jax.nn.one_hot(place.astype(jnp.int32), capacity)
        combine = dispatch * jnp.sum(gates * chosen, 2)[:, :, None, None]
        arrived = jnp.einsum("gsec,gsd->egcd", dispatch, x)
        done = jnp.einsum("egcf,efd->egcd", jax.nn.gelu(jnp.einsum("egcd,edf->egcf", arrived, up)), down)
        y = jnp.einsum("gsec,egcd->gsd", combine, done)
        return jnp.mean((y - wanted) ** 2)

    params = [normal(rng, 8, 8), normal(rng, 8, 8, 12), normal(rng, 8, 12, 8)]
    return (lambda *a: gradient_step(loss, list(a[:3]), *a[3:])), params + [normal(rng, 8, 6, 8, scale=1), normal(rng, 8, 6, 8)]


def graph_step(rng):
    def loss(params, nodes, senders, receivers, wanted):
        message, update = params
        m = jax.nn.relu(nodes[senders] @ message)
        gathered = jnp.zeros((nodes.shape[0], m.shape[1])).at[receivers].add(m)
        return jnp.mean((jnp.tanh(gathered @ update) - wanted) ** 2)

    params = [normal(rng, 6, 10), normal(rng, 10, 6)]
    edges = [rng.integers(0, 13, 40).astype(np.int32) for _ in range(2)]
    data = [normal(rng, 13, 6, scale=1), *edges, normal(rng, 13, 6)]
    return lambda *a: gradient_step(loss, list(a[:2]), *a[2:]), params + data


def decode(rng):
    length, width, vocabulary = 9, 8, 11

    def step(embedding, wq, wk, wv, head, prompt):
        batch = prompt.shape[0]

        def one(state):
            at, token, keys, values, tokens = state
            x = embedding[token]
            keys = lax.dynamic_update_slice(keys, (x @ wk)[:, None], (0, at, 0))
            values = lax.dynamic_update_slice(values, (x @ wv)[:, None], (0, at, 0))
            scores = jnp.einsum("bd,btd->bt", x @ wq, keys) / np.sqrt(width)
            scores = jnp.where(jnp.arange(length) <= at, scores, -1e9)
            y = jnp.einsum("bt,btd->bd", jax.nn.softmax(scores), values)
            token = jnp.argmax((x + y) @ head, 1).astype(jnp.int32)
            return at + 1, token, keys, values, lax.dynamic_update_slice(tokens, token[:, None], (0, at))

        cache = jnp.zeros((batch, length, width))
        start = (jnp.int32(0), prompt, cache, cache, jnp.zeros((batch, length), jnp.int32))
        _, _, keys, values, tokens = lax.while_loop(lambda s: s[0] < length, one, start)
        return [tokens, keys, values]

    weights = [normal(rng, vocabulary, width, scale=1)] + [normal(rng, width, width, scale=0.7) for _ in range(3)]
    return step, [*weights, normal(rng, width, vocabulary, scale=1), rng.integers(0, vocabulary, 5).astype(np.int32)]


def stencil(rng):
    def run(grid, conductivity):
        def step(_, u):
            padded = jnp.pad(u, 1, mode="edge")
            around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
            return u + conductivity * (around - 4 * u)

        final = lax.fori_loop(0, 12, step, grid)
        return [final, jnp.sum(final)]

    return run, [normal(rng, 17, 23, scale=1), 0.1 + 0.05 * rng.random((17, 23)).astype(np.float32)]


def fft_filter(rng):
    def run(images, kernel):
        spectrum = jnp.fft.rfft2(images) * jnp.fft.rfft2(kernel, s=images.shape[1:])
        return [jnp.fft.irfft2(spectrum, s=images.shape[1:])]

    return run, [normal(rng, 6, 12, 10, scale=1), normal(rng, 3, 3)]


def dropout(rng):
    def run(key, x, w):
        keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.75, x.shape)
        dropped = jnp.where(keep, x / 0.75, 0)
        return [dropped @ w, jnp.sum(keep.astype(jnp.int32))]

    return run, [np.array([7, 42], np.uint32), normal(rng, 14, 10, scale=1), normal(rng, 10, 6)]


PROGRAMS = [resnet_step, lstm_step, moe_step, expert_step, graph_step, decode, stencil, fft_filter, dropout]


def export(program):
    name = program.__name__
    function, arguments = program(np.random.default_rng(sum(map(ord, name))))
    function.__name__ = name
    jitted = jax.jit(function)
    text = jitted.lower(*arguments).as_text()
    text = re.sub(r" loc\([^)]*\)", "", text)
    (FOLDER / f"{name}.mlir").write_text("// Made by zoo.py.\n" + text)
    results = [np.asarray(r) for r in jitted(*arguments)]
    np.savez_compressed(FOLDER / f"{name}.in.npz", **{f"arg{i}": np.asarray(a) for i, a in enumerate(arguments)})
    np.savez_compressed(FOLDER / f"{name}.out.npz", **{f"out{i}": r for i, r in enumerate(results)})
    print(f"{name}: {len(text.splitlines())} lines, {len(arguments)} arguments, {len(results)} results")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for program in PROGRAMS:
        if len(sys.argv) == 1 or program.__name__ in sys.argv[1:]:
            export(program)
