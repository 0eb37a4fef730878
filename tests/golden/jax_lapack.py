# SPDX-License-Identifier: Apache-2.0
"""Texts of jnp.linalg as JAX lowers them for CPUs: `tw run` gives the numbers of jaxlib, on one device and with the batch over two. Both call the
library of LAPACK that SciPy brings, so that what is unique only up to signs or order is the same too.
Usage: jax_lapack.py TW [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import os
import subprocess
import sys
import tempfile

import jax_lane  # noqa: F401, which starts the python that has jax

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
from jax import lax
from jax_package import jax_plugin

jax.config.update("jax_enable_x64", True)
tw, names = os.path.abspath(sys.argv[1]), sys.argv[2:]


def positive(x):
    return x @ jnp.conj(jnp.swapaxes(x, -1, -2)) + 4 * jnp.eye(x.shape[-1], dtype=x.dtype)


def shifted(x):
    return x + 3 * jnp.eye(x.shape[-1], dtype=x.dtype)


SQUARE = {
    "cholesky": lambda x: jnp.linalg.cholesky(positive(x)),
    "solve": lambda x: jnp.linalg.solve(positive(x), x),
    "inv": lambda x: jnp.linalg.inv(positive(x)),
    "slogdet": jnp.linalg.slogdet,
    "eigh": lambda x: jnp.linalg.eigh(positive(x)),
    "eigvalsh": lambda x: jnp.linalg.eigvalsh(positive(x)),
    "eig": jnp.linalg.eig,
    "eig_left": lax.linalg.eig,
    "eigvals": jnp.linalg.eigvals,
    "schur": lax.linalg.schur,
    "schur_form": lambda x: lax.linalg.schur(x, compute_schur_vectors=False),
    "hessenberg": lax.linalg.hessenberg,
    "tridiagonal": lambda x: lax.linalg.tridiagonal(positive(x)),
    "tridiagonal_upper": lambda x: lax.linalg.tridiagonal(positive(x), lower=False),
    "tridiagonal_solve": lambda x: lax.linalg.tridiagonal_solve(x[..., 0], x[..., 0] + 5, x[..., -1], x),
    "ormqr": lambda x: lax.linalg.ormqr(x, x[..., 0, :], x, transpose=True),
    "solve_right": lambda x: lax.linalg.triangular_solve(shifted(x), x, lower=True, transpose_a=True, conjugate_a=True),
    "solve_unit": lambda x: lax.linalg.triangular_solve(shifted(x), x, left_side=True, transpose_a=True, unit_diagonal=True),
    "expm": lambda x: jsl.expm(x / 4),
}
ANY = {
    "lu": lax.linalg.lu,
    "qr": jnp.linalg.qr,
    "qr_complete": lambda x: jnp.linalg.qr(x, mode="complete"),
    "qr_pivots": lambda x: lax.linalg.qr(x, pivoting=True),
    "svd": jnp.linalg.svd,
    "svd_reduced": lambda x: jnp.linalg.svd(x, full_matrices=False),
    "singular_values": lambda x: jnp.linalg.svd(x, compute_uv=False),
    "svd_by_qr": lambda x: lax.linalg.svd(x, algorithm=lax.linalg.SvdAlgorithm.QR),
    "pinv": jnp.linalg.pinv,
}
SHAPES = [(3, 5, 5), (2, 1, 1), (4, 4), (2, 3, 7, 4), (4, 6)]


def check(function, shape, dtype, folder):
    """What is wrong, or None."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape)
    x = (x + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)
    jitted = jax.jit(function)
    expected = [np.asarray(a) for a in jax.tree.leaves(jitted(x))]
    given, made, text = (os.path.join(folder, name) for name in ("in.npz", "out.npz", "program.mlir"))
    np.savez(given, arg0=x)
    with open(text, "w", encoding="utf-8") as file:
        file.write(jitted.lower(x).as_text())
    two = ["--mesh", "b=2", "-a", "tile(arg0,0,b); infer-propagate"] if len(shape) > 2 and shape[0] % 2 == 0 else ["--mesh", "b=1"]
    environment = os.environ | {"TW_LAPACK": jax_plugin.lapack() or ""}
    done = subprocess.run([tw, "run", text, *two, "--inputs", given, "--outputs", made], env=environment, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stderr.strip()[:400]}"
    with np.load(made) as arrays:
        results = [arrays[f"out{i}"] for i in range(len(expected))]
    for i, (ours, theirs) in enumerate(zip(results, expected)):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return f"result {i} is {ours.dtype}{ours.shape}, expected {theirs.dtype}{theirs.shape}"
        worst = float(np.max(np.abs(ours - theirs), initial=0)) / max(float(np.max(np.abs(theirs), initial=0)), 1e-30)
        if not worst <= (1e-4 if dtype in ("float32", "complex64") else 1e-10):
            return f"result {i}: {worst:.1e} of the largest"
    return None


passed = failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, function in (SQUARE | ANY).items():
        if names and name not in names:
            continue
        for shape in SHAPES:
            if name in SQUARE and shape[-1] != shape[-2]:
                continue
            for dtype in "float32", "float64", "complex64", "complex128":
                wrong = check(function, shape, dtype, folder)
                passed += not wrong
                failed += bool(wrong)
                if wrong:
                    print(f"{name} {shape} {dtype}: {wrong}")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed == 0 else 0)
