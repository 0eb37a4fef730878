# SPDX-License-Identifier: Apache-2.0
# Graphs built call by call.

"""
    b = Builder("mlp")
    x = argument!(b, "x", :f32, (16, 256))
    w = argument!(b, "w", :f32, (256, 1024))
    result!(b, "y", unary!(b, "tanh", einsum!(b, "bd,df->bf", x, w)))
    graph = finish!(b)

Errors are sticky: after the first call that fails all others do nothing, and `finish!` says which call it was
and why.
"""
Builder

# `kept` holds the functions of custom calls.
@object Builder tw_builder_t tw_builder_release

Builder(name = "main") = Builder(made(Lib.tw_builder_t, out -> Lib.tw_builder_create(c_text(name), out)), Any[])

"""A value of a builder."""
struct BuiltValue
    builder::Builder
    number::UInt32
end

Base.show(io::IO, value::BuiltValue) = print(io, "value %", value.number)
c_number(value::BuiltValue) = value.number

"""The number of a value, which must be this builder's."""
number_of(builder, value::BuiltValue) =
    value.builder === builder ? value.number : throw(invalid("a value of another builder was given"))

numbers_of(builder, values) = UInt32[number_of(builder, value) for value in values]

"""Does a call of a builder that makes a value."""
build(call, builder) = BuiltValue(builder, alone(call, builder))

"""The graph. The values of the builder are those of the graph. The builder is empty afterwards, and
closed."""
function finish!(builder::Builder)
    graph = alone(() -> Graph(made(Lib.tw_graph_t, out -> Lib.tw_builder_finish(builder, out)), builder.kept), builder)
    close(builder)
    return graph
end

"""Throws the error that sticks, if there is one."""
check_built(builder::Builder) = alone(() -> check(Lib.tw_builder_check(builder)), builder)

# ---- the signature ----

"""
    argument!(b, "x", :f32, (16, 256); donated = nothing)

An argument. A result may take the memory of one that is donated: to result i, or to :somewhere.
"""
function argument!(b::Builder, name, dtype, dims; donated = nothing)
    code, whole, count = code_of(dtype), sizes(dims), length(dims)
    donated === nothing && return build(() -> Lib.tw_builder_argument(b, c_text(name), code, whole, count), b)
    result = donated === :somewhere ? Int64(-1) : c_index(donated, "results")
    return build(() -> Lib.tw_builder_donated_argument(b, c_text(name), code, whole, count, result), b)
end

"""Declares a result of the program; in order."""
function result!(b::Builder, name, value::BuiltValue)
    alone(() -> Lib.tw_builder_result(b, c_text(name), number_of(b, value)), b)
    return b
end

# ---- constants ----

"""A literal array."""
function constant!(b::Builder, elements::AbstractArray{T}) where {T}
    literal, whole = Tensor(elements), sizes(size(elements))
    GC.@preserve literal return build(b) do
        Lib.tw_builder_constant(b, code_of(T), whole, length(whole), pointer(literal))
    end
end

"""An array whose elements all equal `value`, converted as stablehlo.convert does."""
splat!(b::Builder, value::Real, dtype, dims = ()) =
    let whole = sizes(dims)
        build(() -> Lib.tw_builder_splat(b, code_of(dtype), whole, length(whole), value), b)
    end

"""An array whose elements are all copies of one, bit for bit."""
function fill_with!(b::Builder, element::T, dims = ()) where {T}
    whole, one = sizes(dims), T[element]
    GC.@preserve one return build(() -> Lib.tw_builder_fill(b, code_of(T), whole, length(whole), pointer(one)), b)
end

# ---- ops ----

unary!(b::Builder, op, x) = build(() -> Lib.tw_builder_unary(b, c_text(op), number_of(b, x)), b)

"""Operands of equal size, or one a scalar, which is then broadcast."""
binary!(b::Builder, op, x, y) = build(() -> Lib.tw_builder_binary(b, c_text(op), number_of(b, x), number_of(b, y)), b)

"""Booleans: x DIRECTION y, of "EQ", "NE", "GE", "GT", "LE" and "LT"."""
compare!(b::Builder, direction, x, y) =
    build(() -> Lib.tw_builder_compare(b, c_text(direction), number_of(b, x), number_of(b, y)), b)

convert_to!(b::Builder, x, dtype) = build(() -> Lib.tw_builder_convert(b, number_of(b, x), code_of(dtype)), b)

"""A contraction of two operands, "bd,df->bf"."""
einsum!(b::Builder, subscripts, x, y) =
    build(() -> Lib.tw_builder_einsum(b, c_text(subscripts), number_of(b, x), number_of(b, y)), b)

"""Dimension i of the result is dimension permutation[i] of x."""
transpose!(b::Builder, x, permutation) =
    let dims = c_indices(permutation)
        build(() -> Lib.tw_builder_transpose(b, number_of(b, x), dims, length(dims)), b)
    end

"""The same elements in row-major order: the last dimension is the fastest, unlike in Base.reshape."""
reshape!(b::Builder, x, dims) =
    let whole = sizes(dims)
        build(() -> Lib.tw_builder_reshape(b, number_of(b, x), whole, length(whole)), b)
    end

"""Dimension i of x becomes dimension map[i] of the result; dimensions of size 1 expand."""
Base.broadcast!(b::Builder, x::BuiltValue, dims, map) =
    let whole = sizes(dims), to = c_indices(map)
        build(() -> Lib.tw_builder_broadcast(b, number_of(b, x), whole, length(whole), to, length(to)), b)
    end

"""The elements of x at these ranges, one for each dimension: slice!(b, x, 1:4, 2:2:8)."""
function slice!(b::Builder, x, ranges::AbstractRange...)
    starts = c_indices(first.(ranges))
    limits, steps = Int64[isempty(r) ? first(r) - 1 : last(r) for r in ranges], Int64[step(r) for r in ranges]
    return build(() -> Lib.tw_builder_slice(b, number_of(b, x), starts, limits, steps, length(starts)), b)
end

"""Arrays one behind the other in a dimension."""
concatenate!(b::Builder, values, dim) =
    let given = numbers_of(b, values)
        build(() -> Lib.tw_builder_concatenate(b, given, length(given), c_index(dim)), b)
    end

"""Reduces dimensions away with "sum", "max", "min" or "prod", integers and booleans also with "and", "or", "xor"."""
reduce!(b::Builder, kind, x, dims) =
    let away = c_indices(dims)
        build(() -> Lib.tw_builder_reduce(b, c_text(kind), number_of(b, x), away, length(away)), b)
    end

# ---- custom calls, names and shardings ----

"""The custom_calls that the host knows, as they are now."""
function custom_calls!(b::Builder, calls::CustomCalls)
    alone(() -> alone(() -> Lib.tw_builder_custom_calls(b, calls), calls), b)
    append!(b.kept, calls.kept)
    return b
end

"""A call of code that the program does not hold, with results of these types."""
function custom_call!(b::Builder, target, operands, types::AbstractVector{ArrayType}; attributes...)
    texts, kept, given = Texts(), Any[], numbers_of(b, operands)
    raw_results, raw = raw_types(types, kept), raw_attributes(pairs(attributes), texts, kept)
    out = fill(Lib.TW_NO_VALUE, length(types))
    GC.@preserve texts kept alone(b) do
        Lib.tw_builder_custom_call(
            b, c_text(target), given, length(given), raw_results, length(raw_results), raw, length(raw), out,
        )
    end
    return [BuiltValue(b, number) for number in out]
end

"""Calls a value "%name" in texts, reports and plans."""
function name!(b::Builder, value, name)
    alone(() -> Lib.tw_builder_name(b, number_of(b, value), c_text(name)), b)
    return value
end

"""Says how a value is to lie: every plan of the graph applies it first."""
function shard!(b::Builder, value, sharding::Sharding)
    alone(() -> Lib.tw_builder_shard(b, number_of(b, value), sharding), b)
    return value
end

"""
The value again, laid out so, of which every device keeps the halos too. One exchange brings them, elementwise
ops keep them, and what reads around a tile finds them there. Halos that wrap are refused.
"""
keep_halo!(b::Builder, value, sharding::Sharding) = build(() -> Lib.tw_builder_keep_halo(b, number_of(b, value), sharding), b)

"""Says how result i, which was declared, is to lie."""
function shard_result!(b::Builder, i, sharding::Sharding)
    alone(() -> Lib.tw_builder_shard_result(b, c_index(i, "results"), sharding), b)
    return b
end

Base.show(io::IO, builder::Builder) = print(io, isopen(builder) ? "Builder()" : "Builder(finished)")
