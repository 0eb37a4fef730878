# SPDX-License-Identifier: Apache-2.0
# Building ops with all that they can have, and regions. Attributes are StableHLO's: their dimensions count
# from 0.

"""A region of a builder, given to one op."""
struct BuiltRegion
    builder::Builder
    number::UInt32
end

"""
    region!(b, [ArrayType(:i32, ())]) do i
        compare!(b, "LT", i, splat!(b, 10, :i32))
    end

A region with arguments of these types: what the function adds. It answers what the region gives back: a
value, or several.
The op that takes it is added afterwards.
"""
function region!(body, b::Builder, types::AbstractVector{ArrayType})
    kept = Any[]
    raw, out = raw_types(types, kept), fill(Lib.TW_NO_VALUE, length(types))
    GC.@preserve kept alone(() -> Lib.tw_builder_begin_region(b, raw, length(raw), out), b)
    yields, ended = UInt32[], Lib.TW_NO_REGION
    try
        answer = body((BuiltValue(b, number) for number in out)...)
        yields = numbers_of(b, answer isa BuiltValue ? (answer,) : answer)
    finally # the region ends also where the function throws
        ended = alone(() -> Lib.tw_builder_end_region(b, yields, length(yields)), b)
    end
    return BuiltRegion(b, ended)
end

"""A region that combines two scalars by one op, "add" or "maximum": what reduce, reduce_window and scatter
take."""
combiner!(b::Builder, op, dtype) = BuiltRegion(b, alone(() -> Lib.tw_builder_combiner(b, c_text(op), code_of(dtype)), b))

"""
    add_op!(b, "iota"; iota_dimension = 0, result_dims = (4,), result_dtype = :i32)
    add_op!(b, "select", less, x, y)

Any registered op by name that has one result, with attributes of its schema (`ops_info`).
"""
function add_op!(b::Builder, op, operands::BuiltValue...; attributes...)
    texts, kept, given = Texts(), Any[], numbers_of(b, operands)
    raw = raw_attributes(pairs(attributes), texts, kept)
    none = Ptr{UInt32}(C_NULL)
    GC.@preserve texts kept return build(b) do
        Lib.tw_builder_add(b, c_text(op), given, length(given), raw, length(raw), none, 0)
    end
end

"""
    values, indices = op!(b, "sort", x, i; regions = [before], results = 2, attributes = (dimension = 0,))

An op with several results, regions, stated `types` of results, or a `location`, "model.py:12", or `line` and
`column`. Gives
a vector of its results, which must be as many as `results` says.
"""
function op!(b::Builder, op, operands::BuiltValue...; regions = BuiltRegion[], results = 1, attributes = (),
             types = nothing, location = nothing, line = 0, column = 0)
    texts, kept, given = Texts(), Any[], numbers_of(b, operands)
    all(region -> region.builder === b, regions) || throw(invalid("a region of another builder was given"))
    region_numbers = UInt32[region.number for region in regions]
    raw = raw_attributes(pairs(attributes), texts, kept)
    raw_results = types === nothing ? Lib.tw_type_t[] : raw_types(types, kept)
    out = fill(Lib.TW_NO_VALUE, results + 1)
    GC.@preserve texts kept given region_numbers raw raw_results alone(b) do
        spec = filled_struct(
            Lib.tw_op_spec_t; name = address(texts, op), operands = pointer(given), num_operands = length(given),
            regions = pointer(region_numbers), num_regions = length(region_numbers), attrs = pointer(raw), num_attrs = length(raw),
            result_types = types === nothing ? Ptr{Lib.tw_type_t}(C_NULL) : pointer(raw_results),
            num_result_types = length(raw_results), location = address(texts, location), line = line, column = column,
        )
        Lib.tw_builder_op(b, Ref(spec), out, length(out))
        if Lib.tw_builder_check(b) == Lib.TW_OK && count(number -> number != Lib.TW_NO_VALUE, out) != results
            throw(invalid("$op has not the $results results that were asked for"))
        end
    end
    return [BuiltValue(b, number) for number in out[1:results]]
end
