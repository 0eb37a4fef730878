# SPDX-License-Identifier: Apache-2.0
"""Callbacks into Python and foreign functions on the PJRT plug-in: each program gives the numbers of jaxlib's CPU client, and makes the same calls
with the same arrays. Foreign functions are foreign_functions.cc, compiled against the headers that jaxlib brings, where there is a compiler.
Usage: jax_callbacks.py LIBRARY [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import ctypes
import os
import pickle
import shutil
import subprocess
import sys
import tempfile

import jax_lane  # noqa: F401, which starts the python that has jax

import numpy as np
from jax_compare import attempt, in_process, report
from jax_package import jax_plugin

import jax
import jax.numpy as jnp
from jax.experimental import io_callback
from jax.sharding import NamedSharding, PartitionSpec as P

PLATFORM = sys.argv[3] if sys.argv[1] == "--run" else "cpu"
PROGRAMS = {}
CALLS = []


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def line():
    return jax.make_mesh((8,), ("x",))


def spread(*shape):
    return jax.device_put(jnp.arange(float(np.prod(shape)), dtype=jnp.float32).reshape(shape), NamedSharding(line(), P("x")))


def noted(*arrays):
    CALLS.append([np.array(a) for a in arrays])


def sine(a):
    noted(a)
    return np.sin(np.asarray(a))


def called(x, function=sine, **options):
    return jax.pure_callback(function, jax.ShapeDtypeStruct(x.shape, x.dtype), x, **options)


@program
def pure_on_one_device():
    return jax.jit(lambda x: called(x) * 2)(jnp.arange(4.0))


@program
def pure_on_all_devices():
    return jax.jit(lambda x: called(x) * 2)(spread(16, 3))


@program
def pure_in_device_local_code():
    return jax.jit(jax.shard_map(lambda x: called(x) * 2, mesh=line(), in_specs=P("x"), out_specs=P("x")))(spread(16, 3))


@program
def pure_on_two_axes():
    mesh = jax.make_mesh((2, 4), ("a", "b"))
    x = jax.device_put(jnp.arange(64.0).reshape(8, 8), NamedSharding(mesh, P("a", "b")))
    inside = jax.shard_map(lambda x: called(x) + jax.lax.psum(x, "b"), mesh=mesh, in_specs=P("a", "b"), out_specs=P("a", "b"))
    return jax.jit(inside)(x)


@program
def several_results_and_types():
    shapes = (jax.ShapeDtypeStruct((2, 3), jnp.bfloat16), jax.ShapeDtypeStruct((), jnp.int32), jax.ShapeDtypeStruct((4,), jnp.bool_))
    made = jax.jit(lambda x, k: jax.pure_callback(lambda x, k: (np.asarray(x) * 2, np.int32(k) + 1, np.arange(4) > np.int32(k)), shapes, x, k))
    return made(jnp.arange(6, dtype=jnp.bfloat16).reshape(2, 3), jnp.int32(1))


@program
def empty_arrays():
    return jax.jit(called)(jnp.zeros((0, 3)))


@program
def mapped():
    x = jnp.arange(6.0).reshape(2, 3)
    return [jax.jit(jax.vmap(lambda x, how=how: called(x, vmap_method=how)))(x) for how in ("sequential", "broadcast_all", "expand_dims")]


@program
def in_loops_and_branches():
    def body(carry, x):
        jax.debug.callback(noted, carry, x)
        return carry + x, jax.lax.cond(x > 1, called, lambda x: x - 1, x)

    return jax.jit(lambda x: jax.lax.scan(body, 0.0, x))(jnp.arange(4.0))


@program
def for_effect_on_all_devices():
    return jax.jit(lambda x: (jax.debug.callback(noted, x), x * 2)[1])(spread(16))


@program
def for_effect_in_device_local_code():
    def each(x):
        jax.debug.callback(noted, jax.lax.axis_index("x"), x)
        return x * 2

    return jax.jit(jax.shard_map(each, mesh=line(), in_specs=P("x"), out_specs=P("x")))(spread(16))


@program
def for_effect_of_each_part():
    return jax.jit(lambda x: (jax.debug.callback(noted, x, partitioned=True), x * 2)[1])(spread(16, 3))


@program
def printed():
    return jax.jit(lambda x: (jax.debug.print("x is {x}", x=x), x * 2)[1])(spread(16))


@program
def of_a_gradient():
    return jax.jit(jax.grad(lambda x: (jax.debug.callback(noted, x), (x * x).sum())[1]))(jnp.arange(4.0))


@program
def with_an_effect_and_a_result():
    state = [0]

    def count(a):
        state[0] += 1
        return np.asarray(a) + np.float32(state[0])

    made = jax.jit(lambda x: io_callback(count, jax.ShapeDtypeStruct(x.shape, x.dtype), x))
    return [made(jnp.arange(3.0)), made(spread(8))]


@program
def in_order():
    def several(x):
        for k in range(5):
            x = x + 1
            io_callback(noted, None, x, ordered=True)
            jax.debug.callback(noted, -x, ordered=True)
        return x

    made = jax.jit(several)
    return made(made(jnp.arange(3.0)))


@program
def in_order_in_device_local_code():
    def each(x, y):
        io_callback(noted, (), x, ordered=True)
        return x + y[..., None]

    made = jax.jit(jax.shard_map(each, mesh=line(), in_specs=(P(None, "x"), P(None)), out_specs=P(None, "x")))
    x = jax.device_put(jnp.arange(32.0).reshape(2, 16), NamedSharding(line(), P(None, "x")))
    return made(x, jax.device_put(jnp.ones(2), NamedSharding(line(), P(None))))


@program
def keeps_what_it_gets():
    kept = []
    for k in range(20):
        jax.block_until_ready(jax.jit(lambda x: (jax.debug.callback(lambda a: kept.append(a), x), x * 3)[1])(jnp.full((1000,), float(k))))
    jax.effects_barrier()
    return kept


@program
def runs_another_program():
    inner = jax.jit(lambda y: y * 3 + 1)
    device = jax.devices()[1]

    def function(a):
        return np.asarray(inner(jax.device_put(np.asarray(a), device)))

    x = jnp.ones((200, 200)) / 200
    return jax.jit(lambda x: called(jax.lax.fori_loop(0, 50, lambda _, x: x @ x, x), function) @ x)(x)


@program
def of_several_threads():
    import threading

    made = jax.jit(lambda x: called(x, lambda a: np.asarray(a) * 2) + 1)
    results = [None] * 4

    def work(k):
        x = jnp.full((64,), float(k))
        for _ in range(20):
            x = made(x) / 2
        results[k] = x

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def failure(function, *words):
    try:
        jax.block_until_ready(function())
        jax.effects_barrier()
    except Exception as error:
        missing = [word for word in words if word not in str(error)]
        return None if not missing else f"{missing} not in {error}"
    return "nothing failed"


@program
def what_fails():
    def wrong(a):
        raise ValueError("my own fault")

    wrongs = [
        failure(lambda: jax.jit(lambda x: called(x, wrong))(jnp.arange(3.0)), "my own fault"),
        failure(lambda: jax.jit(lambda x: called(x, lambda a: np.zeros(5, np.float32)))(jnp.arange(3.0)), "(3,)", "(5,)"),
        failure(lambda: jax.jit(lambda x: called(x, lambda a: np.zeros(3, np.int32)))(jnp.arange(3.0)), "float32", "int32"),
    ]
    assert not any(wrongs), wrongs
    return jax.jit(called)(jnp.arange(3.0))  # and the process goes on


def add_foreign(folder):
    """Programs of foreign functions."""
    library = os.path.join(folder, "libforeign_functions.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "foreign_functions.cc")
    subprocess.run(["c++", "-std=c++17", "-O1", "-w", "-shared", "-fPIC", f"-I{jax.ffi.include_dir()}", source, "-o", library], check=True)
    functions = ctypes.CDLL(library)
    jax.ffi.register_ffi_target("rms", jax.ffi.pycapsule(functions.Rms), platform=PLATFORM)
    jax.ffi.register_ffi_target("later", {"execute": jax.ffi.pycapsule(functions.Later)}, platform=PLATFORM)

    def rms(x, n=-3):
        call = jax.ffi.ffi_call("rms", jax.ShapeDtypeStruct(x.shape, x.dtype), vmap_method="broadcast_all")
        return call(x, epsilon=np.float32(1e-5), n=n, flag=True, text='a, "b" {c}', list=np.array([1, 2, -7], np.int32), none=np.array([], np.int64),
                    reals=np.array([1.5, 2.25], np.float32), same=np.array([0.1] * 3), byte=np.uint8(200), large=np.uint64(2**63 - 1))  # fmt: skip

    def later(x, fails=False):
        return jax.ffi.ffi_call("later", jax.ShapeDtypeStruct(x.shape, x.dtype))(x, fails=fails)

    @program
    def foreign_on_one_device():
        return [jax.jit(rms)(jnp.arange(24.0).reshape(8, 3)), jax.jit(rms)(jnp.zeros((0, 3))), jax.jit(later)(jnp.arange(4.0))]

    @program
    def foreign_on_all_devices():
        return [jax.jit(rms)(spread(8, 3)), jax.jit(jax.vmap(rms))(spread(8, 2, 3))]

    @program
    def foreign_in_device_local_code():
        return jax.jit(jax.shard_map(rms, mesh=line(), in_specs=P("x"), out_specs=P("x"), check_vma=False))(spread(16, 3))

    @program
    def foreign_that_fails():
        nested = jax.ffi.ffi_call("later", jax.ShapeDtypeStruct((3,), jnp.float32))
        wrongs = [
            failure(lambda: jax.jit(lambda x: rms(x, 4))(jnp.ones((2, 3))), "INVALID_ARGUMENT", "an attribute is another one"),
            failure(lambda: jax.jit(lambda x: later(x, True))(jnp.arange(3.0)), "it went wrong later"),
        ]
        if PLATFORM == "tilewright":
            wrongs.append(failure(lambda: jax.jit(lambda x: nested(x, fails=False, d={"a": 1}))(jnp.arange(3.0)), "UNIMPLEMENTED", "attribute d"))
            wrongs.append(failure(lambda: jax.ffi.register_ffi_target("later", jax.ffi.pycapsule(functions.Rms), platform=PLATFORM), "another handler"))
        assert not any(wrongs), wrongs
        return jax.jit(later)(jnp.arange(3.0))


def with_calls(name, function):
    """The arrays that a program makes, and behind them those of its calls; devices call in any order."""
    arrays = [np.asarray(a) for a in jax.tree.leaves(function())]
    jax.effects_barrier()
    calls = CALLS if name == "in_order" else sorted(CALLS, key=lambda call: [(a.shape, a.tolist()) for a in call])
    return arrays + [a for call in calls for a in call]


def run_all(file, names):
    if PLATFORM != "cpu":
        jax.config.update("jax_platforms", f"{PLATFORM},cpu")
        jax_plugin.initialize()
    assert jax.devices()[0].platform == PLATFORM, jax.devices()
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("c++"):
            add_foreign(folder)
        else:
            print("without c++: foreign functions are not tried")
        for name, function in PROGRAMS.items():
            if names and name not in names:
                continue
            CALLS.clear()
            made[name] = attempt(lambda: with_calls(name, function))
    with open(file, "wb") as out:
        pickle.dump(made, out)


def main(library, names):
    expected, theirs = in_process(__file__, ["cpu", *names], {})
    made, ours = in_process(__file__, ["tilewright", *names], {"TW_PJRT_DEVICES": "8", "TW_PJRT_LIBRARY": os.path.abspath(library)})
    if ours != theirs:
        sys.exit(f"printed {ours!r}, expected {theirs!r}")
    report([(name, made[name], arrays) for name, arrays in expected.items()])


if sys.argv[1] == "--run":
    run_all(sys.argv[2], sys.argv[4:])
else:
    main(sys.argv[1], sys.argv[2:])
