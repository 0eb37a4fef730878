# SPDX-License-Identifier: Apache-2.0
"""A two-layer perceptron, built call by call, tiled over four devices by batch and by feature, run, and compared with one device."""

import sys

import tilewright as tw

b = tw.Builder("mlp")
x = b.argument("x", "f32", (16, 256))
w1 = b.argument("w1", "f32", (256, 1024))
w2 = b.argument("w2", "f32", (1024, 256))
h = b.unary("stablehlo.tanh", b.einsum("bd,df->bf", x, w1))
graph = b.result("y", b.einsum("bf,fd->bd", h, w2)).finish()

# Two actions decide everything: the rows of w2 follow by inference, and their contraction becomes the one collective.
plan = graph.plan(tw.Mesh(data=2, model=2)).tile("x", 0, "data").tile("w1", 1, "model").infer_propagate()
spmd = plan.lower()
print(f"{spmd.count('all_reduce')} all_reduce in all, {spmd.bytes_received} bytes received by the busiest device")

# Global arrays in, global arrays out, on four devices and on one.
inputs = [
    tw.filled((16, 256), "f32", "normal(0,1)", stream=0),
    tw.filled((256, 1024), "f32", "normal(0,0.06)", stream=1),
    tw.filled((1024, 256), "f32", "normal(0,0.03)", stream=2),
]
(y4,) = spmd.executable().run(*inputs)
(y1,) = tw.Program.unpartitioned(graph).executable().run(*inputs)
c = y4.compare(y1)
print(f"four devices and one: largest relative difference {c.max_rel:.1e}, {'equal' if c else 'DIFFERENT'}")
sys.exit(0 if c else 1)
