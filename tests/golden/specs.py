# SPDX-License-Identifier: Apache-2.0
"""The specs of examples/specs for the training step of examples/models: on several meshes the step equals the unpartitioned one, and what
each spec expects of its program holds.
Usage: specs.py TW"""

import glob
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
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed == 0 else 0)
