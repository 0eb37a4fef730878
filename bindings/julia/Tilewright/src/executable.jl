# SPDX-License-Identifier: Apache-2.0
# Running programs: contexts, executables and runs.

"""
    Context(workers = 0)

Threads that executables share; 0: one a core.
"""
Context

@object Context tw_context_t tw_context_release

function Context(; workers = 0)
    options = Ref(filled_struct(Lib.tw_context_options_t; workers = workers))
    return Context(made(Lib.tw_context_t, out -> Lib.tw_context_create(options, out)))
end

"""Measures, within a second or two, what the machine, or the workers of a context, can do at most, as
JSON."""
machine_limits() = blob_text(out -> Lib.tw_machine_limits(Ptr{Lib.tw_context_t}(C_NULL), out))
machine_limits(context::Context) = sharing(() -> blob_text(out -> Lib.tw_machine_limits(context, out)), context)

"""Processes that run programs together; see comm.jl."""
Comm

@object Comm tw_comm_t tw_comm_release

"""
    Executable(program; context, workers = 0, memory_limit = 0, comm, whole_outputs = false, profile = false,
    trace = false,
               tiles = false, donate = false)

A program bound to kernels, with its memory allocated. Keep it and run it many times. Threads take turns with
it. A program
with kernels in Julia has one worker, the thread that runs it.
"""
Executable

# `kept` is the program and the options that matter later.
@object Executable tw_executable_t tw_executable_release

function Executable(program::Program; context = nothing, workers = 0, memory_limit = 0, comm = nothing, whole_outputs = false,
                    profile = false, trace = false, tiles = false, donate = false)
    if has_kernels(Graph(program).kept)
        workers in (0, 1) || throw(invalid("kernels in Julia run in the thread that runs the executable: workers = 1, not $workers"))
        workers = 1
    end
    observe = profile * Lib.TW_OBSERVE_PROFILE | trace * Lib.TW_OBSERVE_TRACE
    function make()
        options = Ref(filled_struct(
            Lib.tw_executable_options_t; context = context === nothing ? Ptr{Lib.tw_context_t}(C_NULL) : open_pointer(context),
            workers = workers, memory_limit = memory_limit,
            comm = comm === nothing ? Ptr{Lib.tw_comm_t}(C_NULL) : open_pointer(comm), whole_outputs = whole_outputs,
            observe = observe, tiles = tiles, donate = donate,
        ))
        raw = made(Lib.tw_executable_t, out -> Lib.tw_executable_create(program, options, out))
        return Executable(raw, (program = program, tiles = tiles, donate = donate, kept = (context, comm)))
    end
    with_comm() = comm === nothing ? make() : alone(make, comm)
    return sharing(with_comm, program, (context === nothing ? () : (context,))...)
end

Executable(plan::Plan; options...) = Executable(lower(plan); options...)

"""
    y, = run(executable, x, w1, w2)

Runs on whole arrays, in the order of the program's arguments: tensors, or arrays, which are copied where they
are
column-major. Results come as new tensors.
"""
Base.run(executable::Executable, inputs...) = run!(new_outputs(executable), executable, inputs...)

"""Lowers, binds and runs, once. Keep `Executable(lower(plan))` to run many times."""
Base.run(plan::Plan, inputs...) = run(Executable(lower(plan)), inputs...)

"""The same into tensors that are there. On an error they keep their bytes."""
function run!(outputs, executable::Executable, inputs...)
    given = tensors(inputs)
    written(outputs)
    alone(executable) do
        sharing(given..., outputs...) do
            ins, outs = pointers(given), pointers(outputs)
            check(Lib.tw_executable_run(executable, ins, length(ins), outs, length(outs)))
        end
    end
    return outputs
end

"""Throws where outputs of a run are no tensors to which somebody may write."""
function written(outputs)
    for output in outputs
        output isa Tensor || throw(invalid("a run writes into a Tensor, not into a $(typeof(output))"))
        writable(output)
    end
end

function new_outputs(executable::Executable)
    executable.kept.tiles && throw(invalid("an executable of tiles has no whole results: run! takes the outputs"))
    return Tensor[Tensor(type.dtype, type.size) for (_, type) in results(Graph(executable.kept.program))]
end

"""With `donate`: the result that is made in the memory of an argument; nothing where that is only read."""
donated_to(executable::Executable, argument) =
    julia_index(Lib.tw_executable_donated_to(executable, c_index(argument, "arguments")))

"""Devices of this process."""
num_devices(executable::Executable) = Int(Lib.tw_executable_num_devices(executable))

"""With `tiles`: the part of argument i, or of result i, that a device of this process holds; devices count
from 0."""
argument_tile(executable::Executable, i, device) = tile_of(executable, 0, arguments(Graph(executable.kept.program)), i, device)
result_tile(executable::Executable, i, device) = tile_of(executable, 1, results(Graph(executable.kept.program)), i, device)

function tile_of(executable, is_result, arrays, i, device)
    index = c_index(i, "arguments and results")
    rank = i <= length(arrays) ? length(last(arrays[i]).size) : 0
    call(offset, extent) = Lib.tw_executable_tile(executable, is_result, index, c_number(device), offset, extent)
    return made_tile(rank, call)
end

"""With `tiles`: the first device of this process that holds the same tile as `device` in one place. Runs read its
input alone, and outputs of devices with one owner may be one tensor."""
argument_tile_owner(executable::Executable, i, device) = tile_owner(executable, 0, i, device)
result_tile_owner(executable::Executable, i, device) = tile_owner(executable, 1, i, device)

function tile_owner(executable, is_result, i, device)
    index = c_index(i, "arguments and results")
    owner = Lib.tw_executable_tile_owner(executable, is_result, index, c_number(device))
    return owner < 0 ? throw(Error(:out_of_range, "there is no tile of $i on device $device")) : Int(owner)
end

"""Allocated, over all devices of this process; what one device needs while it runs; threads."""
arena_bytes(executable::Executable) = Int(Lib.tw_executable_arena_bytes(executable))
workers(executable::Executable) = Int(Lib.tw_executable_workers(executable))

function peak_bytes(executable::Executable, device)
    bytes = Lib.tw_executable_peak_bytes(executable, c_number(device))
    return bytes < 0 ? throw(Error(:out_of_range, "there is no device $device")) : Int(bytes)
end

"""As JSON: where each device is after the last run; Chrome's trace events; what each step took."""
flight(executable::Executable) = alone(() -> blob_text(out -> Lib.tw_executable_flight(executable, out)), executable)
trace(executable::Executable) = alone(() -> blob_text(out -> Lib.tw_executable_trace(executable, out)), executable)
profile(executable::Executable) = alone(() -> blob_text(out -> Lib.tw_executable_profile(executable, out)), executable)

"""As JSON: which steps of a run the host takes for devices that are not the host, why, and the bytes copied for it."""
on_host(executable::Executable) = alone(() -> blob_text(out -> Lib.tw_executable_on_host(executable, out)), executable)

"""What an executable has done."""
struct Counters
    runs::Int
    failed_runs::Int
    steps::Int
    collectives::Int
    bytes::Int
    kernel_ns::Int
    collective_ns::Int
end

function counters(executable::Executable)
    view = alone(() -> viewed(Lib.tw_counters_t, out -> Lib.tw_executable_counters(executable, out)), executable)
    return Counters((getfield(view, name) for name in fieldnames(Counters))...)
end

Base.show(io::IO, executable::Executable) = print(
    io, "Executable(", isopen(executable) ? "on $(num_devices(executable)) devices, $(workers(executable)) workers" : "closed", ')',
)

"""A run that `start!` began. Closing it before it is over cancels it."""
Run

# `kept` is the executable, the inputs and the outputs.
@object Run tw_run_t tw_run_release

"""
    started = start!(executable, x, w1, w2; outputs = new ones)
    y, = wait(started)

Begins a run and returns at once. Leave inputs and outputs alone until it is over.
"""
function start!(executable::Executable, inputs...; outputs = new_outputs(executable))
    given = tensors(inputs)
    written(outputs)
    return alone(executable) do
        sharing(given..., outputs...) do
            ins, outs = pointers(given), pointers(outputs)
            raw = made(Lib.tw_run_t, out -> Lib.tw_run_start(executable, ins, length(ins), outs, length(outs), out))
            Run(raw, (executable = executable, inputs = given, outputs = outputs))
        end
    end
end

"""Whether it is over; waits for nothing."""
function is_over(started::Run)
    over = Ref{Cint}(0)
    alone(() -> check(Lib.tw_run_test(started, over)), started)
    return over[] != 0
end

"""Works on the run until it is over: its outputs, or how it failed."""
function Base.wait(started::Run)
    alone(() -> check(Lib.tw_run_wait(started)), started)
    return started.kept.outputs
end

"""Ends the run on every device, from any thread, also while another waits."""
cancel!(started::Run) = sharing(() -> check(Lib.tw_run_cancel(started)), started)

Base.show(io::IO, started::Run) = print(io, isopen(started) ? "Run()" : "Run(closed)")
