# SPDX-License-Identifier: Apache-2.0
"""What tw run tells of steps that the host takes for GPUs, on doubles of CUDA. Usage: report.py TW"""

import json
import os
import subprocess
import sys
import tempfile

# A sort by two keys, which CUB does not take, between ops that GPUs run.
PROGRAM = """func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.add %a, %b : tensor<64xf32>
  %1:2 = "stablehlo.sort"(%0, %b) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
    %x = stablehlo.add %p, %r : tensor<f32>
    %y = stablehlo.add %q, %s : tensor<f32>
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %2 = stablehlo.multiply %1#0, %1#1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}
"""

FUNCTION = """func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {{
  %0 = stablehlo.{} %a : tensor<64xf32>
  return %0 : tensor<64xf32>
}}
"""


def run(tw, path, *options):
    words = [tw, "run", path, "--device", "cuda", *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    tw = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "sort.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        told = json.loads(run(tw, path, "--json"))["on_host"]
        group = told["groups"][0]
        expected = {"name": "stablehlo.sort", "steps": 1, "bytes": 4 * 64 * 4, "reason": group["reason"]}
        assert told["groups"] == [expected] and "CUB" in group["reason"], told
        assert (told["steps"], told["bytes"]) == (1, 4 * 64 * 4) and told["of"] >= 3, told
        for options in ([], ["--profile", "--quiet"]):
            text = run(tw, path, *options)
            line = f"on the host: 1 of {told['of']} steps, 1.02 kB copied for them in a run"
            assert line in text and group["reason"] in text, text
        assert "on the host" not in run(tw, path, "--quiet")
        # With the host's bits the host computes what it leaves to its C library.
        for function, options, steps in (
            ("sine", ["--tf32"], 0), ("sine", ["--same-bits"], 1), ("exponential", ["--same-bits"], 0),
        ):
            with open(path, "w", encoding="utf-8") as file:
                file.write(FUNCTION.format(function))
            told = json.loads(run(tw, path, "--json", *options))["on_host"]
            assert told["steps"] == steps, (function, options, told)
            assert all("other bits" in group["reason"] for group in told["groups"]), told


main()
