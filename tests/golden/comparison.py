# SPDX-License-Identifier: Apache-2.0
"""How tw run judges results: bits of special values, the least precise type, and a second opinion in double precision.
Usage: comparison.py TW"""

import json
import os
import subprocess
import sys

tw = os.path.abspath(sys.argv[1])
root = os.environ.get("TW_SOURCE_ROOT", ".")
failures = 0


def run(program, *arguments):
    command = [tw, "run", os.path.join(root, program), "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout:
        return {"outputs": [], "error": done.stderr}, done.returncode
    return json.loads(done.stdout)["check"], done.returncode


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def case(name, actions, *arguments):
    inputs = os.path.join(root, "tests/golden/comparison", name + ".npz")
    return run(f"tests/golden/comparison/{name}.mlir", "--inputs", inputs, "--mesh", "x=2", "-a", actions, *arguments)


# Zeros keep their sign and NaN their bits, whether windows are folded one by one or cumulatively, whole or in tiles.
for name in "rwneg", "cm", "cummax_nan":
    for dim in 0, 1:
        for against in "unpartitioned", "reference":
            answer, status = case(name, f'tile(arg=0, dim={dim}, axis="x"); infer-propagate', "--check", against)
            check(status == 0 and answer["pass"], f"{name} dim {dim} against {against}: {answer}")
            for output in answer["outputs"]:
                check(output["bit_equal"], f"{name} dim {dim} against {against}: {output}")
                check(against == "reference" or output["judged_by"] == "bits", f"{name}: {output}")

# A gradient in f32 of a model in bf16 is no more precise than that.
answer, status = case("bf16_mlp", 'tile(result=3, dim=0, axis="x"); infer-propagate')
check(status == 0 and answer["pass"], f"bf16_mlp: {answer}")
check(any(o.get("tolerance") == 0.1 for o in answer["outputs"]), f"bf16_mlp: {answer}")

# The first step of Adam divides gradients by their size, whatever they are.
answer, status = run(
    "examples/models/gpt_step.mlir", "--mesh", "data=2,model=2", "--spec", os.path.join(root, "examples/specs/gpt_megatron.txt"),
    "--fill", "opt*=zeros", "--repeat", "1",
)  # fmt: skip
check(status == 0 and answer["pass"], f"gpt_step: {[o for o in answer['outputs'] if not o['pass']]} {answer.get('error')}")
second = [o for o in answer["outputs"] if o["judged_by"] == "double"]
check(second, "gpt_step: no second opinion was needed")
for output in second:
    check(output["from_double"] <= 4 * output["expected_from_double"], f"gpt_step: {output}")

print("passed" if failures == 0 else f"{failures} failed")
sys.exit(1 if failures else 0)
