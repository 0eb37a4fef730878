# SPDX-License-Identifier: Apache-2.0
# Walking a program: instructions, local values and collectives, by their numbers from 0.

Mesh(program::Program) = Mesh(made(Lib.tw_mesh_t, out -> Lib.tw_program_mesh(program, out)))

"""Which tile of argument i each device takes, and which of result i it gives."""
argument_sharding(program::Program, i) =
    made_sharding(out -> Lib.tw_program_argument_sharding(program, c_index(i, "arguments"), out))
result_sharding(program::Program, i) =
    made_sharding(out -> Lib.tw_program_result_sharding(program, c_index(i, "results"), out))

"""The actions that it follows."""
actions(program::Program) = GC.@preserve program [
    Action(viewed(Lib.tw_action_view_t, out -> Lib.tw_program_action(program, i, out)))
    for i in 0:Int(Lib.tw_program_num_actions(program))-1
]

"""A value of the graph, `origin`, as the devices hold it in one layout; instruction `instr` makes it. What lowering
added has no `origin`."""
struct Local
    origin::Union{Nothing,Int}
    instr::Int
end

"""All local values, number 0 first."""
function locals(program::Program)
    one(i) = viewed(Lib.tw_local_view_t, out -> Lib.tw_program_local(program, i, out))
    return [(view = one(i); Local(known(view.origin), view.instr)) for i in 0:Int(Lib.tw_program_num_locals(program))-1]
end

local_sharding(program::Program, number) =
    made_sharding(out -> Lib.tw_program_local_sharding(program, c_number(number), out))

const INSTR_KINDS = [
    :argument => Lib.TW_INSTR_ARGUMENT, :compute => Lib.TW_INSTR_COMPUTE, :collective => Lib.TW_INSTR_COLLECTIVE,
    :result => Lib.TW_INSTR_RESULT, :region => Lib.TW_INSTR_REGION, :loop => Lib.TW_INSTR_LOOP, :end_loop => Lib.TW_INSTR_END_LOOP,
    :accumulate => Lib.TW_INSTR_ACCUMULATE, :slice => Lib.TW_INSTR_SLICE,
]

"""One instruction. `op` is what it runs, of a collective the op whose operand or result moves; computations that
lowering added have none."""
struct Instr
    kind::Symbol
    op::Union{Nothing,Int}
    operands::Vector{Int}
    results::UnitRange{Int}
    "Which argument, result or axis, from 1; which border of regions, from 0."
    index::Int
    collective::Union{Nothing,Int}
    "Axes over which this compute leaves partial values."
    reduce_axes::Vector{Symbol}
end

"""The names of the axes whose bits are set."""
axes_in(bits, names) = Symbol[name for (i, name) in enumerate(names) if bits >> (i - 1) & 1 == 1]

"""All instructions, number 0 first."""
function instrs(program::Program)
    names = first.(axis_sizes(Mesh(program)))
    one(i) = begin
        view = viewed(Lib.tw_instr_view_t, out -> Lib.tw_program_instr(program, i, out))
        kind = name_in(INSTR_KINDS, view.kind)
        Instr(
            kind, known(view.op), numbers(view.operands, view.num_operands), run_of(view.first_result, view.num_results),
            kind in (:argument, :result, :loop) ? view.index + 1 : view.index, known(view.collective),
            axes_in(view.reduce_axes, names),
        )
    end
    GC.@preserve program return [one(i) for i in 0:Int(Lib.tw_program_num_instrs(program))-1]
end

const COLLECTIVE_KINDS = [
    :all_gather => Lib.TW_COLLECTIVE_ALL_GATHER, :all_reduce => Lib.TW_COLLECTIVE_ALL_REDUCE,
    :reduce_scatter => Lib.TW_COLLECTIVE_REDUCE_SCATTER, :all_to_all => Lib.TW_COLLECTIVE_ALL_TO_ALL,
    :permute => Lib.TW_COLLECTIVE_PERMUTE, :exchange => Lib.TW_COLLECTIVE_EXCHANGE,
]

"""One collective: over which axes data moves, between which ops, and how much the device that receives most
gets each time."""
struct Collective
    kind::Symbol
    reduction::Symbol
    axes::Vector{Symbol}
    instr::Int
    value::Union{Nothing,Int}
    producer::Union{Nothing,Int}
    consumer::Union{Nothing,Int}
    action::Int
    times::Int
    bytes_received::Int
    mean_bytes_received::Float64
    method::String
    num_steps::Int
    bytes_by_level::Vector{Int}
    scratch_bytes::Int
end

"""All collectives, number 0 first."""
function collectives(program::Program)
    names = first.(axis_sizes(Mesh(program)))
    one(i) = begin
        view = viewed(Lib.tw_collective_view_t, out -> Lib.tw_program_collective(program, i, out))
        Collective(
            name_in(COLLECTIVE_KINDS, view.kind), name_in(REDUCTIONS, view.reduction), axes_in(view.axes, names), view.instr,
            known(view.value), known(view.producer), known(view.consumer), view.action, view.times, view.bytes_received,
            view.mean_bytes_received, text(view.method), view.num_steps, numbers(view.bytes_by_level, view.num_levels),
            view.scratch_bytes,
        )
    end
    GC.@preserve program return [one(i) for i in 0:count(program)-1]
end

"""As of a plan, with the bytes of each way. Lowers parts of the plan again: for large programs it takes
seconds."""
conflicts(program::Program) = sharing(() -> made_conflicts(out -> Lib.tw_program_conflicts(program, out)), program)
disagreements(program::Program) = sharing(() -> made_conflicts(out -> Lib.tw_program_disagreements(program, out)), program)
