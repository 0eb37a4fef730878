# SPDX-License-Identifier: Apache-2.0
# Walking a plan: shardings, loop nests, actions and conflicts.

"""The mesh as it is now: with the axes that actions added, and parts of axes of which they name some."""
Mesh(plan::Plan) = alone(() -> Mesh(made(Lib.tw_mesh_t, out -> Lib.tw_plan_mesh(plan, out))), plan)

made_sharding(call) = Sharding(made(Lib.tw_sharding_t, call))

"""How a value lies as its users get it, how argument i is given, and how result i is handed out."""
value_sharding(plan::Plan, value) =
    alone(() -> made_sharding(out -> Lib.tw_plan_value_sharding(plan, c_number(value), out)), plan)
argument_sharding(plan::Plan, i) =
    alone(() -> made_sharding(out -> Lib.tw_plan_argument_sharding(plan, c_index(i, "arguments"), out)), plan)
result_sharding(plan::Plan, i) =
    alone(() -> made_sharding(out -> Lib.tw_plan_result_sharding(plan, c_index(i, "results"), out)), plan)

"""One step that was applied: a line of a spec, an annotation of the module, a call such as `tile!`."""
struct Action
    text::String
    "Empty where it stands in no text; line and column then are 0."
    file::String
    line::Int
    column::Int
end

Action(raw::Lib.tw_action_view_t) = Action(text(raw.text), text(raw.file), raw.line, raw.column)

"""The actions so far. The first, number 0, stands for the annotations of the module as a whole."""
actions(plan::Plan) = alone(plan) do
    [Action(viewed(Lib.tw_action_view_t, out -> Lib.tw_plan_action(plan, i, out))) for i in 0:Int(Lib.tw_plan_num_actions(plan))-1]
end

const LOOP_KINDS = [:tile => Lib.TW_LOOP_TILE, :reduce => Lib.TW_LOOP_REDUCE, :whole => Lib.TW_LOOP_WHOLE]

"""One loop around an op. Dimensions are nothing where it tiles none."""
struct Loop
    axis::Symbol
    "It tiles results (:tile), reduces (:reduce), or keeps the op whole on purpose (:whole)."
    kind::Symbol
    dim::Union{Nothing,Int}
    reduction::Symbol
    "The number of the action from which it follows."
    action::Int
    "The neighbour whose loop it follows; nothing: an action put it here."
    cause::Union{Nothing,Int}
    operand_dims::Vector{Union{Nothing,Int}}
    result_dims::Vector{Union{Nothing,Int}}
end

"""The loops around an op, outermost first. None where nothing was decided."""
function loops(plan::Plan, op)
    number = c_number(op)
    shape = get_op(Graph(plan), op)
    one(i) = begin
        view = viewed(Lib.tw_loop_view_t, out -> Lib.tw_plan_loop(plan, number, i, out))
        operands, results = zeros(Int32, length(shape.operands)), zeros(Int32, length(shape.results))
        check(Lib.tw_plan_loop_dims(plan, number, i, operands, results))
        Loop(
            Symbol(text(view.axis)), name_in(LOOP_KINDS, view.kind), julia_index(view.dim), name_in(REDUCTIONS, view.reduction),
            view.action, known(view.cause), julia_index.(operands), julia_index.(results),
        )
    end
    return alone(() -> [one(i) for i in 0:Int(Lib.tw_plan_num_loops(plan, number))-1], plan)
end

const CONFLICT_KINDS = [
    :tie => Lib.TW_CONFLICT_TIE, :gate => Lib.TW_CONFLICT_GATE, :uneven => Lib.TW_CONFLICT_UNEVEN,
    :strided => Lib.TW_CONFLICT_STRIDED, :mismatch => Lib.TW_CONFLICT_MISMATCH, :illegal => Lib.TW_CONFLICT_ILLEGAL,
]

"""One way to decide a conflict. `bytes` is what the busiest device receives then, `more_bytes` than now;
nothing: not known."""
struct Way
    kind::Symbol
    dim::Union{Nothing,Int}
    reduction::Symbol
    text::String
    "The neighbour that offers it, and the action from which that follows."
    source::Union{Nothing,Int}
    action::Int
    bytes::Union{Nothing,Int}
    more_bytes::Union{Nothing,Int}
end

"""Why an axis was not given to an op, or a value moves."""
struct Conflict
    kind::Symbol
    axis::Symbol
    op::Union{Nothing,Int}
    value::Union{Nothing,Int}
    "All of it in a line, for people."
    text::String
    "Of a disagreement the first is what the op does now."
    ways::Vector{Way}
end

@object ConflictList tw_conflicts_t tw_conflicts_release

function way_of(list, i, way)
    view = viewed(Lib.tw_way_view_t, out -> Lib.tw_conflicts_way(list, i, way, out))
    costs = view.bytes < 0 ? (nothing, nothing) : (view.bytes, view.more_bytes)
    return Way(
        name_in(LOOP_KINDS, view.kind), julia_index(view.dim), name_in(REDUCTIONS, view.reduction), text(view.text),
        known(view.source), view.action, costs...,
    )
end

"""The conflicts of the list that a call makes."""
function made_conflicts(call)
    list = ConflictList(made(Lib.tw_conflicts_t, call))
    one(i) = begin
        view = viewed(Lib.tw_conflict_view_t, out -> Lib.tw_conflicts_view(list, i, out))
        ways = [way_of(list, i, way) for way in 0:Int(view.num_ways)-1]
        Conflict(name_in(CONFLICT_KINDS, view.kind), Symbol(text(view.axis)), known(view.op), known(view.value), text(view.text), ways)
    end
    found = GC.@preserve list [one(i) for i in 0:Int(Lib.tw_conflicts_count(list))-1]
    close(list)
    return found
end

"""What propagation could not decide, and decided neighbours that do not agree. Costs are not known: a
Program's are."""
conflicts(plan::Plan) = alone(() -> made_conflicts(out -> Lib.tw_plan_conflicts(plan, out)), plan)
disagreements(plan::Plan) = alone(() -> made_conflicts(out -> Lib.tw_plan_disagreements(plan, out)), plan)
