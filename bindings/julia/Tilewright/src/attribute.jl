# SPDX-License-Identifier: Apache-2.0
# Attributes of ops and calls: integers, floats, booleans, strings and vectors of integers. Their numbers are
# StableHLO's, which
# counts dimensions from 0.

function attribute_value(raw::Lib.tw_attr_t)
    raw.kind == Lib.TW_ATTR_REAL && return raw.real
    raw.kind == Lib.TW_ATTR_STRING && return text(raw.string)
    raw.kind == Lib.TW_ATTR_INTS && return Int.(copied(raw.ints, raw.num_ints))
    return raw.kind == Lib.TW_ATTR_BOOLEAN ? raw.integer != 0 : Int(raw.integer)
end

attribute_fields(value::Bool, _, _) = (kind = Lib.TW_ATTR_BOOLEAN, integer = value)
attribute_fields(value::Integer, _, _) = (kind = Lib.TW_ATTR_INTEGER, integer = value)
attribute_fields(value::AbstractFloat, _, _) = (kind = Lib.TW_ATTR_REAL, real = value)
attribute_fields(value::AbstractString, texts, _) = (kind = Lib.TW_ATTR_STRING, string = address(texts, value))
attribute_fields(value::Symbol, texts, kept) = attribute_fields(code_of(value), texts, kept)

function attribute_fields(value::Union{Tuple,AbstractVector}, _, kept)
    ints = sizes(value)
    push!(kept, ints)
    return (kind = Lib.TW_ATTR_INTS, ints = pointer(ints), num_ints = length(ints))
end

attribute_fields(value, _, _) =
    throw(invalid("an attribute is a number, a boolean, a string or integers, not a $(typeof(value))"))

"""Attributes, given as pairs of name and value, as structs that are used while `texts` and `kept` live."""
raw_attributes(attributes, texts::Texts, kept::Vector{Any}) = Lib.tw_attr_t[
    filled_struct(Lib.tw_attr_t; name = address(texts, String(name)), attribute_fields(value, texts, kept)...)
    for (name, value) in attributes
]
