# SPDX-License-Identifier: Apache-2.0
"""A client that is not JAX: pypjrt's probe of a plug-in finds nothing that fails, and at most two things that are not there.
Usage: second_client.py LIBRARY. Runs under the python that TW_JAX_PYTHON names, where it is set; without pypjrt it says so and exits 77."""

import os
import re
import subprocess
import sys

python = os.environ.pop("TW_JAX_PYTHON", None)
if python:
    os.execv(python, [python, *sys.argv])
try:
    import pypjrt  # noqa: F401
except ImportError as error:
    print(f"skipped: this needs pypjrt, {error}; ./dev test --jax brings it")
    sys.exit(77)

done = subprocess.run([sys.executable, "-m", "pypjrt.conform", os.path.abspath(sys.argv[1]), "-v"], env=os.environ | {"TW_PJRT_DEVICES": "2"},
                      capture_output=True, text=True, timeout=300, check=False)
counts = re.search(r"(\d+) pass .* (\d+) unsupported .* (\d+) FAIL", done.stdout)
print(done.stdout[-3000:], done.stderr[-2000:])
if done.returncode != 0 or counts is None or int(counts[1]) < 50 or int(counts[2]) > 2 or int(counts[3]) != 0:
    sys.exit(f"the probe ended with {done.returncode}")
