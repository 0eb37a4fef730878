# SPDX-License-Identifier: Apache-2.0
# Environments: plans step by step, for who learns to choose actions.

"""
    Environment(plan, system; cap_bytes = 0, axes = nothing, even_only = false, options...)

A plan that begins with another one, which does not change, and goes on by actions. These are numbered from 0;
the last one stops, and ends the episode. `cap_bytes`, `axes` and `even_only` are those of `search`, the other
options those of `lower`. Threads take turns with one; `copy` makes one for each.
"""
Environment

# `kept` is the graph.
@object Environment tw_environment_t tw_environment_release

function Environment(plan::Plan, system; cap_bytes = 0, axes = nothing, even_only = false, without = String[],
                     gather_per_use = false, bucket_bytes = 0, levels = nothing, keep_sum_order = false, scratch_bytes = 0,
                     hoist_limit = 0)
    texts, on = Texts(), system_of(system)
    names = Cstring[address(texts, name) for name in without]
    lower = Ref(lower_options(
        texts, names; gather_per_use = gather_per_use, bucket_bytes = bucket_bytes, levels = levels,
        keep_sum_order = keep_sum_order, scratch_bytes = scratch_bytes, hoist_limit = hoist_limit,
    ))
    GC.@preserve texts names lower return alone(plan) do
        options = filled_struct(
            Lib.tw_environment_options_t; cap_bytes = cap_bytes, even_only = even_only,
            axes = axes === nothing ? C_NULL : address(texts, axes),
            lower = Base.unsafe_convert(Ptr{Lib.tw_lower_options_t}, lower),
        )
        call(out) = Lib.tw_environment_create(plan, on, Ref(options), out)
        sharing(() -> Environment(made(Lib.tw_environment_t, call), Graph(plan)), on)
    end
end

"""Another environment that has taken the same steps."""
Base.copy(environment::Environment) = alone(environment) do
    Environment(made(Lib.tw_environment_t, out -> Lib.tw_environment_clone(environment, out)), environment.kept)
end

"""How many actions there are; the last one stops."""
num_actions(environment::Environment) = alone(() -> Int(Lib.tw_environment_num_actions(environment)), environment)

"""Of each action, whether it may be taken now; `mask(environment)[1]` is that of action 0."""
mask(environment::Environment) = alone(environment) do
    legal = Vector{UInt8}(undef, Lib.tw_environment_num_actions(environment))
    check(Lib.tw_environment_mask(environment, legal, length(legal)))
    legal .!= 0
end

"""Takes an action: ln(cost before / cost behind), and whether the episode is over. It throws, and changes nothing,
where the action would change nothing."""
step!(environment::Environment, action) = alone(environment) do
    reward, done = Ref{Cdouble}(0), Ref{Cint}(0)
    check(Lib.tw_environment_step(environment, action, reward, done))
    (reward = reward[], done = done[] != 0)
end

"""Takes the last steps back."""
undo!(environment::Environment, steps::Integer = 1) =
    alone(() -> check(Lib.tw_environment_undo(environment, steps)), environment)

"""The actions that were taken: a snapshot for `restore!`, also of a copy."""
actions(environment::Environment) = alone(environment) do
    taken = Vector{Int64}(undef, Lib.tw_environment_num_steps(environment))
    check(Lib.tw_environment_snapshot(environment, taken, length(taken)))
    taken
end

"""Goes where actions lead to, by default to the beginning. What they begin alike with stays as it is."""
restore!(environment::Environment, actions = Int64[]) =
    alone(() -> check(Lib.tw_environment_restore(environment, Vector{Int64}(actions), length(actions))), environment)

"""What the plan is like now; `tw_environment.h` says where what stands. The second form writes it to an array."""
observe(environment::Environment) =
    observe!(Vector{Float32}(undef, alone(() -> Lib.tw_environment_num_features(environment), environment)), environment)

function observe!(out::Vector{Float32}, environment::Environment)
    alone(() -> check(Lib.tw_environment_observe(environment, out, length(out))), environment)
    return out
end

"""What a run costs now, one thing after the other: `cost_s` is both times, more where it does not fit."""
price(environment::Environment) = alone(environment) do
    view = viewed(Lib.tw_price_view_t, out -> Lib.tw_environment_price(environment, out))
    (
        cost_s = view.cost_s, computing_s = view.computing_s, moving_s = view.moving_s, received_bytes = view.received_bytes,
        peak_bytes = view.peak_bytes, cap_bytes = view.cap_bytes, fits = view.fits != 0,
    )
end

"""The actions so far as the lines of a spec for `apply!`, with the cost behind each in a comment."""
spec(environment::Environment) = alone(() -> blob_text(out -> Lib.tw_environment_spec(environment, out)), environment)

"""The plan with these actions."""
Plan(environment::Environment) = alone(environment) do
    Plan(made(Lib.tw_plan_t, out -> Lib.tw_environment_plan(environment, out)), PlanKept(environment.kept, nothing))
end

"""What the numbers of actions and observations mean, as JSON (`tw_environment.h` has its form)."""
report(environment::Environment) = alone(() -> blob_text(out -> Lib.tw_environment_json(environment, out)), environment)

Base.show(io::IO, environment::Environment) =
    print(io, "Environment(", isopen(environment) ? "of $(repr(nameof(environment.kept)))" : "closed", ')')
