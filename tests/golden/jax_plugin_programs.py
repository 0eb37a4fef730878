# SPDX-License-Identifier: Apache-2.0
"""What a user of JAX does, a function each, that answers arrays: transfers, dispatch op by op, donation, pmap, control flow, threads. Failures that
a program must end in are checked where they are."""

import threading
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
LINE = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
PROGRAMS = {}
rng = np.random.default_rng(1)
X = (rng.standard_normal((8, 16)) / 4).astype(np.float32)
W = (rng.standard_normal((16, 16)) / 4).astype(np.float32)


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def sharded(x, *spec, mesh=MESH):
    return jax.device_put(x, NamedSharding(mesh, P(*spec)))


@program
def op_by_op():
    x = jnp.asarray(X)
    return x + 1, x[1:3, ::2], x.T @ x, jnp.sort(x, axis=1), jnp.where(x > 0, x, -x), x.at[2].set(0.0), jnp.cumsum(x, 0)


@program
def transfers():
    return [jnp.asarray(a) for a in (X[::-1], X.T, X[:, 1::3], X[:0], X[3, 4], np.float32(2), X.astype(np.float64) > 0, np.asfortranarray(W))]


@program
def element_types():
    values = np.array([0, 1, 2, 3, 5, 7])
    narrow = [np.array([1, -2, -3, 4, -8, 7], np.int8).astype("int4"), np.array([1, 14, 15, 0, 8], np.uint8).astype("uint4")]
    made = [jnp.asarray(a).astype(jnp.int8) for a in narrow] + [np.asarray(jnp.asarray(a)).astype(np.int8) for a in narrow]
    for name in ("int4", "uint4", "int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "bfloat16", "float32", "complex64", "bool", "float8_e4m3fn", "float8_e5m2"):
        x = jnp.asarray(values.astype(name))
        made += [x.astype(jnp.float32) if x.dtype != jnp.complex64 else x, (x == x[::-1]).astype(np.int32)]
    return made


@program
def large_arrays():
    x = np.arange(1 << 18, dtype=np.float32).reshape(512, 512) / 1e5
    y = jax.device_put(x)
    return jax.jit(lambda a: (a * 2, a.sum(1)))(y), np.asarray(y), sharded(x, "x", "y") + 1


@program
def views_outlive_arrays():
    x = jnp.asarray(X) * 3
    view = np.asarray(x)
    x.delete()
    return view + 1


@program
def across_devices():
    devices = jax.devices()
    x = jax.device_put(X, devices[3])
    y = jax.device_put(x, devices[5]) * 2
    assert y.devices() == {devices[5]} and x.devices() == {devices[3]}
    z = jax.device_put(sharded(X, "x"), NamedSharding(MESH, P(None, "y")))
    return y, z, jax.device_put(z, SingleDeviceSharding(devices[1]))


@program
def stated_shardings():
    f = jax.jit(lambda a, b: a @ b, in_shardings=(NamedSharding(MESH, P("x")), NamedSharding(MESH, P(None, "y"))), out_shardings=NamedSharding(MESH, P("x", "y")))
    made = f(X, W)
    assert made.sharding.is_equivalent_to(NamedSharding(MESH, P("x", "y")), 2), made.sharding
    assert [s.data.shape for s in made.addressable_shards] == [(4, 4)] * 8
    return made


@program
def unstated_shardings():
    made = jax.jit(lambda a: (a * 2, a.T, a.sum(), a[:3] + 1, jnp.concatenate([a, a[:1]])))(sharded(X, "x", "y"))
    assert made[0].sharding.is_equivalent_to(NamedSharding(MESH, P("x", "y")), 2), made[0].sharding
    assert made[1].sharding.is_equivalent_to(NamedSharding(MESH, P("y", "x")), 2), made[1].sharding
    return made, made[3] * 2


@program
def reversed_mesh():
    mesh = jax.sharding.Mesh(np.array(jax.devices())[::-1].reshape(4, 2), ("a", "b"))
    x = sharded(X, "a", mesh=mesh)
    made = jax.jit(lambda a: a * jnp.arange(8.0)[:, None])(x)
    assert [s.device.id for s in made.addressable_shards if s.index[0].start in (0, None)] == [7, 6]
    return made, jax.shard_map(lambda a: a + lax.axis_index("a"), mesh=mesh, in_specs=P("a"), out_specs=P("a"))(x)


@program
def devices_in_other_orders():
    """An argument over one order of devices, a result over another that no axes of the first mesh have."""
    back = jax.sharding.Mesh(np.array(jax.devices())[[3, 2, 1, 0, 7, 4, 5, 6]].reshape(2, 4), ("x", "y"))
    moved = jax.device_put(sharded(X, "x", "y"), NamedSharding(back, P("y")))
    assert moved.sharding.is_equivalent_to(NamedSharding(back, P("y")), 2), moved.sharding
    return moved, jax.jit(lambda a: a + 1, out_shardings=NamedSharding(back, P(None, "x")))(moved)


@program
def unreduced_arrays():
    """What one function leaves partial the next one adds up; the code of a device takes and gives addends."""
    mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
    with jax.set_mesh(mesh):
        a, w = jax.device_put(X, P("x", "y")), jax.device_put(W, P("y", None))
        part = jax.jit(lambda a, w: jnp.einsum("ij,jk->ik", a, w, out_sharding=P("x", None, unreduced={"y"})))(a, w)
        assert part.sharding.spec == P("x", None, unreduced={"y"}), part.sharding
        whole = jax.jit(lambda p: jax.sharding.reshard(p, P("x", None)))(part)
        total = jax.shard_map(lambda p: lax.psum(p, "x"), in_specs=P("x", "y"), out_specs=P(None, "y"))(a)
        gradient = jax.jit(jax.grad(lambda w, a: jnp.tanh(a @ w).sum()))(jax.device_put(W, P()), jax.device_put(X, P("x")))
    return whole, total, gradient


@program
def few_devices():
    mesh = jax.sharding.Mesh(np.array(jax.devices())[[5, 2]], ("m",))
    return jax.jit(lambda a: lax.with_sharding_constraint(a @ W, NamedSharding(mesh, P(None, "m"))))(sharded(X, "m", mesh=mesh))


@program
def pmap():
    x = X[:, :4]
    return jax.pmap(lambda a: lax.psum(a, "i") + a, axis_name="i")(x), jax.pmap(lambda a: lax.ppermute(a, "i", [(i, (i + 1) % 8) for i in range(8)]), axis_name="i")(x)


@program
def gradients():
    def loss(w, x):
        return jnp.mean(jnp.tanh(x @ w) ** 2)

    return jax.value_and_grad(loss)(W, X), jax.jit(jax.hessian(lambda v: jnp.sum(jnp.sin(v) ** 2)))(X[0]), jax.vmap(jax.grad(loss), (None, 0))(W, X)


@program
def control_flow():
    def turn(carry, x):
        key, total = carry
        key, sub = jax.random.split(key)
        return (key, total + x * jax.random.uniform(sub)), total.sum()

    scanned = lax.scan(turn, (jax.random.key(3), jnp.zeros(16)), X)
    return (jax.random.key_data(scanned[0][0]), scanned[0][1], scanned[1], lax.while_loop(lambda s: s[0] < 7, lambda s: (s[0] + 1, s[1] * 1.5), (0, X[0])),
            lax.cond(X[0, 0] > 0, jnp.sin, jnp.cos, X[1]), lax.fori_loop(0, 5, lambda i, a: a + i, X[2]))


@program
def nearest_neighbours():
    x = sharded(jnp.sin(jnp.arange(8 * 40.0)).reshape(8, 40), "x")
    return [jax.jit(lambda x: jax.lax.approx_max_k(x, 3))(x), jax.jit(lambda x: jax.lax.approx_min_k(x, 2, reduction_dimension=0))(x)]


@program
def random_numbers():
    keys = [jax.random.key(7, impl=name) for name in ("threefry2x32", "rbg")]
    return [f(key) for key in keys[:1] for f in (jax.random.normal, jax.random.uniform, lambda k: jax.random.permutation(k, 20), lambda k: jax.random.categorical(k, X))]


@program
def donation():
    step = jax.jit(lambda w, x: (w - 0.1 * x.T @ (x @ w), x.sum()), donate_argnums=0)
    w = jnp.asarray(W)
    for _ in range(5):
        w, total = step(w, X)
    held = jax.jit(lambda a: a + 1, donate_argnums=0)(sharded(W, "x", "y"))
    kept = jnp.asarray(W)
    view = np.asarray(kept)
    return w, total, held, jax.jit(lambda a: a * 2, donate_argnums=0)(kept), view


@program
def several_threads():
    """Without collectives: runs with them, begun by several threads, wait for each other for ever on jaxlib's client."""

    f, made = jax.jit(lambda a, i: jnp.tanh(a @ W) * i), [None] * 8
    g = jax.jit(lambda a: a * 2, in_shardings=NamedSharding(LINE, P("d")))

    def work(i):
        x = X * (i + 1)
        for _ in range(20):
            made[i] = (f(x, i), g(x))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(made))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return made


@program
def long_chains():
    """Runs that are handed over faster than they end."""
    step = jax.jit(lambda a: jnp.tanh(a @ a) + 0.01)
    a = jnp.full((256, 256), 0.001)
    for _ in range(30):
        a = step(a)
    return a, a.sum()


@program
def sharded_training():
    shardings = {"w1": NamedSharding(MESH, P(None, "y")), "w2": NamedSharding(MESH, P("y", None))}
    params = {name: jax.device_put(W * s, shardings[name]) for name, s in (("w1", 1), ("w2", -1))}

    @partial(jax.jit, donate_argnums=0)
    def step(params, x):
        value, grads = jax.value_and_grad(lambda p: jnp.mean((jnp.tanh(x @ p["w1"]) @ p["w2"] - x) ** 2))(params)
        return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), value

    x, values = sharded(X, "x"), []
    for _ in range(4):
        params, value = step(params, x)
        values.append(value)
    return params, values


@program
def shard_map_collectives():
    def body(a):
        gathered = lax.all_gather(a, "y", axis=1, tiled=True)
        return lax.psum(a, "x"), lax.psum_scatter(gathered, "y", scatter_dimension=1, tiled=True), lax.all_to_all(gathered, "y", 1, 0, tiled=True), lax.pmax(a, ("x", "y"))

    return jax.jit(jax.shard_map(body, mesh=MESH, in_specs=P("x", "y"), out_specs=(P(None, "y"), P("x", "y"), P(("x", "y")), P()), check_vma=False))(X)


@program
def ahead_of_time():
    compiled = jax.jit(lambda a, b: (a @ b, a.sum())).lower(X, W).compile()
    assert compiled.memory_analysis().argument_size_in_bytes == X.nbytes + W.nbytes
    assert "HloModule" in compiled.as_text()
    flops = compiled.cost_analysis()["flops"]
    assert 2 * X.size * W.shape[1] <= flops <= 2.2 * X.size * W.shape[1], flops
    return compiled(X, W)


@program
def policy_of_a_function():
    if jax.devices()[0].platform == "tilewright":
        refused = jax.jit(lambda a: a + 1, compiler_options={"police": "cheapest"})
        try:
            refused(X)
        except jax.errors.JaxRuntimeError as error:
            assert "No such compile option: 'police'" in str(error), error
        else:
            raise AssertionError("an unknown option was accepted")
        step = jax.jit(lambda a, w: jnp.tanh(a @ w) @ w.T, compiler_options={"policy": "cheapest"})
    else:
        step = jax.jit(lambda a, w: jnp.tanh(a @ w) @ w.T)
    return step(sharded(X, "x", "y"), sharded(W, "y"))


@program
def policy_of_a_search():
    """What is stated holds; how the weights lie is found, and JAX is told."""
    options = {"policy": "search on a100-80g"} if jax.devices()[0].platform == "tilewright" else {}
    step = jax.jit(lambda a, w, v: jnp.tanh(a @ w) @ v, compiler_options=options, out_shardings=NamedSharding(MESH, P("x")))
    a, w, v = (np.random.default_rng(0).standard_normal(dims).astype(np.float32) / 8 for dims in ((256, 512), (512, 2048), (2048, 512)))
    compiled = step.lower(sharded(a, "x"), w, v).compile()
    if options:
        _, of_w, of_v = compiled.input_shardings[0]
        assert "y" in str(of_w.spec) and "y" in str(of_v.spec), (of_w, of_v)
        wrong = jax.jit(lambda a: a + 1, compiler_options={"policy": "search on nothing"})
        try:
            wrong(sharded(X, "x"))
        except jax.errors.JaxRuntimeError as error:
            assert "nothing" in str(error), error
        else:
            raise AssertionError("an unknown system was accepted")
    return step(sharded(a, "x"), w, v)


@program
def kinds_of_memory():
    on_host, on_device = (NamedSharding(MESH, P("x"), memory_kind=kind) for kind in ("pinned_host", "device"))
    host = jax.device_put(X, on_host)
    made = jax.jit(lambda a: a * 2, out_shardings=on_host)(jax.device_put(host, on_device))
    assert host.sharding.memory_kind == made.sharding.memory_kind == "pinned_host", made.sharding
    return host, made


@program
def what_is_refused():
    """An op that this platform lacks, a wrong argument, and a failure in a run: errors, and the process goes on."""
    for function, code, word in (
        (lambda: jax.jit(lambda a: jax.ffi.ffi_call("no_such_target", jax.ShapeDtypeStruct(a.shape, a.dtype))(a))(X), "UNIMPLEMENTED", "no_such_target"),
        (lambda: jax.jit(lambda a: a + 1).lower(X).compile().runtime_executable().execute([]), "INVALID_ARGUMENT", "argument"),
    ):
        if jax.devices()[0].platform != "tilewright":
            continue
        try:
            function()
        except jax.errors.JaxRuntimeError as error:
            assert code in str(error) and word in str(error), error
        else:
            raise AssertionError(f"{word} was accepted")
    deleted = jnp.asarray(X)
    deleted.delete()
    try:
        jax.jit(lambda a: a + 1)(deleted)
    except RuntimeError as error:
        assert "deleted" in str(error), error
    else:
        raise AssertionError("a deleted array was accepted")
    return jnp.asarray(X) + 1
