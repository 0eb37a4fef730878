# SPDX-License-Identifier: Apache-2.0
"""Every program of jax_sharded.py, as tw plans and lowers it, written as an artifact: jaxlib reads it as what it makes of the text that tw prints,
and we read it as the text that jaxlib prints of it.
Usage: jax_written.py TW PRINT_PROGRAM [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import contextlib
import os
import subprocess
import sys
import tempfile

import jax_lane  # noqa: F401

import jax
import jax_canonical
from jax_sharded import EXPLICIT, PROGRAMS

tw, printer = (os.path.abspath(arg) for arg in sys.argv[1:3])


def printed(data, folder):
    """What is read of a text or an artifact; errors have places of their own in each."""
    file = os.path.join(folder, "program")
    with open(file, "wb") as out:
        out.write(data)
    done = subprocess.run([printer, file], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}"


def emitted(file, form, folder):
    """The bytes of a form; nothing where tw has none of this program."""
    out = os.path.join(folder, "emitted")
    done = subprocess.run([tw, "emit", file, "--to", form, "-o", out], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 3):
        return None, done.stderr
    with open(out, "rb") as made:
        return made.read(), ""


compared = failed = refused = 0
with tempfile.TemporaryDirectory() as folder:
    for name, function, args, exported in PROGRAMS:
        if len(sys.argv) > 3 and name not in sys.argv[3:]:
            continue
        given = os.path.join(folder, "given.mlir")
        with jax.set_mesh(EXPLICIT) if name.startswith("explicit_") else contextlib.nullcontext():
            module = jax.export.export(function)(*args).mlir_module() if exported else function.lower(*args).compiler_ir()
        with open(given, "w", encoding="utf-8") as out:
            out.write(str(module))
        for form in "stablehlo", "stablehlo+sdy":
            text, error = emitted(given, form, folder)
            if text is None:  # a program that tw does not read, or does not lower
                refused += 1
                continue
            artifact, error = emitted(given, form + "-bytecode", folder)
            compared += 1
            try:
                if artifact is None:
                    raise RuntimeError(error)
                differs, ours = jax_canonical.difference(text.decode(), artifact)
                if not differs and printed(artifact, folder) != printed(ours.encode(), folder):
                    differs = "we read it otherwise than what jaxlib prints of it"
            except Exception as problem:  # of MLIR, or of tw
                differs = str(problem)
            if differs:
                failed += 1
                print(f"{name} {form}: {differs}")
print(f"{compared} compared, {failed} differ, {refused} have no such form")
sys.exit(1 if failed or compared == 0 else 0)
