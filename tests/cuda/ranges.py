# SPDX-License-Identifier: Apache-2.0
"""Ranges for profilers (NVTX): each step that a device runs is in one, with its op and its source line.
Usage: ranges.py TW DOUBLE"""

import os
import re
import subprocess
import sys
import tempfile

PROGRAM = """func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32> loc("model.py":12:3)
  %1 = stablehlo.tanh %0 : tensor<8x8xf32> loc("model.py":13:3)
  return %1 : tensor<8x8xf32>
}
"""
DEVICES = 2


def main():
    tw, double = map(os.path.abspath, sys.argv[1:])
    with tempfile.TemporaryDirectory() as tmp:
        program, ranges = os.path.join(tmp, "model.mlir"), os.path.join(tmp, "ranges.txt")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        words = [tw, "run", program, "--mesh", f"x={DEVICES}", "-a", "tile(arg=a, dim=1, axis=x); infer-propagate", "--device", "cuda", "--profile"]
        environment = {**os.environ, "NVTX_INJECTION64_PATH": double, "TW_DOUBLE_RANGES": ranges}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        with open(ranges, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split(" ", 2) for line in file]
    begun = [name for sign, _, name in lines if sign == "begin"]
    assert begun and len(begun) == sum(sign == "end" for sign, _, _ in lines), lines
    assert all(depth == "0" for _, depth, _ in lines), lines
    for op, line in (("dot_general", 12), ("tanh", 13), ("all_reduce", 12)):
        matching = [name for name in begun if op in name and f"model.py:{line}" in name]
        assert len(matching) >= DEVICES and all(re.match(r"\d+ ", name) for name in matching), (op, begun)


main()
