# SPDX-License-Identifier: Apache-2.0
# Gives a program's custom_call its meaning: how it may be split, what it takes, and a kernel that computes a
# device's part.
using Tilewright

const PROGRAM = """
func.func @main(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
     : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>
  %y = stablehlo.custom_call @my.rms_norm(%h, %scale) {epsilon = 1.0e-06 : f64}
     : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
  return %y : tensor<10x6xf32>
}
"""

"""Asked once, when the program is read: an error here has the call's position."""
function check(call)
    if length(call.operands) != 2 || length(call.results) != 1 || call.operands[1].dtype != :f32
        throw(ArgumentError("takes an f32 array and a scale"))
    end
    haskey(call.attributes, "epsilon") || throw(ArgumentError("the attribute epsilon is missing"))
end

"""Called for every device with the rows that it holds."""
function rms_norm(call)
    tile, epsilon = call.operands[1], call.attributes["epsilon"]
    x, scale, y = tile.array, call.operands[2].array, call.results[1].array
    for row in axes(x, 1)
        squares = sum(Float64(v)^2 for v in view(x, row, :))
        factor = Float32(1 / sqrt(squares / size(x, 2) + epsilon))
        y[row, :] .= view(x, row, :) .* factor .* scale
    end
    println("rows ", first(tile.ranges[1]) - 1, " to ", last(tile.ranges[1]), " of ", tile.whole[1])
end

# Rows go their own ways; a row's columns stay together on every device.
calls = CustomCalls()
add!(calls, "my.rms_norm"; rule = "... *, * -> ... *", check = check, kernel = rms_norm)
graph = loads(PROGRAM; file = "norm.mlir", custom_calls = calls)

plan = Plan(graph, Mesh(data = 3))
tile!(plan, "x", 1, :data)
propagate!(plan)
spmd = lower(plan)
println(count(spmd), " collectives")

inputs = (
    filled(:f32, (10, 6), "normal(0,1)"; stream = 0),
    filled(:f32, (6, 6), "normal(0,1)"; stream = 1),
    filled(:f32, (6,), "ones"; stream = 2),
)
parts, = run(Executable(spmd), inputs...)
one, = run(Executable(unpartitioned(graph)), inputs...)
same = compare(parts, one; exact = true).passes
println("three devices and one agree to the bit: ", same ? "yes" : "no")
exit(same ? 0 : 1)
