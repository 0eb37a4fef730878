# SPDX-License-Identifier: Apache-2.0
# Searches: the actions after which a program takes the least time on a machine.

"""
    Search(plan, system; options...)

A search from a plan on, which `run!` runs, and other tasks may `cancel!` or ask for its `progress`. The options
are those of `search`, which makes one and runs it.
"""
Search

# `kept` is the graph.
@object Search tw_search_t tw_search_release

function Search(plan::Plan, system; cap_bytes = 0, episodes = 0, seconds = 0, seed = 0, threads = 0, axes = nothing,
                even_only = false, cache = nothing, exact = false, gap = 0, without = String[], gather_per_use = false,
                bucket_bytes = 0, levels = nothing, keep_sum_order = false, scratch_bytes = 0, hoist_limit = 0)
    texts, on = Texts(), system_of(system)
    names = Cstring[address(texts, name) for name in without]
    lower = Ref(lower_options(
        texts, names; gather_per_use = gather_per_use, bucket_bytes = bucket_bytes, levels = levels,
        keep_sum_order = keep_sum_order, scratch_bytes = scratch_bytes, hoist_limit = hoist_limit,
    ))
    GC.@preserve texts names lower return alone(plan) do
        options = filled_struct(
            Lib.tw_search_options_t; cap_bytes = cap_bytes, episodes = episodes, seconds = seconds, seed = seed, threads = threads,
            axes = axes === nothing ? C_NULL : address(texts, axes), even_only = even_only,
            cache = cache === nothing ? C_NULL : address(texts, cache), exact = exact, gap = gap,
            lower = Base.unsafe_convert(Ptr{Lib.tw_lower_options_t}, lower),
        )
        call(out) = Lib.tw_search_create(plan, on, Ref(options), out)
        sharing(() -> Search(made(Lib.tw_search_t, call), Graph(plan)), on)
    end
end

"""
    search(plan, system; cap_bytes = 0, episodes = 0, seconds = 0, seed = 0, threads = 0, axes = nothing,
           even_only = false, cache = nothing, exact = false, gap = 0, options...)

Finds actions behind those of a plan, which does not change: with them a run takes the least time on a machine,
a `System` or the name or file of one, and each device needs at most `cap_bytes` (0: what it has). It ends after
`episodes` plans (0: 1000, without limit where `seconds` are given) or `seconds`. `threads`: 0 is one a core.
`axes`: what to decide about, "data,model"; all of devices where none are named. `even_only`: no argument is cut
in tiles of more than one size. `cache`: a folder in which answers are kept, for who asks the same again of a
program that differs in names alone. `exact`: then the bound is raised as far as can be proven. `gap`: it ends
once no plan can be cheaper by more than this part of the cost; 0.02 is 2 %. The other options are those of
`lower`. `spec`, `Plan` and `report` have what was found.
"""
search(plan::Plan, system; options...) = run!(Search(plan, system; options...))

"""Searches until the budget is used, nothing is left to try, or somebody cancels; once."""
function run!(search::Search)
    sharing(() -> check(Lib.tw_search_run(search)), search)
    return search
end

"""Ends a search soon, with the best so far, from any thread, also while another runs it."""
cancel!(search::Search) = sharing(() -> Lib.tw_search_cancel(search), search)

"""The best plan so far, while a search runs and after: seconds of a run, what no plan takes less than, bytes of
the device that needs most, and how many plans were priced."""
function progress(search::Search)
    cost, bound, peak, episodes = Ref{Cdouble}(0), Ref{Cdouble}(0), Ref{Int64}(0), Ref{Int64}(0)
    sharing(() -> check(Lib.tw_search_progress(search, cost, bound, peak, episodes)), search)
    return (cost_s = cost[], bound_s = bound[], peak_bytes = Int(peak[]), episodes = Int(episodes[]))
end

"""What was found as the lines of a spec for `apply!`, with the cost behind each action in a comment."""
spec(search::Search) = sharing(() -> blob_text(out -> Lib.tw_search_spec(search, out)), search)

"""The plan with the actions that were found."""
Plan(search::Search) = sharing(search) do
    Plan(made(Lib.tw_plan_t, out -> Lib.tw_search_plan(search, out)), PlanKept(search.kept, nothing))
end

"""How a search ended, what the plan costs, and what else was tried, as JSON (`tw_search.h` has its form)."""
report(search::Search) = sharing(() -> blob_text(out -> Lib.tw_search_json(search, out)), search)

Base.show(io::IO, search::Search) =
    print(io, "Search(", isopen(search) ? "of $(repr(nameof(search.kept)))" : "closed", ')')
