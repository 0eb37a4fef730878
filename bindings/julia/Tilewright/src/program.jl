# SPDX-License-Identifier: Apache-2.0
# Programs: what every device runs, with explicit collectives.

"""The device-local program of a plan. It never changes. `lower` and `unpartitioned` make one; `report` prints
it as tables."""
Program

# `kept` is the graph.
@object Program tw_program_t tw_program_release

"""
    lower(plan; without = [], gather_per_use = false, bucket_bytes = 0, levels = nothing, keep_sum_order =
    false,
          scratch_bytes = 0, hoist_limit = 0)

The device-local program, with every collective. `without` names optimisations to leave out (`tw_program.h`
lists them),
`levels` which devices are near each other, "node=2".
"""
function lower(plan::Plan; without = String[], gather_per_use = false, bucket_bytes = 0, levels = nothing,
               keep_sum_order = false, scratch_bytes = 0, hoist_limit = 0)
    texts = Texts()
    names = Cstring[address(texts, name) for name in without]
    GC.@preserve texts names return alone(plan) do
        options = lower_options(
            texts, names; gather_per_use = gather_per_use, bucket_bytes = bucket_bytes, levels = levels,
            keep_sum_order = keep_sum_order, scratch_bytes = scratch_bytes, hoist_limit = hoist_limit,
        )
        Program(made(Lib.tw_program_t, out -> Lib.tw_program_lower(plan, Ref(options), out)), Graph(plan))
    end
end

"""How a plan is lowered; it is used while the texts and their addresses live."""
lower_options(texts, names; levels, fields...) = filled_struct(
    Lib.tw_lower_options_t; without = pointer(names), num_without = length(names), levels = address(texts, levels), fields...,
)

"""The same graph on one device, every value whole."""
unpartitioned(graph::Graph) =
    sharing(() -> Program(made(Lib.tw_program_t, out -> Lib.tw_program_unpartitioned(graph, out)), graph), graph)

Graph(program::Program) = program.kept

num_devices(program::Program) = Int(Lib.tw_program_num_devices(program))

"""Collectives of a kind, :all_reduce, or of all kinds."""
function Base.count(program::Program, kind)
    counted = Ref{Csize_t}(0)
    check(Lib.tw_program_count_kind(program, c_text(kind), counted))
    Int(counted[])
end
Base.count(program::Program) = Int(Lib.tw_program_num_collectives(program))

"""Bytes that the busiest device must receive in one run."""
bytes_received(program::Program) = Int(Lib.tw_program_bytes_received(program))

"""Peak of the device that needs most, in the program's own order."""
peak_bytes(program::Program) = Int(Lib.tw_program_peak_bytes(program))

"""Whether result i is guaranteed to be bitwise equal to the unpartitioned run."""
result_exact(program::Program, i) = Lib.tw_program_result_exact(program, c_index(i, "results")) != 0

"""`expect` lines of the plan's specs that do not hold."""
num_failed_expectations(program::Program) = Int(Lib.tw_program_num_failed_expectations(program))

"""Everything about plan and program, as `tw plan --json` prints it."""
info(program::Program) = sharing(() -> blob_text(out -> Lib.tw_program_json(program, out)), program)

"""The same for people: tables no wider than `width` columns; of long ones the rows with most bytes, or all."""
report(program::Program; width = 100, all_rows = false) =
    sharing(program) do
        blob_text(out -> all_rows ? Lib.tw_program_report_all(program, width, out) : Lib.tw_program_report(program, width, out))
    end
report(plan::Plan; width = 100, all_rows = false) = report(lower(plan); width = width, all_rows = all_rows)

"""The program as text: "spmd", "stablehlo" or "shard-local"."""
emit(program::Program, form = "spmd") =
    sharing(() -> blob_text(out -> Lib.tw_program_emit(program, c_text(form), out)), program)

"""The same as bytes, which some forms are: an artifact that JAX and PJRT clients read."""
emit_bytes(program::Program, form = "stablehlo-bytecode") =
    sharing(() -> blob_bytes(out -> Lib.tw_program_emit(program, c_text(form), out)), program)

"""Why a collective is there, by its number from 0."""
explain_collective(program::Program, id) = blob_text(out -> Lib.tw_program_explain_collective(program, c_number(id), out))

"""
    compare(program, outputs, expected; inputs = [], other_run = false, seconds = 0, progress = nothing)

How results of a run compare with those of the unpartitioned program: one comparison a result, and why there
was no second
opinion in double precision where one was due. `progress(seconds)` gives that up where it answers true.
"""
function compare(program::Program, outputs, expected; inputs = (), other_run = false, seconds = 0, progress = nothing)
    given, ours, theirs = tensors(inputs), tensors(outputs), tensors(expected)
    length(ours) == length(theirs) || throw(invalid("$(length(ours)) outputs, and $(length(theirs)) expected ones"))
    asked = progress === nothing ? nothing : Asked(progress, nothing)
    comparisons = [filled_struct(Lib.tw_comparison_t) for _ in ours]
    note = try
        GC.@preserve asked sharing(program, given..., ours..., theirs...) do
            ins, outs, wanted = pointers(given), pointers(ours), pointers(theirs)
            options = Ref(compare_options(asked, other_run, seconds))
            blob_text() do out
                Lib.tw_program_compare(program, ins, length(ins), outs, wanted, length(outs), options, comparisons, out)
            end
        end
    catch
        asked !== nothing && asked.thrown !== nothing && throw(asked.thrown)
        rethrow()
    end
    asked !== nothing && asked.thrown !== nothing && throw(asked.thrown)
    return Comparison.(comparisons), note
end

Base.show(io::IO, program::Program) = print(
    io, "Program(", isopen(program) ? "on $(num_devices(program)) devices, $(count(program)) collectives" : "closed", ')',
)
