# SPDX-License-Identifier: Apache-2.0
"""The oracle corpus (oracles/*.mlir, written by oracles/make.py): every module whole and under 4 random shardings. None may fail or be skipped, and every
op of the registry that XLA knows must be in it.
Usage: corpus.py TW"""

import glob
import json
import os
import re
import subprocess
import sys

tw = os.path.abspath(sys.argv[1])
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracles")
files = sorted(glob.glob("*.mlir", root_dir=folder))
STRUCTURE = {"func.argument", "func.result"}  # stand for what a function takes and gives: no text holds them

text = "\n".join(open(os.path.join(folder, f), encoding="utf-8").read() for f in files)
ops = json.loads(subprocess.run([tw, "ops", "--json"], capture_output=True, text=True, check=True).stdout)
OURS = "shard."  # the simulation of unit/import/test_shard_local checks those
missing = [op["name"] for op in ops if op["name"] not in STRUCTURE and not op["name"].startswith(OURS) and not re.search(re.escape(op["name"]) + r"\b", text)]
if missing:
    print("no module of the corpus holds", ", ".join(missing), "(add cases and run oracles/make.py)")

done = subprocess.run(
    [tw, "test", "--json", "--mesh", "a=2,b=3", "--shardings", "4", "--seed", "7", *files], cwd=folder, capture_output=True, text=True, check=False
)
report = json.loads(done.stdout)
for test in report["tests"]:
    if test["outcome"] != "passed":
        print(f"{test['name']} {test['outcome']}: {test['reason']}\n  repeat: {test.get('repeat', 'tw test ' + test['name'])}")
print("{passed} passed, {failed} failed, {skipped} skipped".format(**report))
sys.exit(1 if missing or report["failed"] or report["skipped"] or report["passed"] < 1000 else 0)
