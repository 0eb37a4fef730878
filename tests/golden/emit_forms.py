# SPDX-License-Identifier: Apache-2.0
"""Every form of tw emit over every program of the tree: text or an error, never a signal. TW_FULL: each under every plan.
Usage: emit_forms.py TW"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

tw = os.path.abspath(sys.argv[1])
root = os.environ.get("TW_SOURCE_ROOT", ".")
PLANS = [
    ["--mesh", "x=2"],
    ["--mesh", "x=2,y=2", "-a", 'tile(arg=0, dim=0, axis="x"); infer-propagate'],
    ["-a", 'serial(axis="s", size=2)'],
]
# What has no results, in the program and in what it runs.
SMALL = {
    "check": """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  check.expect_eq %a, %a : tensor<4xf32>
  return %a : tensor<4xf32>
}""",
    "check_alone": """func.func @main() {
  %a = stablehlo.constant dense<1.0> : tensor<4xf32>
  check.expect_eq %a, %a : tensor<4xf32>
  return
}""",
    "check_in_loop": """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.while(%i = %0, %x = %a) : tensor<i32>, tensor<4xf32>
    cond {
      %c = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %i, %c : tensor<i32>
      check.expect_close %x, %x : tensor<4xf32>, tensor<4xf32>
      stablehlo.return %3, %x : tensor<i32>, tensor<4xf32>
    }
  return %1#1 : tensor<4xf32>
}""",
    "call_without_results": """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return %a : tensor<4xf32>
}""",
    "token": """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  return %a : tensor<4xf32>
}""",
    "no_results": """func.func @main(%a: tensor<4xf32>) {
  return
}""",
}


def emit(job):
    name, path, plan, form = job
    done = subprocess.run([tw, "emit", path, "--to", form, *plan], capture_output=True, check=False)
    said = done.stderr.decode()
    good = done.returncode in (0, 3) and done.stdout or done.returncode == 1 and "error" in said
    return "" if good else f"{name} --to {form} {' '.join(plan)}: {done.returncode}, {said[:200]}"


def all_forms():
    told = subprocess.run([tw, "emit", "/dev/null", "--to", "?", "--json"], capture_output=True, text=True, check=False).stderr
    return re.search(r'the forms are ([^\["]*)', told)[1].strip().split(", ")


FORMS = all_forms()
with tempfile.TemporaryDirectory() as temporary:
    programs = {}
    for folder in "tests/golden/programs", "tests/golden/checked", "tests/golden/cli", "tests/golden/comparison", "examples/models/zoo":
        for path in glob.glob(os.path.join(root, folder, "*.mlir")):
            programs[os.path.relpath(path, root)] = path
    for name, text in SMALL.items():
        programs[name] = os.path.join(temporary, name + ".mlir")
        with open(programs[name], "w", encoding="utf-8") as file:
            file.write(text)
    jobs = [
        (name, path, plan, form)
        for i, (name, path) in enumerate(sorted(programs.items()))
        for j, plan in enumerate(PLANS)
        for k, form in enumerate(FORMS)
        if "TW_FULL" in os.environ or (i + j + k) % len(PLANS) == 0  # a slice: each program in each form, in one of the plans
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [why for why in pool.map(emit, jobs) if why]
    # Those of our own give text in the forms of the whole program and of a device.
    for name in SMALL:
        for form in "loops", "spmd", "stablehlo", "stablehlo+sdy":
            done = subprocess.run([tw, "emit", programs[name], "--to", form, "--mesh", "x=2"], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                failed.append(f"{name} --to {form} gives no text: {done.stderr[:300]}")
print("\n".join(failed))
print(f"{len(jobs)} texts, {len(failed)} failed")
sys.exit(1 if failed else 0)
