# SPDX-License-Identifier: Apache-2.0
"""Calls of LAPACK in JAX's programs: a hundred programs of jnp.linalg, batched and sharded, are lowered, planned and printed for a device, and
XLA runs what is printed to the numbers of the function.
Usage: jax_linalg.py TW [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import os
import subprocess
import sys

from jax_lane import jax_devices

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

jax.config.update("jax_enable_x64", True)
tw = os.path.abspath(sys.argv[1])


def positive(x):
    return x @ jnp.swapaxes(x, -1, -2) + 8 * jnp.eye(x.shape[-1], dtype=x.dtype)


FUNCTIONS = {
    "cholesky": lambda x: jnp.linalg.cholesky(positive(x)),
    "solve": lambda x: jnp.linalg.solve(positive(x), x),
    "inv": lambda x: jnp.linalg.inv(positive(x)),
    "qr": jnp.linalg.qr,
    "svd": lambda x: jnp.linalg.svd(x, full_matrices=False),
    "eigh": lambda x: jnp.linalg.eigh(positive(x)),
    "eigvals": lambda x: jnp.abs(jnp.linalg.eigvals(positive(x))),
    "slogdet": lambda x: jnp.linalg.slogdet(positive(x)),
    "pinv": jnp.linalg.pinv,
    "cho_solve": lambda x: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(positive(x)), True), x),
}
# The shape, its sharding and the mesh; batches that devices divide, and one that lies whole.
WAYS = [
    ((8, 4, 4), ("b",), {"b": 4}),
    ((4, 6, 3, 3), ("a", "b"), {"a": 2, "b": 3}),
    ((8, 5, 5), (("a", "b"),), {"a": 2, "b": 2}),
    ((4, 4, 4), ("b", "m"), {"b": 2, "m": 2}),
    ((6, 6), (None, "m"), {"m": 2}),
]


def check(function, shape, spec, mesh, dtype):
    """What is wrong, or None."""
    devices = np.array(jax.devices()[: np.prod(list(mesh.values()))]).reshape(tuple(mesh.values()))
    sharding = NamedSharding(jax.sharding.Mesh(devices, tuple(mesh)), PartitionSpec(*spec))
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    text = jax.jit(function, in_shardings=sharding).lower(x).as_text()
    done = subprocess.run([tw, "emit", "-", "--to", "stablehlo"], input=text, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 3):
        return f"exit {done.returncode}: {done.stderr.strip()[:300]}"
    program = jax_devices.DeviceProgram(done.stdout, mesh)
    results = program.run([x])
    for i, (whole, tiles) in enumerate(zip(jax.tree.leaves(function(x)), results)):
        whole = np.asarray(whole)
        for position, made in enumerate(tiles):
            part, _ = jax_devices.tile(whole.shape, program.results[i], mesh, position)
            wanted = whole[part]
            made = made[tuple(slice(n) for n in wanted.shape)]
            worst = float(np.max(np.abs(wanted - made), initial=0)) / max(float(np.max(np.abs(whole), initial=0)), 1e-30)
            if not worst <= (1e-4 if dtype == "float32" else 1e-10):
                return f"result {i} of device {position}: {worst:.1e} of the largest"
    return None


passed = failed = 0
for name, function in FUNCTIONS.items():
    if len(sys.argv) > 2 and name not in sys.argv[2:]:
        continue
    for way, (shape, spec, mesh) in enumerate(WAYS):
        for dtype in "float32", "float64":
            try:
                wrong = check(function, shape, spec, mesh, dtype)
            except Exception as error:  # of JAX
                wrong = f"{type(error).__name__}: {error}"
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f"{name} {way} {dtype}: {wrong}")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed == 0 else 0)
