#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a StableHLO text with jaxlib's CPU client and runs it: XLA as the peer to time against and to compare with.

    peer_xla_run.py FILE.mlir --runs 20                # {"min_ms": .., "median_ms": ..} on stdout
    peer_xla_run.py FILE.mlir --outputs xla.npz        # the results too, for a comparison
    peer_xla_run.py --glibc-keep                       # chess-9M, with glibc told to keep freed memory

One device and jaxlib's default flags. Missing inputs are invented as `tw run` does it: floats normal(0, 1) / 8,
integers randint(0, 8), booleans fair. Arguments that the module donates are fed back from the results, as a training
loop does.
With --glibc-keep the script starts itself again under GLIBC_TUNABLES, so that XLA does not pay for returning its
buffers to the system in each run.

Without jax it says so and exits 77.
"""

import argparse
import json
import os
import re
import statistics
import sys
import time
from pathlib import Path

GLIBC_KEEP = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=137438953472:glibc.malloc.arena_max=1"
CHESS = "searchless_chess_9m_jax.mlir"

try:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import numpy as np
    from jax.extend.mlir import ir
    from jax.interpreters import mlir
    from jax._src import compiler, xla_bridge
    from jaxlib._jax import DeviceList
except ImportError as error:
    print(f"skipped: this needs jax, {error}", file=sys.stderr)
    sys.exit(77)


class XlaProgram:
    """One compiled module: its arguments' names and types, and how to run it."""

    def __init__(self, text):
        with mlir.make_ir_context():
            module = ir.Module.parse(text)
            main = entry(module)
            self.types = [str(t) for t in main.type.inputs]
            self.names = [argument_name(a) for a in main.arguments]
            self.donated = donated_results(main, len(self.types))
            backend = xla_bridge.get_backend("cpu")
            devices = DeviceList(tuple(backend.local_devices()[:1]))
            options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
            start = time.perf_counter()
            self.executable = backend.compile_and_load(module, executable_devices=devices, compile_options=options)
            self.compile_ms = 1e3 * (time.perf_counter() - start)

    def memory(self):
        """Bytes that a run needs: temporaries, arguments and results, less what is donated."""
        analysis = self.executable.get_compiled_memory_stats()
        needed = analysis.temp_size_in_bytes + analysis.argument_size_in_bytes + analysis.output_size_in_bytes
        return needed - analysis.alias_size_in_bytes

    def invent_inputs(self, seed=0):
        rng = np.random.default_rng(seed)
        return [invent(rng, *shape_and_dtype(t)) for t in self.types]

    def run(self, inputs):
        """The results. Donated inputs are consumed."""
        outputs = self.executable.execute(inputs)
        jax.block_until_ready(outputs)
        return outputs

    def time(self, inputs, runs):
        """Milliseconds of each run after a warm one; `processor_ms` is then what all threads computed in a run."""
        inputs = list(inputs)
        times = []
        for i in range(runs + 1):
            if i == 1:
                processor = time.process_time()
            start = time.perf_counter()
            outputs = self.run(inputs)
            times.append(1e3 * (time.perf_counter() - start))
            for argument, result in self.donated.items():
                inputs[argument] = outputs[result]
        self.processor_ms = 1e3 * (time.process_time() - processor) / runs
        return times[1:]


def entry(module):
    """`main`, or the only public function."""
    functions = [op for op in module.body.operations if op.operation.name == "func.func"]
    public = [f for f in functions if not is_private(f)]
    named = [f for f in public if f.name.value == "main"]
    if not named and len(public) != 1:
        sys.exit("no function @main and not exactly one public function")
    main = (named or public)[0]
    main.attributes["sym_name"] = ir.StringAttr.get("main")
    if "sym_name" not in module.operation.attributes:
        module.operation.attributes["sym_name"] = ir.StringAttr.get("module")
    return main


def is_private(function):
    return "sym_visibility" in function.attributes and "private" in str(function.attributes["sym_visibility"])


def argument_name(argument):
    """The JAX name that a location gives, or nothing."""
    match = re.fullmatch(r'loc\("([^"]*)"\)', str(argument.location))
    return match.group(1) if match else None


def donated_results(main, count):
    """Argument -> the result that takes over its buffer."""
    if "arg_attrs" not in main.attributes:
        return {}
    attributes = [main.attributes["arg_attrs"][i] for i in range(count)]
    result = lambda a: int(str(a["tf.aliasing_output"]).split()[0])
    return {i: result(a) for i, a in enumerate(attributes) if "tf.aliasing_output" in a}


NUMPY_NAMES = {"i1": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64"}
NUMPY_NAMES |= {"complex<f32>": "complex64", "complex<f64>": "complex128"}
for bits in (2, 4, 8, 16, 32, 64):
    NUMPY_NAMES |= {f"i{bits}": f"int{bits}", f"ui{bits}": f"uint{bits}"}


def shape_and_dtype(type_text):
    dims, element = re.fullmatch(r"tensor<((?:\d+x)*)(.+)>", type_text).groups()
    name = NUMPY_NAMES.get(element) or "float8_" + element[2:].lower()  # f8E4M3FN -> float8_e4m3fn
    return [int(n) for n in dims.split("x")[:-1]], jax.numpy.dtype(name)


def invent(rng, shape, dtype):
    if dtype == bool:
        return rng.integers(0, 2, shape).astype(bool)
    if jax.numpy.issubdtype(dtype, jax.numpy.integer):
        return rng.integers(0, 8, shape).astype(dtype)
    return (rng.standard_normal(shape) / 8).astype(dtype)


def on_device(array):
    return jax.device_put(array, jax.devices("cpu")[0])


def load_inputs(program, path, seed):
    """Inputs from an npz by name, by `argN`, or by the name in the text; the rest invented."""
    given = dict(np.load(path)) if path else {}
    inputs = program.invent_inputs(seed)
    for i, name in enumerate(program.names):
        for key in (name, f"arg{i}"):
            if key in given:
                shape, dtype = shape_and_dtype(program.types[i])
                inputs[i] = given.pop(key).astype(dtype).reshape(shape)
                break
    if given:
        sys.exit(f"{path}: no argument is called {', '.join(sorted(given))}")
    return [on_device(a) for a in inputs]


def plain(array):
    """What an npz can hold: small floats as float32, 4-bit integers as int8, every value exact."""
    array = np.asarray(array)
    if array.dtype.kind in "biufc" and array.dtype.name in np.sctypeDict:
        return array
    return array.astype("int8" if "int" in array.dtype.name else "float32")


def chess_path():
    root = os.environ.get("TW_REAL_PROGRAMS") or Path(__file__).resolve().parents[3] / "shared" / "real_programs"
    return Path(root) / CHESS


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=chess_path(), help=f"default: {CHESS}")
    parser.add_argument("--runs", type=int, default=10, help="timed runs after one to warm up; 0: only the results")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inputs", type=Path, help="npz of inputs, keys argument names or argN")
    parser.add_argument("--outputs", type=Path, help="write the results as out0, out1, ..")
    parser.add_argument("--save-inputs", type=Path, help="write the inputs as arg0, arg1, ..")
    parser.add_argument("--glibc-keep", action="store_true", help="run with glibc keeping freed memory")
    c = parser.parse_args()
    if c.glibc_keep and os.environ.get("GLIBC_TUNABLES") != GLIBC_KEEP:
        os.environ["GLIBC_TUNABLES"] = GLIBC_KEEP
        os.execv(sys.executable, [sys.executable, *sys.argv])
    if not c.file.exists():
        print(f"skipped: there is no {c.file}", file=sys.stderr)
        sys.exit(77)

    jax.config.update("jax_enable_x64", True)  # Or numpy's 64-bit inputs would be narrowed on the way.
    program = XlaProgram(c.file.read_text())
    inputs = load_inputs(program, c.inputs, c.seed)
    if c.save_inputs:
        np.savez(c.save_inputs, **{f"arg{i}": plain(a) for i, a in enumerate(inputs)})
    if c.outputs:
        fresh = [on_device(np.array(a)) if i in program.donated else a for i, a in enumerate(inputs)]
        np.savez(c.outputs, **{f"out{i}": plain(a) for i, a in enumerate(program.run(fresh))})
    report = {"compile_ms": round(program.compile_ms, 1), "memory": program.memory()}
    if c.runs > 0:
        times = program.time(inputs, c.runs)
        report = {
            "min_ms": round(min(times), 3),
            "median_ms": round(statistics.median(times), 3),
            "processor_ms": round(program.processor_ms, 3),
        } | report
    print(json.dumps(report))


if __name__ == "__main__":
    main()
