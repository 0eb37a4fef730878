# SPDX-License-Identifier: Apache-2.0
# Array programs: read from text or built call by call.

"""An SSA program of n-d array ops with static sizes. It never changes. `load`, `loads` and `Builder` make
one."""
Graph

# `kept` is the functions of custom calls.
@object Graph tw_graph_t tw_graph_release

"""
    loads(text; file, entry, names, names_file, custom_calls, allow_unknown = false, mesh)

Reads a program: StableHLO as JAX prints it, with sdy and GSPMD annotations, or PartIR loops. `names` are
those of the
arguments, one a line, or a vector; `mesh` names the axes of grids of the shard dialect.
"""
function loads(program::Union{AbstractString,AbstractVector{UInt8}}; file = nothing, entry = nothing, names = nothing,
               names_file = nothing, custom_calls::Union{Nothing,CustomCalls} = nothing, allow_unknown = false, mesh = nothing)
    bytes, texts = Vector{UInt8}(program), Texts()
    names isa AbstractVector && (names = join(names, '\n'))
    function read(calls)
        options = filled_struct(
            Lib.tw_import_options_t; file = address(texts, file), entry = address(texts, entry), names = address(texts, names),
            names_file = address(texts, names_file), custom_calls = calls, allow_unknown = allow_unknown,
            mesh = address(texts, mesh),
        )
        call(out) = Lib.tw_graph_import(pointer(bytes), length(bytes), Ref(options), out)
        GC.@preserve texts bytes return made(Lib.tw_graph_t, call)
    end
    custom_calls === nothing && return Graph(read(Ptr{Lib.tw_custom_calls_t}(C_NULL)))
    return alone(custom_calls) do
        GC.@preserve custom_calls Graph(read(open_pointer(custom_calls)), copy(custom_calls.kept))
    end
end

"""Reads a file; the options are those of `loads`."""
function load(path; options...)
    isfile(path) || throw(Error(:not_found, "cannot read $path"))
    return loads(read(path); file = path, options...)
end

Base.nameof(graph::Graph) = GC.@preserve graph text(Lib.tw_graph_name(graph))

"""Arguments and results not counted."""
num_ops(graph::Graph) = Int(Lib.tw_graph_num_ops(graph))

"""Names and types of the arguments."""
function arguments(graph::Graph)
    rank = Ref{Csize_t}(0)
    one(i) = text(Lib.tw_graph_argument_name(graph, i)) => ArrayType(
        name_of(Lib.tw_graph_argument_dtype(graph, i)), copied(Lib.tw_graph_argument_dims(graph, i, rank), rank[]),
    )
    GC.@preserve graph return [one(i) for i in 0:Int(Lib.tw_graph_num_arguments(graph))-1]
end

"""Names and types of the results."""
function results(graph::Graph)
    rank = Ref{Csize_t}(0)
    one(i) = text(Lib.tw_graph_result_name(graph, i)) => ArrayType(
        name_of(Lib.tw_graph_result_dtype(graph, i)), copied(Lib.tw_graph_result_dims(graph, i, rank), rank[]),
    )
    GC.@preserve graph return [one(i) for i in 0:Int(Lib.tw_graph_num_results(graph))-1]
end

"""Which result an argument may be overwritten by: its number, :somewhere, or nothing."""
function donated_to(graph::Graph, argument)
    result = Lib.tw_graph_donated_to(graph, c_index(argument, "arguments"))
    return result == -2 ? :somewhere : julia_index(result)
end

"""The mesh that the module declares, or nothing."""
function declared_mesh(graph::Graph)
    declared = GC.@preserve graph text(Lib.tw_graph_mesh(graph))
    return isempty(declared) ? nothing : Mesh(declared)
end

"""Of the code of one device: how many dimensions in front of every argument and result count the devices of
its grid."""
grid_rank(graph::Graph) = Int(Lib.tw_graph_grid_rank(graph))

"""Op census, FLOPs, bytes, annotations, what is opaque or ignored, as JSON; with `values` also every
value."""
info(graph::Graph; values = false) = blob_text(out -> Lib.tw_graph_info(graph, values, out))

"""Results of the slow reference evaluator, op by op on whole arrays: the oracle of everything else."""
function evaluate(graph::Graph, inputs...)
    given = tensors(inputs)
    outputs = Tensor[Tensor(type.dtype, type.size) for (_, type) in results(graph)]
    sharing(graph, given..., outputs...) do
        ins, outs = pointers(given), pointers(outputs)
        check(Lib.tw_graph_evaluate(graph, ins, length(ins), outs, length(outs)))
    end
    return outputs
end

"""
Where the NaN of the results begin, or where none has NaN their Inf: the first op that makes them and the arguments
that it is computed from, as JSON; "null" where results are finite.
"""
function find_nonfinite(graph::Graph, inputs...)
    given = tensors(inputs)
    return sharing(graph, given...) do
        ins = pointers(given)
        blob_text(out -> Lib.tw_graph_find_nonfinite(graph, ins, length(ins), out))
    end
end

"""Arrays as tensors, without a copy where they are row-major."""
tensors(arrays) = Tensor[Tensor(a) for a in arrays]

"""Their addresses, used while the tensors live."""
pointers(tensors) = Ptr{Lib.tw_tensor_t}[open_pointer(tensor) for tensor in tensors]

Base.show(io::IO, graph::Graph) = print(
    io, "Graph(", isopen(graph) ? "$(repr(nameof(graph))): $(num_ops(graph)) ops, $(length(arguments(graph))) arguments" : "closed",
    ')',
)

"""The names of all registered ops, sorted."""
op_names() = [text(Lib.tw_op_name(i)) for i in 0:Int(Lib.tw_op_count())-1]

"""One op, or all: doc, operands, results, attributes, rule, kinds, kernels, as JSON."""
ops_info(name = nothing) = blob_text(out -> Lib.tw_ops_info(maybe(name), out))
