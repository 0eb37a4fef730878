# SPDX-License-Identifier: Apache-2.0
"""Gives a program's custom_call its meaning: how it may be split, what it takes, and a kernel that computes a device's part."""

import math
import sys

import tilewright as tw

PROGRAM = """func.func @main(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
     : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>
  %y = stablehlo.custom_call @my.rms_norm(%h, %scale) {epsilon = 1.0e-06 : f64}
     : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
  return %y : tensor<10x6xf32>
}
"""


def check(call):
    """Asked once, when the program is read: an error here has the call's position."""
    if len(call.operands) != 2 or len(call.results) != 1 or call.operands[0].dtype != "f32":
        raise ValueError("takes an f32 array and a scale")
    if "epsilon" not in call.attributes:
        raise ValueError("the attribute epsilon is missing")


def rms_norm(call):
    """Called for every device with the rows that it holds."""
    x, scale, y = call.operands[0], call.operands[1].memory, call.results[0].memory
    rows, columns = x.extent
    for row in range(rows):
        values = [x.memory[row, i] for i in range(columns)]
        factor = 1 / math.sqrt(sum(v * v for v in values) / columns + call.attributes["epsilon"])
        for i, value in enumerate(values):
            y[row, i] = value * factor * scale[i]
    # Several run at once, and print() would write the end of the line by itself.
    sys.stdout.write(f"rows {x.offset[0]} to {x.offset[0] + rows} of {x.whole[0]}\n")


# Rows go their own ways; a row's columns stay together on every device.
calls = tw.CustomCalls().add("my.rms_norm", "... *, * -> ... *", rms_norm, check)
graph = tw.loads(PROGRAM, file="norm.mlir", custom_calls=calls)
spmd = graph.plan("data=3").tile("x", 0, "data").propagate().lower()
print(f"{spmd.num_collectives} collectives")

inputs = [
    tw.filled((10, 6), "f32", "normal(0,1)", stream=0),
    tw.filled((6, 6), "f32", "normal(0,1)", stream=1),
    tw.filled((6,), "f32", "ones", stream=2),
]
(parts,) = spmd.executable().run(*inputs)
(one,) = tw.Program.unpartitioned(graph).executable().run(*inputs)
same = parts.compare(one, exact=True)
print(f"three devices and one agree to the bit: {'yes' if same else 'no'}")
sys.exit(0 if same else 1)
