# SPDX-License-Identifier: Apache-2.0
"""Programs that carry their own expectation, whole and under random shardings: none may fail, and those that we cannot run say why.
Usage: oracles.py TW"""

import glob
import json
import os
import subprocess
import sys
import tarfile
import tempfile

tw = os.path.abspath(sys.argv[1])
root = os.environ.get("TW_SOURCE_ROOT", ".")
real = os.environ.get("TW_REAL_PROGRAMS", os.path.join(root, "..", "shared", "real_programs"))
archive = os.path.join(real, "stablehlo_oracles_shared.tar.xz")
if not os.path.exists(archive):
    print(f"skipped: no {archive} (set TW_REAL_PROGRAMS to its folder)")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(folder)
    files = sorted(glob.glob("**/*.mlir", root_dir=folder, recursive=True))
    # Their own project does not run these either: it calls their expectations inaccurate.
    doubtful = [f for f in files if "RUN-DISABLED(inaccurate)" in open(os.path.join(folder, f), encoding="utf-8").read()]
    print("left out as inaccurate by their authors:", ", ".join(doubtful))
    # What their project never ran, and what no order of operations gives: recorded from a single-precision solver on ill-conditioned
    # matrices, 24 of its 160 numbers are more than 3 ulps from the exact solution.
    inexact = [f for f in files if os.path.basename(f) == "triangular_solve_float32_2_8_8_float32_2_10_8.mlir"]
    print("left out since farther from the exact result than the check allows:", ", ".join(inexact))
    files = [f for f in files if f not in doubtful + inexact]
    command = [tw, "test", "--json", "--mesh", "a=2,b=3", "--shardings", "2", "--seed", "7", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    print(done.stderr)
    report = json.loads(done.stdout)

for test in report["tests"]:
    if test["outcome"] == "failed":
        print(f"{test['name']}: {test['reason']}\n  repeat: {test.get('repeat', 'tw test ' + test['name'])}")
    elif test["outcome"] == "skipped" and not test["reason"]:
        sys.exit(f"{test['name']} was skipped without a reason")
print("{passed} passed, {failed} failed, {skipped} skipped".format(**report))
# What passes today must not turn into skips.
sys.exit(0 if report["failed"] == 0 and report["passed"] >= 843 else 1)
