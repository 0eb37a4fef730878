# SPDX-License-Identifier: Apache-2.0
"""Begins a test that needs JAX, on 8 devices of the host: goes on under the python that TW_JAX_PYTHON names, where it is set, and without jax
says so and exits 77. Import it first."""

import os
import sys

root = os.environ.get("TW_SOURCE_ROOT", ".")
_python = os.environ.pop("TW_JAX_PYTHON", None)
if _python:
    os.execv(_python, [_python, *sys.argv])

sys.path.insert(0, os.path.join(root, "tests", "bench"))
import jax_devices

jax_devices.choose_devices(8)
try:
    import jax.numpy  # noqa: F401
    import numpy  # noqa: F401
except ImportError as error:
    print(f"skipped: this needs jax, {error}; ./dev test --jax brings one")
    sys.exit(77)
