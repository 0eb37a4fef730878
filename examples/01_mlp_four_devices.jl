# SPDX-License-Identifier: Apache-2.0
# A two-layer perceptron, built call by call, tiled over four devices by batch and by feature, run, and
# compared with one device.
using Printf, Tilewright

# Errors are sticky: the one at finish! covers all of these calls.
b = Builder("mlp")
x = argument!(b, "x", :f32, (16, 256))
w1 = argument!(b, "w1", :f32, (256, 1024))
w2 = argument!(b, "w2", :f32, (1024, 256))
h = unary!(b, "stablehlo.tanh", einsum!(b, "bd,df->bf", x, w1))
result!(b, "y", einsum!(b, "bf,fd->bd", h, w2))
graph = finish!(b)

# Two actions decide everything: the rows of w2 follow by inference, and their contraction becomes the one
# collective.
plan = Plan(graph, Mesh(data = 2, model = 2))
tile!(plan, "x", 1, :data)
tile!(plan, "w1", 2, :model)
infer_propagate!(plan)
spmd = lower(plan)
println(count(spmd, :all_reduce), " all_reduce in all, ", bytes_received(spmd), " bytes received by the busiest device")

# Global arrays in, global arrays out, on four devices and on one.
inputs = (
    filled(:f32, (16, 256), "normal(0,1)"; stream = 0),
    filled(:f32, (256, 1024), "normal(0,0.06)"; stream = 1),
    filled(:f32, (1024, 256), "normal(0,0.03)"; stream = 2),
)
y4, = run(Executable(spmd), inputs...)
y1, = run(Executable(unpartitioned(graph)), inputs...)
c = compare(y4, y1)
@printf("four devices and one: largest relative difference %.1e, %s\n", c.max_rel, c.passes ? "equal" : "DIFFERENT")
exit(c.passes ? 0 : 1)
