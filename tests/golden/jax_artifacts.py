# SPDX-License-Identifier: Apache-2.0
"""Every program of jax_sharded.py as bytecode and as an artifact of several versions of StableHLO is the program that its text is: graph,
annotations, names and locations.
Usage: jax_artifacts.py PRINT_PROGRAM [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile

import jax_lane  # noqa: F401

import jax
import jax.export
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jax_sharded import EXPLICIT, PROGRAMS

printer = os.path.abspath(sys.argv[1])
VERSIONS = ("0.9.0", "1.0.0", "1.17.0")


def printed(data, folder):
    """What is read of a text or an artifact."""
    file = os.path.join(folder, "program")
    with open(file, "wb") as out:
        out.write(data)
    done = subprocess.run([printer, "--locations", file], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


def text_of(module):
    return module.operation.get_asm(enable_debug_info=True).encode()


def forms(function, args, exported):
    """Pairs of bytes and the text that they mean."""
    if exported:
        artifact = jax.export.export(function)(*args).mlir_module_serialized
        with mlir.make_ir_context():
            yield "export", artifact, text_of(_jax.mlir.deserialize_portable_artifact(artifact))
        return
    module = function.lower(*args).compiler_ir()
    held = io.BytesIO()
    module.operation.write_bytecode(held)
    yield "bytecode", held.getvalue(), text_of(module)
    for version in VERSIONS:
        try:
            artifact = _jax.mlir.serialize_portable_artifact(held.getvalue(), version, True)
        except Exception:  # an old version lacks what the program has
            continue
        with mlir.make_ir_context():
            yield version, artifact, text_of(_jax.mlir.deserialize_portable_artifact(artifact))


compared = failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, function, args, exported in PROGRAMS:
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        with jax.set_mesh(EXPLICIT) if name.startswith("explicit_") else contextlib.nullcontext():
            for form, data, text in forms(function, args, exported):
                ours, expected = printed(data, folder), printed(text, folder)
                compared += 1
                if ours != expected or ours.startswith("exit"):
                    failed += 1
                    lines = [f"  {a}\n  {b}" for a, b in zip(expected.split("\n"), ours.split("\n")) if a != b][:2]
                    print(f"{name} {form}:", *lines, sep="\n")
print(f"{compared} compared, {failed} differ")
sys.exit(1 if failed or compared == 0 else 0)
