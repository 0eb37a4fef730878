# SPDX-License-Identifier: Apache-2.0
# Walking a graph: its ops, values and regions are numbers, which begin at 0 as reports print them.

"""One op of a graph."""
struct Op
    number::Int
    name::String
    operands::Vector{Int}
    results::UnitRange{Int}
    regions::UnitRange{Int}
    "The region that holds it; 0 is the body of the program."
    parent::Int
    attributes::Vector{Pair{String,Any}}
    "Line and column in the imported text, from 1; 0: not known."
    line::Int
    column::Int
end

"""One value: a result of an op, or an argument of a region. `op` is nothing for these; `index` says which,
from 1."""
struct GraphValue
    number::Int
    type::ArrayType
    op::Union{Nothing,Int}
    index::Int
    region::Int
    "Where it is read: op => operand, from 1."
    uses::Vector{Pair{Int,Int}}
end

"""A region: the body of the program (0), or of a while, a reduction, .. `parent` is nothing of the body of
the program."""
struct GraphRegion
    number::Int
    parent::Union{Nothing,Int}
    arguments::Vector{Int}
    ops::Vector{Int}
    yields::Vector{Int}
end

"""A number, or nothing for none."""
known(number::UInt32) = number == typemax(UInt32) ? nothing : Int(number)

numbers(data, count) = Int.(copied(data, count))

"""Consecutive numbers."""
run_of(first, count) = count == 0 ? (0:-1) : (Int(first):Int(first)+Int(count)-1)

"""The number of an op, value or region for a call, which checks it."""
c_number(number::Integer) = 0 <= number < typemax(UInt32) ? UInt32(number) : throw(Error(:out_of_range, "there is no number $number"))

function get_op(graph::Graph, number)
    op = c_number(number)
    GC.@preserve graph begin
        view = viewed(Lib.tw_op_view_t, out -> Lib.tw_graph_op(graph, op, out))
        attribute(i) = begin
            raw = viewed(Lib.tw_attr_t, out -> Lib.tw_graph_attr(graph, op, i, out))
            Pair{String,Any}(text(raw.name), attribute_value(raw))
        end
        return Op(
            number, text(view.name), numbers(view.operands, view.num_operands), run_of(view.first_result, view.num_results),
            run_of(view.first_region, view.num_regions), view.parent, [attribute(i) for i in 0:Int(view.num_attrs)-1], view.line,
            view.column,
        )
    end
end

"""All ops, those of regions too, each behind those whose results it reads."""
ops(graph::Graph) = (get_op(graph, number) for number in 0:Int(Lib.tw_graph_op_end(graph))-1)

function get_value(graph::Graph, number)
    GC.@preserve graph begin
        view = viewed(Lib.tw_value_view_t, out -> Lib.tw_graph_value(graph, c_number(number), out))
        uses = Pair{Int,Int}[use.op => use.operand + 1 for use in copied(view.uses, view.num_uses)]
        type = ArrayType(name_of(view.dtype), numbers(view.dims, view.ndims))
        return GraphValue(c_number(number), type, known(view.op), view.index + 1, view.region, uses)
    end
end

"""All values of a graph."""
values_of(graph::Graph) = (get_value(graph, number) for number in 0:Int(Lib.tw_graph_value_end(graph))-1)

function get_region(graph::Graph, number)
    GC.@preserve graph begin
        view = viewed(Lib.tw_region_view_t, out -> Lib.tw_graph_region(graph, c_number(number), out))
        return GraphRegion(
            number, known(view.parent), numbers(view.arguments, view.num_arguments), numbers(view.ops, view.num_ops),
            numbers(view.yields, view.num_yields),
        )
    end
end

regions(graph::Graph) = (get_region(graph, number) for number in 0:Int(Lib.tw_graph_region_end(graph))-1)

"""The elements of a constant: an array, and whether its one element stands for all."""
function constant(graph::Graph, op)
    data, bytes, is_splat = Ref{Ptr{Cvoid}}(C_NULL), Ref{Csize_t}(0), Ref{Cint}(0)
    GC.@preserve graph begin
        check(Lib.tw_graph_constant(graph, c_number(op), data, bytes, is_splat))
        type = get_value(graph, first(get_op(graph, op).results)).type
        T = julia_type(code_of(type.dtype))
        elements = copied(convert(Ptr{T}, data[]), div(bytes[], size_of(type.dtype)))
        is_splat[] != 0 && return elements, true
        return row_major(reshape(elements, reverse(type.size)...)), false
    end
end

"""The value of argument i, and that which result i is; nothing where there is none."""
argument_value(graph::Graph, i) = known(Lib.tw_graph_argument(graph, c_index(i, "arguments")))
result_value(graph::Graph, i) = known(Lib.tw_graph_result(graph, c_index(i, "results")))

"""The number of the one value of a name: of an argument, of a result, or "%12"."""
function find_value(graph::Graph, name)
    value = Ref{UInt32}(0)
    check(Lib.tw_graph_find_value(graph, c_text(name), value))
    return Int(value[])
end

"""What plans and reports call a value, and how texts spell it."""
value_name(graph::Graph, number) = blob_text(out -> Lib.tw_graph_value_name(graph, c_number(number), out))
symbol(graph::Graph, number) = blob_text(out -> Lib.tw_graph_symbol(graph, c_number(number), out))

"""Where an op comes from: "model.py:12", "file.mlir:40:5", or nothing at all, ""."""
op_location(graph::Graph, op) = blob_text(out -> Lib.tw_graph_op_location(graph, c_number(op), out))
