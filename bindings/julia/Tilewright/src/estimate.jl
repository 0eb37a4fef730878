# SPDX-License-Identifier: Apache-2.0
# Estimates: what a program takes on a machine, before anything runs.

"""
    System(name_or_file)

A machine: what its devices compute and hold, and how they reach each other. "a100-80g" comes with the library;
`parse_system` reads the text of a file.
"""
System

@object System tw_system_t tw_system_release

System(name_or_file::AbstractString) =
    System(made(Lib.tw_system_t, out -> Lib.tw_system_load(c_text(name_or_file), out)))

"""
    parse_system(text; file = nothing)

A machine from the text of a file, which errors and reports call `file`.
"""
function parse_system(text; file = nothing)
    bytes = Vector{UInt8}(text)
    call(out) = Lib.tw_system_parse(pointer(bytes), length(bytes), maybe(file), out)
    GC.@preserve bytes return System(made(Lib.tw_system_t, call))
end

"""As it was loaded: the name or the file."""
Base.nameof(system::System) = GC.@preserve system text(Lib.tw_system_name(system))

"""A text is a name or a file."""
system_of(system::System) = system
system_of(name_or_file) = System(name_or_file)

"""What one run of a program takes on a machine. It never changes. `estimate` makes it; `report` prints it as
tables, `info` as JSON, `trace` as a Chrome trace for Perfetto."""
Estimate

# `kept` is the names of the mesh's axes, and how many collectives the program has.
@object Estimate tw_estimate_t tw_estimate_release

"""
    estimate(program, system; cap_bytes = 0, trip_count = 0, donate = false)

What one run takes on a machine, a `System` or the name or file of one. `cap_bytes`: what a device may need at most
(0: what it has). `trip_count`: turns of loops that data end (0: the system's guess). `donate`: results may be written
over donated arguments.
"""
function estimate(program::Program, system; cap_bytes = 0, trip_count = 0, donate = false)
    options = filled_struct(Lib.tw_estimate_options_t; cap_bytes = cap_bytes, trip_count = trip_count, donate = donate)
    on = system_of(system)
    return sharing(program, on) do
        call(out) = Lib.tw_program_estimate(program, on, Ref(options), out)
        Estimate(made(Lib.tw_estimate_t, call), (axes = first.(axis_sizes(Mesh(program))), collectives = count(program)))
    end
end

"""Seconds and bytes of all. `serial_s` is the sum of the next three; in `overlapped_s` collectives run beside what
does not need them. `peak_bytes` are of the device that needs most; its arrays take most at `peak_place`."""
function totals(estimate::Estimate)
    view = viewed(Lib.tw_estimate_view_t, out -> Lib.tw_estimate_totals(estimate, out))
    return (
        serial_s = view.serial_s, compute_s = view.compute_s, memory_s = view.memory_s, communication_s = view.communication_s,
        overlapped_s = view.overlapped_s, peak_bytes = Int(view.peak_bytes), cap_bytes = Int(view.cap_bytes),
        fits = view.fits != 0, peak_place = Int(view.peak_place),
    )
end

"""Of `communication_s` what goes over each axis of the program's mesh."""
axis_seconds(estimate::Estimate) =
    [axis => Lib.tw_estimate_axis_seconds(estimate, i - 1) for (i, axis) in enumerate(estimate.kept.axes)]

const BOUNDS = [:compute => Lib.TW_BOUND_COMPUTE, :memory => Lib.TW_BOUND_MEMORY, :link => Lib.TW_BOUND_LINK]

"""A step as an executable would run it, on the device that has most of it. Seconds, flops and bytes are of one run
of it; `begin_s` and `lasts_s` of its first run, where collectives run beside what does not need them."""
struct EstimatedStep
    what::String
    "What it makes first, and where its first op comes from."
    value::String
    location::String
    "The first instruction that it runs; nothing: it only copies."
    instr::Union{Nothing,Int}
    num_ops::Int
    collective::Union{Nothing,Int}
    "What decides how long it takes: operations, bytes, or what moves between devices (:link)."
    bound::Symbol
    times::Int
    seconds::Float64
    flops::Float64
    bytes::Float64
    begin_s::Float64
    lasts_s::Float64
end

"""All steps, number 0 first; `seconds` times `times` add up to `serial_s`."""
function steps(estimate::Estimate)
    one(i) = begin
        view = viewed(Lib.tw_step_view_t, out -> Lib.tw_estimate_step(estimate, i, out))
        EstimatedStep(
            text(view.what), text(view.value), text(view.location), known(view.instr), view.num_ops, known(view.collective),
            name_in(BOUNDS, view.bound), view.times, view.seconds, view.flops, view.bytes, view.begin_s, view.lasts_s,
        )
    end
    GC.@preserve estimate return [one(i) for i in 0:Int(Lib.tw_estimate_num_steps(estimate))-1]
end

"""What a collective of the program takes, each time. Where it has no `step`, who reads it adds it up, or nothing
reads it, and the rest is 0."""
struct CollectiveCost
    kind::Symbol
    axes::Vector{Symbol}
    step::Union{Nothing,Int}
    times::Int
    seconds::Float64
    bytes::Float64
end

"""Those of the program, number 0 first; `seconds` times `times` add up to `communication_s`."""
function collectives(estimate::Estimate)
    one(i) = begin
        view = viewed(Lib.tw_collective_cost_view_t, out -> Lib.tw_estimate_collective(estimate, i, out))
        CollectiveCost(
            name_in(COLLECTIVE_KINDS, view.kind), axes_in(view.axes, estimate.kept.axes), known(view.step), view.times,
            view.seconds, view.bytes,
        )
    end
    return [one(i) for i in 0:estimate.kept.collectives-1]
end

"""A place of the program in memory: before the first step, at one of them, or behind the last. `bytes` are of the
arrays that the device which needs most has then; what takes no time has no `step`."""
struct Place
    bytes::Int
    instr::Union{Nothing,Int}
    step::Union{Nothing,Int}
end

"""All places, number 0 first."""
function places(estimate::Estimate)
    one(i) = begin
        view = viewed(Lib.tw_place_view_t, out -> Lib.tw_estimate_place(estimate, i, out))
        Place(view.bytes, known(view.instr), known(view.step))
    end
    return [one(i) for i in 0:Int(Lib.tw_estimate_num_places(estimate))-1]
end

const ROLES = [
    :parameter => Lib.TW_ROLE_PARAMETER, :state => Lib.TW_ROLE_STATE, :gradient => Lib.TW_ROLE_GRADIENT,
    :activation => Lib.TW_ROLE_ACTIVATION, :gathered => Lib.TW_ROLE_GATHERED, :buffer => Lib.TW_ROLE_BUFFER,
]

"""An array that the device has at `peak_place`: value `local_value` of the program, and what it is for."""
struct Held
    value::String
    local_value::Int
    bytes::Int
    role::Symbol
end

"""All of them, the largest first: together the bytes of that place."""
function held(estimate::Estimate)
    one(i) = begin
        view = viewed(Lib.tw_held_view_t, out -> Lib.tw_estimate_held(estimate, i, out))
        Held(text(view.value), view.local_value, view.bytes, name_in(ROLES, view.role))
    end
    GC.@preserve estimate return [one(i) for i in 0:Int(Lib.tw_estimate_num_held(estimate))-1]
end

info(estimate::Estimate) = sharing(() -> blob_text(out -> Lib.tw_estimate_json(estimate, out)), estimate)
report(estimate::Estimate; width = 100) =
    sharing(() -> blob_text(out -> Lib.tw_estimate_report(estimate, width, out)), estimate)
trace(estimate::Estimate) = sharing(() -> blob_text(out -> Lib.tw_estimate_trace(estimate, out)), estimate)

"""
    page(program; estimate = nothing, trace = nothing)

All that is known of a program as one HTML file, which opens without a network. `estimate`: of this program; without it
the page has no time. `trace`: of a measured run, as text.
"""
function page(program::Program; estimate = nothing, trace = nothing)
    texts = Texts()
    options = filled_struct(Lib.tw_page_options_t; trace = address(texts, trace))
    of = estimate === nothing ? Ptr{Lib.tw_estimate_t}(C_NULL) : estimate
    call(out) = Lib.tw_program_page(program, of, Ref(options), out)
    objects = estimate === nothing ? (program,) : (program, estimate)
    GC.@preserve texts return sharing(() -> blob_text(call), objects...)
end

Base.show(io::IO, system::System) = print(io, "System(", isopen(system) ? repr(nameof(system)) : "closed", ')')
Base.show(io::IO, estimate::Estimate) =
    print(io, "Estimate(", isopen(estimate) ? "$(totals(estimate).overlapped_s) s" : "closed", ')')
