# SPDX-License-Identifier: Apache-2.0
"""The specs of examples/specs for the programs of examples/models: on several meshes a program equals the unpartitioned one, and what each
spec expects of it holds.
TW_FULL: on each of its meshes; else on every second one.
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
GPT = "gpt_step.mlir"
RUNS = {  # program and meshes of each spec
    "experts": ("zoo/expert_step.mlir", ["x=2", "x=3", "x=4", "x=8"]),
    "gpt_accumulate": (GPT, ["data=2", "data=2,replica=2", "data=3"]),
    "gpt_data": (GPT, ONE),
    "gpt_megatron": (GPT, BOTH),
    "gpt_megatron_zero2": (GPT, BOTH),
    "gpt_megatron_zero3": (GPT, BOTH),
    "gpt_sequence": (GPT, BOTH),
    "gpt_zero2": (GPT, ONE),
    "gpt_zero3": (GPT, ONE),
    "mlp_megatron": ("mlp_step.mlir", BOTH),
}

passed = failed = 0
for i, spec in enumerate(sorted(glob.glob(os.path.join(examples, "specs", "*.txt")))):
    name = os.path.basename(spec).removesuffix(".txt")
    if name.startswith("chess_"):  # for a program that is not in the tree
        continue
    program, meshes = RUNS[name]
    for mesh in meshes if "TW_FULL" in os.environ else meshes[i % 2 :: 2]:
        command = [tw, "run", os.path.join(examples, "models", program), "--mesh", mesh, "--spec", spec, "--quiet", "--repeat", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.startswith("PASS"):
            passed += 1
        else:
            failed += 1
            print(f"{name} on {mesh}: exit {done.returncode}\n{done.stdout}{done.stderr}")

# ZeRO-3 with its parameters gathered for each use: the 24 weights of products in the layers and the head are used again going backward.
model = os.path.join(examples, "models", GPT)
spec = os.path.join(examples, "specs", "gpt_zero3.txt")
reports = {}
for gathers in ["shared", "per-use"]:
    command = [tw, "plan", model, "--mesh", "data=4", "--spec", spec, "--gathers", gathers, "--json"]
    reports[gathers] = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
actions = "; ".join(line for line in open(spec, encoding="utf-8").read().split("\n") if line and not line.startswith(("#", "expect")))
command = [tw, "run", model, "--mesh", "data=4", "-a", actions, "--gathers", "per-use", "--quiet", "--repeat", "1"]
done = subprocess.run(command, capture_output=True, text=True, check=False)
counts = [reports[g]["counts"]["all_gather"] for g in reports]
peaks = [reports[g]["peak_bytes"] for g in reports]
if done.returncode == 0 and counts == [69, 94] and peaks[1] < peaks[0]:
    passed += 1
else:
    failed += 1
    print(f"gathers per use: {counts} all_gathers, peaks of {peaks} bytes, exit {done.returncode}\n{done.stdout}{done.stderr}")


# Micro-batches. Activations are what is alive at the peak beside arguments, results and, with micro-batches, the sums of all gradients:
# as each is reduced over two devices, its all_reduce receives as many bytes as it has.
def activations(name):
    spec = os.path.join(examples, "specs", name)
    command = [tw, "plan", model, "--mesh", "data=2", "--spec", spec, "--json"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    held = sum(value["bytes"] for value in report["arguments"] + report["results"])
    sums = report["bytes_received"]["max"] if name == "gpt_accumulate.txt" else 0
    return report["peak_bytes"] - held - sums


steps, whole = activations("gpt_accumulate.txt"), activations("gpt_data.txt")
lanes = 'threads(axis="t", size=2); tile(arg=tokens, dim=0, axis="t"); tile(arg=targets, dim=0, axis="t"); infer-propagate; expect no all_reduce'
command = [tw, "run", model, "-a", lanes, "--quiet", "--repeat", "1"]
done = subprocess.run(command, capture_output=True, text=True, check=False)
if steps <= 0.3 * whole and done.returncode == 0:
    passed += 1
else:
    failed += 1
    print(f"activations of {steps} bytes, {whole} without micro-batches; lanes: exit {done.returncode}\n{done.stdout}{done.stderr}")

# Micro-batches of a step with a scan forward and one backward: both run in each step, and gradients are added up behind the loop.
scan = os.path.join(examples, "models", "zoo", "lstm_step.mlir")
steps = ["-a", 'serial(axis="micro", size=3); tile(arg=arg4, dim=1, axis="micro"); infer-propagate; expect no all_reduce']
done = subprocess.run([tw, "run", scan, *steps, "--quiet", "--repeat", "1"], capture_output=True, text=True, check=False)
whole, micro = (
    json.loads(subprocess.run([tw, "plan", scan, *how, "--json"], capture_output=True, text=True, check=False).stdout)["peak_bytes"]
    for how in ([], steps)
)
if done.returncode == 0 and micro <= 0.8 * whole:
    passed += 1
else:
    failed += 1
    print(f"micro-batches of a scan: {micro} bytes, {whole} without; exit {done.returncode}\n{done.stdout}{done.stderr}")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed == 0 else 0)
