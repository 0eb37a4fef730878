# SPDX-License-Identifier: Apache-2.0
"""Sharded programs in JAX, of every way in which JAX says how arrays are sharded: a list of (name, jitted function, arguments, exported)."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

AUTO = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
LINE = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
CUBE = jax.make_mesh((2, 2, 2), ("a", "b", "c"), axis_types=(AxisType.Auto,) * 3)
EXPLICIT = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
REVERSED = Mesh(np.array(jax.devices())[::-1].reshape(2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)

PROGRAMS = []
rng = np.random.default_rng(0)


def floats(*shape, dtype=np.float32):
    return (rng.standard_normal(shape) / 4).astype(dtype)


def ints(*shape, high=8):
    return rng.integers(0, high, shape).astype(np.int32)


def add(name, function, args, mesh=AUTO, specs=None, out=None, exported=False, donate=()):
    """Jitted with these shardings of arguments (None: nothing is said) and results."""
    options = {"keep_unused": True, "donate_argnums": donate}
    if specs is not None:
        options["in_shardings"] = tuple(None if s is None else NamedSharding(mesh, s) for s in specs)
    if out is not None:
        options["out_shardings"] = jax.tree.map(lambda s: NamedSharding(mesh, s), out, is_leaf=lambda s: isinstance(s, P))
    PROGRAMS.append((name, jax.jit(function, **options), args, exported))


def held(x, *spec, mesh=AUTO):
    return lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))


# --- shardings of arguments and results -----------------------------------------------------------------------------------------------------


def mlp(x, w1, w2):
    return jnp.tanh(x @ w1) @ w2


def loss(w1, w2, x):
    return jnp.mean((mlp(x, w1, w2) - x) ** 2)


def attention(q, k, v):
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def layer_norm(x, scale):
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale


def adam(w, m, v, g):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return w - 0.01 * m / (jnp.sqrt(v) + 1e-3), m, v


def cross_entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()


def rnn(x, w):
    return lax.scan(lambda h, xt: (jnp.tanh(xt + h @ w), h.sum(-1)), x[0], x)


def convolution(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def power_iteration(a, v):
    return lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, a @ s[1] / jnp.linalg.norm(s[1])), (0, v))[1]


X, W1, W2 = floats(16, 32), floats(32, 64), floats(64, 32)
Q = floats(4, 8, 4, 8)
for label, specs, out in [
    ("batch", (P("x"), P(), P()), P("x")),
    ("megatron", (P("x"), P(None, "y"), P("y")), P("x")),
    ("fsdp", (P(("x", "y")), P("y"), P(None, "y")), P(("x", "y"))),
    ("swapped", (P(None, ("y", "x")), P("y", "x"), P("x", "y")), P("y")),
    ("nothing", (None, P(None, "y"), None), None),
]:
    add(f"mlp_{label}", mlp, (X, W1, W2), specs=specs, out=out)
    add(f"grad_{label}", jax.grad(loss, (0, 1)), (W1, W2, X), specs=(specs[1], specs[2], specs[0]))
add("mlp_exported", mlp, (X, W1, W2), specs=(P("x"), P(None, "y"), P("y")), out=P("x"), exported=True)
add("grad_exported", jax.grad(loss, (0, 1)), (W1, W2, X), specs=(P(None, "y"), P("y"), P("x")), exported=True)
for label, spec in [("batch", P("x")), ("heads", P(None, None, "y")), ("both", P("x", None, "y")), ("sequence", P(None, "y"))]:
    add(f"attention_{label}", attention, (Q, Q + 1, Q - 1), specs=(spec,) * 3, out=spec)
add("attention_exported", attention, (Q, Q + 1, Q - 1), specs=(P("x", None, "y"),) * 3, exported=True)
add("attention_grad", jax.grad(lambda q, k, v: attention(q, k, v).sum(), (0, 1, 2)), (Q, Q + 1, Q - 1), specs=(P("x", None, "y"),) * 3)
for label, spec in [("rows", P("x")), ("columns", P(None, "y")), ("both", P("x", "y"))]:
    add(f"layer_norm_{label}", layer_norm, (X, floats(32)), specs=(spec, P()), out=spec)
    add(f"softmax_{label}", lambda x: jax.nn.softmax(x), (X,), specs=(spec,), out=spec)
    add(f"transpose_{label}", lambda x: x.T + 1, (X,), specs=(spec,), out=P("y", "x"))
    add(f"cumulative_{label}", lambda x: (jnp.cumsum(x, 0), lax.cummax(x, 1)), (X,), specs=(spec,))
    add(f"argmax_{label}", lambda x: (x.argmax(0), x.argmin(1), x.max(), (x > 0).any(1)), (X,), specs=(spec,))
    add(f"sort_{label}", lambda x: (jnp.sort(x), jnp.argsort(x, 0), lax.top_k(x, 3)), (X,), specs=(spec,))
    add(f"gather_{label}", lambda t, i: t[i], (X, ints(6, 2, high=16)), specs=(spec, P()))
    add(f"scatter_{label}", lambda t, i, u: t.at[i].add(u), (X, ints(8, high=16), floats(8, 32)), specs=(spec, P(), P()), out=spec)
    add(f"pad_slice_{label}", lambda x: (jnp.pad(x, ((1, 2), (0, 3)))[2:, ::2], x[3:11, 5:], x[::-1]), (X,), specs=(spec,))
    add(f"roll_{label}", lambda x: (jnp.roll(x, 3, 0), jnp.roll(x, -5, 1), jnp.concatenate([x, x * 2], 1)), (X,), specs=(spec,))
    add(f"reshape_{label}", lambda x: (x.reshape(4, 4, 32), x.reshape(-1), jnp.repeat(x, 2, 0)), (X,), specs=(spec,))
    add(f"dynamic_{label}", lambda x, i: (lax.dynamic_slice(x, (i, 2), (4, 8)), lax.dynamic_update_slice(x, x[:2] * 3, (i, 0))), (X, np.int32(3)), specs=(spec, None))
add("adam_donated", adam, (X, X * 0.1, X**2, floats(16, 32)), specs=(P("x", "y"),) * 4, out=(P("x", "y"),) * 3, donate=(0, 1, 2))
add("cross_entropy", jax.value_and_grad(cross_entropy), (X, ints(16, high=32)), specs=(P("x", "y"), P("x")))
add("embedding_grad", jax.grad(lambda e, i: (e[i] ** 2).sum()), (floats(24, 16), ints(8, 4, high=24)), specs=(P(None, "y"), P("x")))
add("rnn_batch", rnn, (floats(5, 8, 16), floats(16, 16)), specs=(P(None, "x"), P()))
add("rnn_hidden", rnn, (floats(5, 8, 16), floats(16, 16)), specs=(P(None, None, "y"), P(None, "y")))
add("rnn_exported", rnn, (floats(5, 8, 16), floats(16, 16)), specs=(P(None, "x"), P(None, "y")), exported=True)
add("convolution_batch", convolution, (floats(4, 8, 8, 3), floats(3, 3, 3, 8)), specs=(P("x"), P()), out=P("x"))
add("convolution_space", convolution, (floats(4, 8, 8, 3), floats(3, 3, 3, 8)), specs=(P(None, "x", "y"), P()), out=P(None, "x", "y"))
add("convolution_grad", jax.grad(lambda x, k: convolution(x, k).sum() ** 2, (0, 1)), (floats(4, 8, 8, 3), floats(3, 3, 3, 8)), specs=(P("x", None, None), P(None, None, None, "y")))
add("max_pool", lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), (floats(4, 8, 8, 4),), specs=(P("x", None, "y"),))
add("while", power_iteration, (floats(16, 16), floats(16)), specs=(P("x", "y"), P("y")))
add("cond", lambda p, x: lax.cond(p, lambda y: y * 2, lambda y: y.T @ y @ y.T, x), (np.bool_(True), floats(8, 8)), specs=(None, P("x", "y")))
add("fft", lambda x: jnp.abs(jnp.fft.fft(x)), (floats(8, 16),), specs=(P("x"),))
add("complex", lambda x: (x @ x.T.conj(), jnp.real(x), x.astype(np.complex64) * 1j), (floats(8, 16) + 1j * floats(8, 16),), specs=(P("x", "y"),))
add("random", lambda key: (jax.random.normal(key, (16, 8)), jax.random.randint(key, (8,), 0, 100)), (jax.random.PRNGKey(3),), specs=(P(),), out=(P("x", "y"), P("y")))
add("integers", lambda a, b: (a @ b, a // (b + 1), a % (b + 1), a ^ b, lax.population_count(a)), (ints(8, 8), ints(8, 8)), specs=(P("x"), P(None, "y")))
add("booleans", lambda a: (jnp.cumsum(a), a.all(1), lax.top_k(a, 2)[0], a.astype(np.float32) @ a.T), (ints(8, 8, high=2).astype(bool),), specs=(P("x", "y"),))
add("bf16", mlp, tuple(jnp.asarray(a, jnp.bfloat16) for a in (X, W1, W2)), specs=(P("x"), P(None, "y"), P("y")))
add("f16", lambda x: jax.nn.gelu(x) + x.sum(1, keepdims=True), (X.astype(np.float16),), specs=(P("x", "y"),))
add("narrow_floats", lambda x: tuple(x.astype(t).astype(np.float32) for t in (jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float4_e2m1fn)), (X * 8,), specs=(P("x", "y"),))
add("uneven", lambda x: (x + 1).sum(1), (floats(6, 8),), mesh=LINE, specs=(P(None, "d"),))
add("cube", lambda a, b: jnp.einsum("ijk,jl->ikl", a, b), (floats(4, 8, 6), floats(8, 16)), mesh=CUBE, specs=(P("a", ("c", "b")), P(("c", "b"), "a")), out=P("a", "b", "c"))
add("cube_minor", lambda a: a.reshape(8, 2, 16).sum(1), (floats(16, 16),), mesh=CUBE, specs=(P(("c", "a"), "b"),))
add("reversed", mlp, (X, W1, W2), mesh=REVERSED, specs=(P("x"), P(None, "y"), P("y")), out=P("y"))
add("reversed_exported", mlp, (X, W1, W2), mesh=REVERSED, specs=(P("x"), P(None, "y"), P("y")), out=P("y"), exported=True)

# --- constraints ---------------------------------------------------------------------------------------------------------------------------

add("constraint", lambda x, w1, w2: held(held(x @ w1, "x", "y") @ w2, "y", "x"), (X, W1, W2), specs=(P("x"), P(None, "y"), P("y")))
add("constraint_alone", lambda x: held(x, "x") * held(x, None, "y"), (X,))
add("constraint_unconstrained", lambda x: held(x * 2, P.UNCONSTRAINED, "y") + x, (X,), specs=(P("x"),))
add("constraint_scan", lambda x, w: lax.scan(lambda h, wi: (held(jnp.tanh(h @ wi), "x", "y"), None), x, w)[0], (floats(8, 16), floats(4, 16, 16)), specs=(P("x"), P(None, None, "y")))
add("remat", jax.grad(lambda x, w: jax.checkpoint(lambda h: held(jnp.sin(h @ w), "x", "y") @ w.T)(x).sum()), (X, W1), specs=(P("x"), P(None, "y")))
add("constraint_exported", lambda x, w: held(x @ w, "x", "y"), (X, W1), specs=(P("x"), P(None, "y")), exported=True)
add("two_meshes", lambda x: lax.with_sharding_constraint(held(x, "x", "y") + 1, NamedSharding(LINE, P(None, "d"))), (X,))


@jax.custom_vjp
def clipped(x):
    return held(x * 2, "x")


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (jnp.clip(g, -1, 1) * held(x, None, "y"),))
add("custom_vjp", jax.grad(lambda x: clipped(jnp.sin(x)).sum()), (X,), specs=(P("x", "y"),))
add("vmap", jax.vmap(lambda x, w: held(x @ w, "y", None), (0, None)), (floats(4, 8, 16), floats(16, 8)), specs=(P("x"), P(None, "y")))

# --- device-local code ---------------------------------------------------------------------------------------------------------------------


def local(name, function, args, specs, out, mesh=AUTO, axes=None, exported=False, check=True):
    options = {} if axes is None else {"axis_names": set(axes)}
    inner = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=out, check_vma=check, **options)
    PROGRAMS.append((name, jax.jit(inner, keep_unused=True), args, exported))


def ring(axis, x, n):
    return lax.ppermute(x, axis, [(i, (i + 1) % n) for i in range(n)])


def ring_matmul(x, w):
    """The rows of a matrix go round: every device multiplies by its block of columns."""

    def turn(i, state):
        w, made = state
        return ring("d", w, 8), made + x[:, :4] @ w * (i + 1.0)

    return lax.fori_loop(0, 8, turn, (w, lax.pcast(jnp.zeros((2, 16), np.float32), ("d",), to="varying")))[1]


def ring_attention(q, k, v):
    def turn(_, state):
        k, v, top, bottom = state
        weights = jnp.exp(q @ k.T)
        return ring("d", k, 8), ring("d", v, 8), top + weights @ v, bottom + weights.sum(-1, keepdims=True)

    zero = lambda n: lax.pcast(jnp.zeros((2, n), np.float32), ("d",), to="varying")
    _, _, top, bottom = lax.fori_loop(0, 8, turn, (k, v, zero(8), zero(1)))
    return top / bottom


V = floats(16, 8)
local("local_psum", lambda x: lax.psum(x.sum(), ("x", "y")) + x, (X,), (P("x", "y"),), P("x", "y"))
local("local_psum_exported", lambda x: lax.psum(x.sum(), ("x", "y")) + x, (X,), (P("x", "y"),), P("x", "y"), exported=True)
local("local_psum_one_axis", lambda x: lax.psum(x, "y"), (X,), (P("x", "y"),), P("x"))
local("local_pmean_pmax", lambda x: (lax.pmean(x, "x"), lax.pmax(x, "y"), lax.pmin(x, ("x", "y"))), (X,), (P("x", "y"),), (P(None, "y"), P("x"), P()))
local("local_all_gather", lambda x: lax.all_gather(x, "y", axis=1, tiled=True) * 2, (X,), (P("x", "y"),), P("x", "y"), check=False)
local("local_reduce_scatter", lambda x: lax.psum_scatter(x, "y", scatter_dimension=0, tiled=True), (X,), (P(None, "y"),), P("y"))
local("local_all_to_all", lambda x: lax.all_to_all(x, "d", 1, 0, tiled=True), (floats(16, 16),), (P("d"),), P(None, "d"), mesh=LINE)
local("local_ppermute", lambda x: ring("d", x, 8) - x, (V,), (P("d"),), P("d"), mesh=LINE)
local("local_ppermute_partial", lambda x: lax.ppermute(x, "y", [(0, 1), (1, 3)]), (X,), (P("x", "y"),), P("x", "y"))
local("local_axis_index", lambda x: x * (lax.axis_index("x") * 4 + lax.axis_index("y")), (X,), (P("x", "y"),), P("x", "y"))
local("local_matmul", lambda a, b: lax.psum(a @ b, "y"), (X, floats(32, 8)), (P("x", "y"), P("y")), P("x"))
local("local_halo", lambda x: x[1:-1] + jnp.concatenate([ring("d", x, 8)[-1:], x])[:2], (floats(32, 8),), (P("d"),), P("d"), mesh=LINE)
local("local_ring_matmul", ring_matmul, (floats(16, 8), floats(32, 16)), (P("d"), P("d")), P("d"), mesh=LINE)
local("local_ring_attention", ring_attention, (V, V + 0.1, V - 0.1), (P("d"),) * 3, P("d"), mesh=LINE)
local("local_scan", lambda x, w: lax.scan(lambda h, wi: (lax.psum(h @ wi, "y"), None), x, w)[0], (floats(8, 16), floats(3, 64, 16)), (P("x"), P(None, "y")), P("x"), check=False)
local("local_grad", jax.grad(lambda w, x: lax.pmean(((x @ w) ** 2).sum(), ("x", "y"))), (W1, X), (P(), P(("x", "y"))), P())
local("local_cond", lambda x: jnp.where(lax.axis_index("x") == 0, x, -x), (X,), (P("x"),), P("x"))
local("local_remat", lambda x: jax.grad(lambda y: jax.checkpoint(jnp.sin)(y).sum())(x), (X,), (P("x", "y"),), P("x", "y"))
local("local_replicated", lambda x, y: x + y, (X, floats(32)), (P("x"), P()), P("x"))
local("partly_elementwise", lambda x: jnp.sin(x) + 1, (X,), (P("x"),), P("x"), axes="x")
local("partly_psum", lambda x: lax.psum(x, "x"), (X,), (P("x"),), P(), axes="x")
local("partly_gather", lambda x: lax.all_gather(x, "x", tiled=True), (X,), (P("x"),), P(), axes="x", check=False)
local("partly_ppermute", lambda x: ring("y", x, 4), (X,), (P("y"),), P("y"), axes="y")
local("partly_matmul", lambda a, b: lax.psum(a @ b, "y"), (X, W1), (P(None, "y"), P("y")), P(), axes="y")
local("partly_exported", lambda a, b: lax.psum(a @ b, "y"), (X, W1), (P(None, "y"), P("y")), P(), axes="y", exported=True)


def partly_constrained(x, w):
    inner = jax.shard_map(lambda a, b: lax.psum(a @ b, "y"), mesh=AUTO, in_specs=(P(None, "y"), P("y")), out_specs=P(), axis_names={"y"})
    return held(inner(held(x, "x"), w), "x")


add("partly_constrained", partly_constrained, (X, W1), specs=(P("x"), P("y")))
add("partly_in_scan", lambda x, w: lax.scan(lambda h, wi: (partly_constrained(h, wi), None), x, w)[0], (floats(8, 16), floats(3, 16, 16)), specs=(P("x"), P(None, "y")))

# --- shardings in types --------------------------------------------------------------------------------------------------------------------


def explicit(name, function, args, specs, exported=False):
    """Arguments whose types carry their shardings."""
    sharded = tuple(jax.device_put(a, NamedSharding(EXPLICIT, s)) for a, s in zip(args, specs))
    PROGRAMS.append((name, jax.jit(function, keep_unused=True), sharded, exported))


explicit("explicit_elementwise", lambda x: jnp.sin(x) * 2, (X,), (P("x", "y"),))
explicit("explicit_matmul", lambda a, b: jnp.dot(a, b), (X, W1), (P("x"), P(None, "y")))
explicit("explicit_reduced", lambda a, b: jnp.dot(a, b, out_sharding=P("x")), (X, W1), (P("x", "y"), P("y")))
explicit("explicit_sum", lambda x: x.sum(1) + x.max(1), (X,), (P("x", "y"),))
explicit("explicit_reshard", lambda x: jax.sharding.reshard(x, P("y", "x")) + 1, (X,), (P("x", "y"),))
explicit("explicit_einsum", lambda a, b: jnp.einsum("ij,kj->ik", a, b), (X, floats(8, 32)), (P("x"), P("y")))
explicit("explicit_transpose", lambda x: x.T, (X,), (P("x", "y"),))
explicit("explicit_mlp", lambda x, a, b: jnp.dot(jnp.tanh(x @ a), b, out_sharding=P("x")), (X, W1, W2), (P("x"), P(None, "y"), P("y")))
explicit("explicit_grad", jax.grad(lambda a, x: (jnp.tanh(x @ a) ** 2).sum()), (W1, X), (P(None, "y"), P("x")))
explicit("explicit_scan", lambda x, w: lax.scan(lambda h, wi: (jnp.dot(h, wi, out_sharding=P("x")), None), x, w)[0], (floats(8, 16), floats(3, 16, 16)), (P("x"), P()))
explicit("explicit_gather", lambda t, i: t.at[i].get(out_sharding=P("x", None, "y")), (X, ints(8, 3, high=16)), (P(None, "y"), P("x")))
explicit("explicit_exported", lambda x: jax.sharding.reshard(jnp.cos(x), P(None, "y")), (X,), (P("x", "y"),), exported=True)
