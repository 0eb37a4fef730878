# SPDX-License-Identifier: Apache-2.0
# Plans: sharding actions on a graph, propagated through all of it.

"""
    Plan(graph, mesh = nothing; policy = nothing, ignore_annotations = false)

A graph, a mesh, and the decisions so far. Without a mesh it is the one that the module declares. `policy`
says what
propagation does where it has a choice: "conservative", "shardy", "cheapest" or "explicit".
"""
Plan

@object Plan tw_plan_t tw_plan_release

"""What a plan needs: its graph, and who is told of its actions."""
mutable struct PlanKept
    graph::Graph
    watcher::Any
end

"""Who is told of actions, of which plan, and what it threw."""
mutable struct Watcher
    callback::Any
    plan::Plan
    thrown::Any
end

function Plan(graph::Graph, mesh::Union{Mesh,Nothing} = nothing; policy = nothing, ignore_annotations = false)
    texts = Texts()
    options = filled_struct(Lib.tw_plan_options_t; policy = address(texts, policy), ignore_annotations = ignore_annotations)
    over = mesh === nothing ? Ptr{Lib.tw_mesh_t}(C_NULL) : mesh
    call(out) = Lib.tw_plan_create(graph, over, Ref(options), out)
    objects = mesh === nothing ? (graph,) : (graph, mesh)
    GC.@preserve texts return sharing(() -> Plan(made(Lib.tw_plan_t, call), PlanKept(graph, nothing)), objects...)
end

Plan(graph::Graph, mesh::AbstractString; options...) = Plan(graph, Mesh(mesh); options...)

"""The program that is planned."""
Graph(plan::Plan) = plan.kept.graph

"""A plan of its own that begins as this one is, to try other ways from here. It has no `on_action!`."""
Base.copy(plan::Plan) =
    alone(() -> Plan(made(Lib.tw_plan_t, out -> Lib.tw_plan_clone(plan, out)), PlanKept(Graph(plan), nothing)), plan)

"""Changes a plan, and gives it back."""
function change!(call, plan::Plan)
    lock(plan.guard.lock) do
        # Who has the lock and finds a user is a callback of the plan.
        plan.guard.users[] == 0 || throw(Error(:failed_precondition, "a callback of the plan's actions may not change it"))
        sharing(() -> check(call()), plan)
    end
    return plan
end

"""
    tile!(plan, "x", 1, :data)

Tiles a dimension of a value along a mesh axis. The value is an argument ("x", "params['w*']"), a result, or
"%12". Other values
follow at `infer_propagate!`.
"""
tile!(plan::Plan, value, dim, axis) = change!(() -> Lib.tw_plan_tile(plan, c_text(value), c_index(dim), c_text(axis)), plan)

"""Keeps a value whole on an axis: propagation stops there."""
atomic!(plan::Plan, value, axis) = change!(() -> Lib.tw_plan_atomic(plan, c_text(value), c_text(axis)), plan)

"""Spreads the decisions, as `propagate` in a spec: forms a sum only where every operand that carries it is
tiled already."""
propagate!(plan::Plan) = change!(() -> Lib.tw_plan_propagate(plan, Lib.TW_PROPAGATE), plan)

"""Spreads the decisions, as `infer-propagate` in a spec: one tiled operand is enough to form a sum, the others
follow."""
infer_propagate!(plan::Plan) = change!(() -> Lib.tw_plan_propagate(plan, Lib.TW_INFER_PROPAGATE), plan)

"""
Applies a spec, one action a line or several with `;`. On an error the actions before the failing one stay.
What the function
of `on_action!` throws is thrown after the last action. A spec counts dimensions from 0, as files and other
languages do.
"""
function apply!(plan::Plan, spec::AbstractString; file = nothing)
    bytes = Vector{UInt8}(spec)
    watcher = plan.kept.watcher
    GC.@preserve bytes change!(() -> Lib.tw_plan_apply(plan, pointer(bytes), length(bytes), maybe(file)), plan)
    if watcher !== nothing && watcher.thrown !== nothing
        thrown, watcher.thrown = watcher.thrown, nothing
        throw(thrown)
    end
    return plan
end

"""Applies the spec in a file."""
function apply_file!(plan::Plan, path)
    isfile(path) || throw(Error(:not_found, "cannot read $path"))
    return apply!(plan, read(path, String); file = path)
end

function call_action(_::Ptr{Lib.tw_plan_t}, action::Cstring, file::Cstring, line::UInt32, user::Ptr{Cvoid})::Cvoid
    watcher = unsafe_pointer_to_objref(user)::Watcher
    watcher.thrown === nothing || return
    try
        watcher.callback(watcher.plan, text(action), text(file), Int(line))
    catch thrown
        watcher.thrown = thrown
    end
    return
end

"""
    on_action!(plan) do plan, action, file, line

The function is called by `apply!` after each action. It may read the plan, not change it.
`on_action!(nothing, plan)`:
nobody is called.
"""
function on_action!(callback, plan::Plan)
    watcher = callback === nothing ? nothing : Watcher(callback, plan, nothing)
    user = watcher === nothing ? C_NULL : pointer_from_objref(watcher)
    called = watcher === nothing ? C_NULL :
             @cfunction(call_action, Cvoid, (Ptr{Lib.tw_plan_t}, Cstring, Cstring, UInt32, Ptr{Cvoid}))
    change!(() -> Lib.tw_plan_on_action(plan, called, user), plan)
    plan.kept.watcher = watcher
    return plan
end

"""The plan as it is now, for `undo!`, which brings it back to that."""
stamp(plan::Plan) = alone(() -> Lib.tw_plan_stamp(plan), plan)
undo!(plan::Plan, stamp) = change!(() -> Lib.tw_plan_undo(plan, stamp), plan)

# ---- questions ----

"""Text that a plan gives."""
ask(call, plan::Plan) = alone(() -> blob_text(call), plan)

"""The sharding of a value as text, "[{data}, {}]"."""
sharding_text(plan::Plan, value) = ask(out -> Lib.tw_plan_sharding(plan, c_text(value), out), plan)

"""Axes that propagation could not decide."""
num_conflicts(plan::Plan) = Int(alone(() -> Lib.tw_plan_num_conflicts(plan), plan))

"""The chain from an action to this sharding; for an axis on which the value is whole, what stopped it."""
explain(plan::Plan, value, axis = nothing) = ask(out -> Lib.tw_plan_explain(plan, c_text(value), maybe(axis), out), plan)

"""The plan as text; `forms()` lists the forms."""
emit(plan::Plan, form = "loops") = ask(out -> Lib.tw_plan_emit(plan, c_text(form), out), plan)

"""The same as bytes, which some forms are: an artifact that JAX and PJRT clients read."""
emit_bytes(plan::Plan, form = "stablehlo+sdy-bytecode") =
    alone(() -> blob_bytes(out -> Lib.tw_plan_emit(plan, c_text(form), out)), plan)

"""The steps from the loops to the device-local program, after one of the passes of the form; nothing: the
last."""
emit_after(plan::Plan, pass = nothing; form = "spmd-naive") =
    ask(out -> Lib.tw_debug_emit_after(plan, c_text(form), maybe(pass), out), plan)

Base.show(io::IO, plan::Plan) = print(
    io, "Plan(", isopen(plan) ? "of $(repr(nameof(Graph(plan)))), $(num_conflicts(plan)) conflicts" : "closed", ')',
)
