# SPDX-License-Identifier: Apache-2.0
"""What JAX prints, in our hands: every program of jax_sharded.py is lowered with its shardings, imported, run on its mesh, and gives JAX's own
numbers.
Usage: jax_modules.py TW [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import contextlib
import os
import subprocess
import sys
import tempfile

import jax_lane  # noqa: F401

import jax
import jax.export
import numpy as np
from jax_compare import difference
from jax_sharded import EXPLICIT, PROGRAMS

tw = os.path.abspath(sys.argv[1])


def lowered(function, args, exported):
    if exported:
        return jax.export.export(function)(*args).mlir_module()
    return function.lower(*args).as_text()


def plain(array):
    """As NumPy's files hold it."""
    array = np.asarray(array)
    return array if array.dtype.isbuiltin == 1 else array.astype(np.float32)


def check(function, args, exported, folder):
    """What is wrong, or None."""
    text = lowered(function, args, exported)
    expected = jax.tree.leaves(function(*[jax.numpy.array(a) if not hasattr(a, "sharding") else a for a in args]))
    file, given, made = (os.path.join(folder, name) for name in ("module.mlir", "in.npz", "out.npz"))
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)
    np.savez(given, **{f"arg{i}": plain(a) for i, a in enumerate(jax.tree.leaves(args))})
    done = subprocess.run([tw, "run", file, "--inputs", given, "--outputs", made, "--check", "none"], capture_output=True, text=True, timeout=800, check=False)
    if done.returncode not in (0, 3):
        return f"exit {done.returncode}: {done.stderr.strip()}"
    ours = dict(np.load(made))
    wrong = [f"result {i}: {what}" for i, theirs in enumerate(expected) if (what := difference(ours[f"out{i}"], theirs))]
    return "; ".join(wrong) or None


passed = failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, function, args, exported in PROGRAMS:
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        try:
            with jax.set_mesh(EXPLICIT) if name.startswith("explicit_") else contextlib.nullcontext():
                wrong = check(function, args, exported, folder)
        except Exception as error:  # of JAX, which may have changed
            wrong = f"{type(error).__name__}: {error}"
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f"{name}: {wrong}")
print(f"{passed} passed, {failed} failed of {len(PROGRAMS)}")
sys.exit(1 if failed or passed == 0 else 0)
