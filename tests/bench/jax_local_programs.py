# SPDX-License-Identifier: Apache-2.0
"""Device-local code (shard_map) and rolls as today's JAX prints them, among the programs of jax_programs.py: what moves is the author's own collectives."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from jax_programs import on, program, shape


def ring(n):
    return [(i, (i + 1) % n) for i in range(n)]


def local(mesh, function, in_specs, out_specs, arguments, manual=None):
    """A jitted shard_map, over all axes or some, with arguments and results where it wants them."""
    mapped = jax.shard_map(function, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=manual or set(mesh.axis_names), check_vma=False)
    return jax.jit(mapped, in_shardings=on(mesh, in_specs), out_shardings=on(mesh, out_specs)), arguments


# --- Attention over a sequence that is cut: keys and values go round, or sequence tiles become head tiles ---------------

HEADS = (shape(2, 64, 8, 16),) * 3  # batch, sequence, heads, features


def ring_attention(q, k, v, n):
    """Each device keeps its queries, and of their softmax so far the maximum, the sum and the result."""

    def turn(_, carried):
        k, v, top, total, out = carried
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        higher = jnp.maximum(top, scores.max(-1))
        weights, scale = jnp.exp(scores - higher[..., None]), jnp.exp(top - higher)
        out = out * scale[..., None] + jnp.einsum("bhqk,bkhd->bhqd", weights, v)
        k, v = lax.ppermute((k, v), "x", ring(n))
        return k, v, higher, total * scale + weights.sum(-1), out

    b, s, h, d = q.shape
    start = k, v, jnp.full((b, h, s), -jnp.inf), jnp.zeros((b, h, s)), jnp.zeros((b, h, s, d))
    _, _, _, total, out = lax.fori_loop(0, n, turn, start)
    return jnp.transpose(out / total[..., None], (0, 2, 1, 3))


@program(x=8)
def ring_attention_alone(mesh):
    return local(mesh, partial(ring_attention, n=8), (P(None, "x"),) * 3, P(None, "x"), HEADS)


@program(x=4, y=2)
def ring_attention_and_batch(mesh):
    return local(mesh, partial(ring_attention, n=4), (P("y", "x"),) * 3, P("y", "x"), HEADS)


@program(x=4, y=2)
def ring_attention_partly_manual(mesh):
    return local(mesh, partial(ring_attention, n=4), (P(None, "x"),) * 3, P(None, "x"), HEADS, {"x"})


def ulysses(q, k, v):
    exchange = partial(lax.all_to_all, axis_name="x", tiled=True)
    q, k, v = (exchange(x, split_axis=2, concat_axis=1) for x in (q, k, v))
    weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5)
    return exchange(jnp.einsum("bhqk,bkhd->bqhd", weights, v), split_axis=1, concat_axis=2)


@program(x=8)
def ulysses_attention(mesh):
    return local(mesh, ulysses, (P(None, "x"),) * 3, P(None, "x"), HEADS)


# --- A pipeline: stage i works on a micro-batch when stage i - 1 has -----------------------------------------------------


def pipeline(x, w, n):
    stage = lax.axis_index("x")

    def step(t, carried):
        at_hand, done = carried
        given = jnp.where(stage == 0, x[jnp.minimum(t, x.shape[0] - 1)], at_hand)
        made = jnp.tanh(given @ w[0])
        done = jnp.where(stage == n - 1, done.at[jnp.maximum(t - n + 1, 0)].set(made), done)
        return lax.ppermute(made, "x", ring(n)), done

    _, done = lax.fori_loop(0, x.shape[0] + n - 1, step, (jnp.zeros(x.shape[1:]), jnp.zeros(x.shape)))
    return lax.psum(jnp.where(stage == n - 1, done, 0.0), "x")


@program(x=8)
def pipeline_by_ppermute(mesh):
    return local(mesh, partial(pipeline, n=8), (P(), P("x")), P(), (shape(6, 4, 16), shape(8, 16, 16)))


@program(x=4, y=2)
def pipeline_partly_manual(mesh):
    return local(mesh, partial(pipeline, n=4), (P(), P("x")), P(), (shape(6, 4, 16), shape(4, 16, 16)), {"x"})


# --- A stencil of three points over rows, ten times; beyond the ends there are zeros ------------------------------------


def stencil(x, n):
    def step(_, x):
        above = lax.ppermute(x[-1:], "x", ring(n)[:-1])
        below = lax.ppermute(x[:1], "x", [(i, j) for j, i in ring(n)[:-1]])
        wide = jnp.concatenate([above, x, below])
        return 0.25 * wide[:-2] + 0.5 * wide[1:-1] + 0.25 * wide[2:]

    return lax.fori_loop(0, 10, step, x)


@program(x=8)
def halos_by_ppermute(mesh):
    return local(mesh, partial(stencil, n=8), (P("x"),), P("x"), (shape(64, 32),))


@program(x=4, y=2)
def halos_partly_manual(mesh):
    return local(mesh, partial(stencil, n=4), (P("x"),), P("x"), (shape(64, 32),), {"x"})


# --- Rolls of what is tiled: by tiles, as pipelines that are annotated do, and by less -----------------------------------


def rolled(mesh, shift, spec, rows):
    place = NamedSharding(mesh, spec)
    roll = jax.jit(lambda x: lax.fori_loop(0, 3, lambda _, x: jnp.tanh(jnp.roll(x, shift, 0)), x), in_shardings=place, out_shardings=place)
    return roll, (shape(rows, 32),)


@program(x=8)
def roll_by_tiles(mesh):
    return rolled(mesh, 1, P("x"), 8)


@program(x=8)
def roll_by_rows(mesh):
    return rolled(mesh, 1, P("x"), 64)


@program(x=4, y=2)
def roll_on_a_grid(mesh):
    return rolled(mesh, 2, P("x", "y"), 8)
