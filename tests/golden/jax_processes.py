# SPDX-License-Identifier: Apache-2.0
"""JAX in two processes on the PJRT plug-in, 4 devices each: the programs of jax_sharded.py, and those here, give the numbers that one process with 8
devices gives. Then one of two processes goes away, and the other is told.
Usage: jax_processes.py LIBRARY [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import contextlib
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
import traceback

PROCESSES, DEVICES = 2, 8


def own_programs():
    """Functions that answer arrays; `jax.process_count()` says in how many processes they run."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.experimental import multihost_utils
    from jax.sharding import AxisType, Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    devices = jax.devices()
    mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
    several = jax.process_count() > 1
    x = np.arange(128, dtype=np.float32).reshape(8, 16) / 100

    def from_all(array, *spec, on=mesh):
        return jax.make_array_from_callback(array.shape, NamedSharding(on, P(*spec)), lambda index: array[index])

    def who_is_who():
        assert len(devices) == DEVICES and [d.id for d in devices] == list(range(DEVICES))
        if several:
            own = range(4 * jax.process_index(), 4 * jax.process_index() + 4)
            assert jax.process_count() == PROCESSES and [d.id for d in jax.local_devices()] == list(own)
            assert [d.process_index for d in devices] == [0] * 4 + [1] * 4
            assert [d.local_hardware_id for d in jax.local_devices()] == [0, 1, 2, 3]
            assert jax.devices()[0].client.process_index() == jax.process_index()
        return []

    def process_local_data():
        part = x[4 * jax.process_index() : 4 * jax.process_index() + 4] if several else x
        array = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x", "y")), part, x.shape)
        return jax.jit(lambda a: (a * 2, a.sum(0), a @ a.T))(array)

    def single_device_arrays():
        sharding = NamedSharding(mesh, P("y", "x"))
        pieces = [jax.device_put(x[index], d) for d, index in sharding.addressable_devices_indices_map(x.shape).items()]
        return jax.jit(jnp.sin)(jax.make_array_from_single_device_arrays(x.shape, sharding, pieces))

    def training():
        """Parameters are donated, and the run before is not waited for."""
        params = {"a": from_all(x.T @ x, None, "y"), "b": from_all(x.T, "y", None)}
        data = from_all(np.sin(x), "x", None)

        def loss(p, batch):
            return jnp.mean((jnp.tanh(batch @ p["a"]) @ p["b"] - batch[:, :8]) ** 2)

        @jax.jit(donate_argnums=0)
        def step(p, batch):
            value, grads = jax.value_and_grad(loss)(p, batch)
            return jax.tree.map(lambda w, g: w - 0.1 * g, p, grads), value

        values = []
        for _ in range(20):
            params, value = step(params, data)
            values.append(value)
        return params, values

    def own_devices_alone():
        """What only one process runs waits for nobody."""
        made = x
        if not several or jax.process_index() == 1:
            own = Mesh(np.array(devices[4:]).reshape(2, 2), ("x", "y"))
            made = np.asarray(jax.jit(lambda a: a @ a.T, out_shardings=NamedSharding(own, P()))(jax.device_put(x, NamedSharding(own, P("x", "y")))))
            assert np.allclose(made, x @ x.T, atol=1e-5)
            assert np.allclose(np.asarray(jnp.cumsum(jnp.asarray(x), 1)), np.cumsum(x, 1), atol=1e-5)
        return []

    def some_devices_of_each():
        part = Mesh(np.array(devices[2:6]), ("d",))
        back = Mesh(np.array(devices[5:1:-1]), ("d",))
        return [jax.jit(lambda a: (a.sum(0), a * 3), out_shardings=(NamedSharding(m, P()), NamedSharding(m, P(None, "d"))))(from_all(x, "d", on=m)) for m in (part, back)]

    def between_processes():
        if not several:
            return [x[None].repeat(2, 0) + np.arange(2, dtype=np.float32)[:, None, None], x + 1]
        multihost_utils.sync_global_devices("here")
        gathered = multihost_utils.process_allgather(x + jax.process_index())
        told = multihost_utils.broadcast_one_to_all(x + 1 if jax.process_index() == 0 else x * 0)
        return [gathered, told]

    def resharded():
        a = from_all(x, "x", "y")
        return [jax.jit(lambda v: v + 0, out_shardings=NamedSharding(mesh, spec))(a) for spec in (P("y", "x"), P(), P(("x", "y")), P(None, "x"))]

    def large_arrays():
        a = from_all(np.sin(np.arange(1 << 20, dtype=np.float32)).reshape(1024, 1024), "x", "y")
        return jax.jit(lambda v: (v @ v, v.T, v.sum()), out_shardings=tuple(NamedSharding(mesh, s) for s in (P("y", "x"), P("x", "y"), P())))(a)

    def many_programs():
        """More than are kept."""
        a = from_all(x, "x", "y")
        for i in range(300):
            a = jax.jit(lambda v: v + v.sum() * (i - 150) / 1e6, out_shardings=a.sharding)(a)
        return a

    def large_constants():
        """Programs that only differ in what they hold."""
        a = from_all(x, "x", "y")
        return [jax.jit(lambda v, c=c: v + c, out_shardings=a.sharding)(a) for c in (np.cos(x), np.cos(x) + np.eye(8, 16, dtype=np.float32))]

    def one_has_compiled_it():
        """A process may compile, or let go, what others do not."""
        function = jax.jit(lambda v: (v * 5).sum(1), out_shardings=NamedSharding(mesh, P()))
        a = from_all(x, "x", "y")
        made = [function(a)]
        if jax.process_index() == 1:
            jax.clear_caches()
            function.lower(a).compile()
        return [*made, function(a)]

    def refusals():
        if several:
            mixed = Mesh(np.array([devices[i] for i in (0, 4, 1, 5)]), ("d",))
            try:
                jax.jit(lambda a: a.sum(), out_shardings=NamedSharding(mixed, P()))(from_all(x, "d", on=mixed))
            except jax.errors.JaxRuntimeError as error:
                assert "UNIMPLEMENTED" in str(error) and "partition 1 is on device 4 of process 1 (" in str(error), error
            else:
                raise AssertionError("devices in turn ran")
        return []

    functions = [who_is_who, process_local_data, single_device_arrays, training, own_devices_alone, some_devices_of_each, between_processes, resharded,
                 large_arrays, many_programs, large_constants, one_has_compiled_it, refusals]
    return {function.__name__: function for function in functions}


def parts_of(array):
    """What this process has of it: where, and what."""
    import numpy as np

    if not hasattr(array, "addressable_shards"):
        return [((), np.asarray(array))]
    return [(shard.index, np.asarray(shard.data)) for shard in array.addressable_shards]


def run_sharded(function, args):
    """Of arrays of NumPy each process gives the part that its devices hold."""
    import jax
    import numpy as np

    args = [np.array(a) for a in args]
    compiled = function.lower(*[jax.ShapeDtypeStruct(a.shape, a.dtype) for a in args]).compile()
    return compiled(*[jax.make_array_from_callback(a.shape, s, lambda index, a=a: a[index]) for a, s in zip(args, compiled.input_shardings[0])])


def run_all(file, names):
    """In each process: what programs make, or what they fail with."""
    import jax
    import numpy as np
    from jax_sharded import EXPLICIT, PROGRAMS

    made = {}

    def run(name, function):
        if names and name not in names:
            return
        try:
            made[name] = [(np.shape(a), parts_of(a)) for a in jax.tree.leaves(function())]
        except Exception:
            made[name] = traceback.format_exc(limit=1)

    for name, function in own_programs().items():
        run(name, function)
    for name, function, args, _ in PROGRAMS:
        with jax.set_mesh(EXPLICIT) if name.startswith("explicit_") else contextlib.nullcontext():
            run(name, lambda: function(*args) if name.startswith("explicit_") else run_sharded(function, args))
    with open(file, "wb") as out:
        pickle.dump(made, out)


def lose_one(file):
    """Process 1 goes away without a word: process 0 says how long it took to be told, and what."""
    import jax
    import numpy as np
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = jax.make_mesh((8,), ("d",))
    array = jax.make_array_from_callback((8,), NamedSharding(mesh, P("d")), lambda index: np.arange(8.0, dtype=np.float32)[index])
    total = jax.jit(lambda a: a.sum() * 2, out_shardings=NamedSharding(mesh, P()))
    assert float(np.asarray(total(array).addressable_data(0))) == 56
    large = jax.make_array_from_callback((8, 1 << 18), NamedSharding(mesh, P("d")), lambda index: np.ones((1, 1 << 18), np.float32))
    turn = jax.jit(lambda a: a[::-1] + 1, out_shardings=large.sharding)
    for _ in range(20):
        large = turn(large)
    if jax.process_index() == 1:
        os._exit(5)  # in the middle of these runs
    told, begin = [], time.monotonic()
    for function, arg in ((turn, large), (total, array)):
        try:
            function(arg).block_until_ready()
            told.append("nothing")
        except jax.errors.JaxRuntimeError as error:
            told.append(str(error))
    assert float(np.asarray(jax.jit(lambda a: a.sum())(np.ones(4, np.float32)))) == 4  # its own devices are still there
    with open(file, "wb") as out:
        pickle.dump((time.monotonic() - begin, told), out)
    os._exit(0)  # JAX would wait for the other


def run_others(file):
    """The processes do not run the same: both are told."""
    import jax
    import numpy as np
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = jax.make_mesh((8,), ("d",))
    array = jax.make_array_from_callback((8,), NamedSharding(mesh, P("d")), lambda index: np.arange(8.0, dtype=np.float32)[index])

    def total(a):
        return a.sum()

    def product(a):
        return a.prod()

    begin = time.monotonic()
    try:
        jax.jit(total if jax.process_index() == 0 else product, out_shardings=NamedSharding(mesh, P()))(array).block_until_ready()
        told = "nothing"
    except jax.errors.JaxRuntimeError as error:
        told = str(error)
    with open(file, "wb") as out:
        pickle.dump((time.monotonic() - begin, told), out)


def start(what, file, process, processes, port, library, names=(), **variables):
    variables |= {"TW_PJRT_DEVICES": str(DEVICES // processes), "JAX_PLATFORMS": "tilewright", "TW_PJRT_DEADLINE": "30",
                  "PJRT_NAMES_AND_LIBRARY_PATHS": f"tilewright:{os.path.abspath(library)}"}
    command = [sys.executable, os.path.abspath(__file__), what, file, str(process), str(processes), str(port), *names]
    return subprocess.Popen(command, env=os.environ | variables)


def free_port():
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return found.getsockname()[1]


def run_processes(what, folder, processes, library, names=(), codes=None, **variables):
    """What each process leaves."""
    files = [os.path.join(folder, f"{what}{p}_of_{processes}") for p in range(processes)]
    port = free_port()
    started = [start(what, file, p, processes, port, library, names, **variables) for p, file in enumerate(files)]
    try:
        ended = [process.wait(timeout=1500) for process in started]
    finally:
        for process in started:
            process.kill()
    if ended != (codes or [0] * processes):
        sys.exit(f"{what}: the processes ended with {ended}")
    made = []
    for file in files:
        if os.path.exists(file):
            with open(file, "rb") as stored:
                made.append(pickle.load(stored))
    return made


def whole_of(shape, parts):
    import numpy as np

    if parts[0][0] == () and parts[0][1].shape == shape:
        return parts[0][1]
    whole = np.empty(shape, parts[0][1].dtype)
    for index, part in parts:
        whole[index] = part
    return whole


def wrong_parts(ours, theirs):
    """What is wrong with what a process has of the results; theirs are whole."""
    from jax_compare import difference

    if len(ours) != len(theirs):
        return f"{len(ours)} results, expected {len(theirs)}"
    for i, ((shape, parts), (expected_shape, expected_parts)) in enumerate(zip(ours, theirs)):
        if shape != expected_shape or not parts:
            return f"result {i}: {shape} in {len(parts)} parts, expected {expected_shape}"
        whole = whole_of(expected_shape, expected_parts)
        for index, part in parts:
            wrong = difference(part, whole[index])
            if wrong:
                return f"result {i} at {index}: {wrong}"
    return None


def main(library, names):
    with tempfile.TemporaryDirectory() as folder:
        # JAX gives donated arguments to platforms of names that it knows.
        [expected] = run_processes("--run", folder, 1, library, names, TW_PJRT_PLATFORM="cpu")
        made = run_processes("--run", folder, PROCESSES, library, names, TW_PJRT_PLATFORM="cpu")
        failed = 0
        for name, theirs in expected.items():
            for process, results in enumerate(made):
                ours = results[name]
                broken = next((r for r in (theirs, ours) if isinstance(r, str)), None)
                wrong = broken or wrong_parts(ours, theirs)
                if wrong:
                    failed += 1
                    print(f"{name} in process {process}: {wrong}")
        print(f"{len(expected)} programs in {PROCESSES} processes, {failed} failed")
        if failed or not expected:
            sys.exit(1)
        if names:
            return
        for seconds, said in run_processes("--run-others", folder, PROCESSES, library, TW_PJRT_ADDRESS="127.0.0.1"):
            print(f"told in {seconds:.1f} s: {said}")
            if seconds > 20 or "(127.0.0.1:" not in said or "jit_product (" not in said or "jit_total (" not in said:
                sys.exit(f"processes that do not run the same were told in {seconds:.1f} s: {said}")
        [(seconds, told)] = run_processes("--lose-one", folder, PROCESSES, library, codes=[0, 5])
        print(f"told in {seconds:.1f} s: {told[0]}")
        if seconds > 20 or "process 1 (" not in told[0] or "is gone" not in told[0] or "is gone" not in told[1]:
            sys.exit(f"told in {seconds:.1f} s: {told}")


python = os.environ.pop("TW_JAX_PYTHON", None)
if python:
    os.execv(python, [python, *sys.argv])
try:
    import jax
except ImportError as error:
    print(f"skipped: this needs jax, {error}; ./dev test --jax brings one")
    sys.exit(77)
if sys.argv[1] in ("--run", "--run-others", "--lose-one"):
    verb, file, process, processes, port, *names = sys.argv[1:]
    if int(processes) > 1:
        jax.distributed.initialize(f"localhost:{port}", num_processes=int(processes), process_id=int(process))
    {"--run": lambda: run_all(file, names), "--run-others": lambda: run_others(file), "--lose-one": lambda: lose_one(file)}[verb]()
else:
    main(sys.argv[1], sys.argv[2:])
