# SPDX-License-Identifier: Apache-2.0
# What the tests share: a small program and its inputs.
using Test, Tilewright

"""y = tanh(x w1) w2."""
function mlp(batch = 8, features = 6, hidden = 12)
    b = Builder("mlp")
    x = argument!(b, "x", :f32, (batch, features))
    w1 = argument!(b, "w1", :f32, (features, hidden))
    w2 = argument!(b, "w2", :f32, (hidden, features))
    h = unary!(b, "tanh", einsum!(b, "bd,df->bf", x, w1))
    result!(b, "y", einsum!(b, "bf,fd->bd", h, w2))
    return finish!(b)
end

inputs(graph) = [filled(type.dtype, type.size; stream = i) for (i, (_, type)) in enumerate(arguments(graph))]

mesh() = Mesh(data = 2, model = 2)

function planned(graph = mlp())
    plan = Plan(graph, mesh())
    tile!(plan, "x", 1, :data)
    tile!(plan, "w1", 2, :model)
    return infer_propagate!(plan)
end

"""The error that a call throws."""
function thrown(call)
    try
        call()
    catch error
        return error
    end
    return nothing
end
