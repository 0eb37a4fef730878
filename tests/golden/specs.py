# SPDX-License-Identifier: Apache-2.0
"""The specs of examples/specs for the training step of examples/models: on several meshes the step equals the unpartitioned one, and what
each spec expects of its program holds.
Usage: specs.py TW"""

import glob
import json
import os
import subprocess
import sys

tw = os.path.abspath(sys.argv[1])
examples = os.path.join(os.environ.get("TW_SOURCE_ROOT", "."), "examples")
BOTH = ["data=4,model=2", "data=2,model=4", "replica=2,data=2,model=2", "data=3,model=2"]
ONE = ["data=8", "data=4,model=2", "data=2,replica=2,model=2", "data=3,model=2"]
MESHES = {
    "gpt_data": ONE,
    "gpt_megatron": BOTH,
    "gpt_megatron_zero2": BOTH,
    "gpt_megatron_zero3": BOTH,
    "gpt_sequence": BOTH,
    "gpt_zero2": ONE,
    "gpt_zero3": ONE,
}

passed = failed = 0
for spec in sorted(glob.glob(os.path.join(examples, "specs", "gpt_*.txt"))):
    for mesh in MESHES[os.path.basename(spec).removesuffix(".txt")]:
        command = [tw, "run", os.path.join(examples, "models", "gpt_step.mlir"), "--mesh", mesh, "--spec", spec, "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.startswith("PASS"):
            passed += 1
        else:
            failed += 1
            print(f"{os.path.basename(spec)} on {mesh}: exit {done.returncode}\n{done.stdout}{done.stderr}")

# ZeRO-3 with its parameters gathered for each use: the 24 weights of products in the layers and the head are used again going backward.
model = os.path.join(examples, "models", "gpt_step.mlir")
spec = os.path.join(examples, "specs", "gpt_zero3.txt")
reports = {}
for gathers in ["shared", "per-use"]:
    command = [tw, "plan", model, "--mesh", "data=4", "--spec", spec, "--gathers", gathers, "--json"]
    reports[gathers] = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
actions = "; ".join(line for line in open(spec, encoding="utf-8").read().split("\n") if line and not line.startswith(("#", "expect")))
command = [tw, "run", model, "--mesh", "data=4", "-a", actions, "--gathers", "per-use", "--quiet"]
done = subprocess.run(command, capture_output=True, text=True, check=False)
counts = [reports[g]["counts"]["all_gather"] for g in reports]
peaks = [reports[g]["peak_bytes"] for g in reports]
if done.returncode == 0 and counts == [69, 94] and peaks[1] < peaks[0]:
    passed += 1
else:
    failed += 1
    print(f"gathers per use: {counts} all_gathers, peaks of {peaks} bytes, exit {done.returncode}\n{done.stdout}{done.stderr}")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed == 0 else 0)
