# SPDX-License-Identifier: Apache-2.0
# Custom calls: Julia functions for calls that a program names but does not hold.

"""
What the host knows of custom_calls, by target: see `add!`. Graphs keep what was there when they were made.
"""
CustomCalls

@object CustomCalls tw_custom_calls_t tw_custom_calls_release

# `kept` holds the functions: a graph that is made with them keeps it too.
CustomCalls() = CustomCalls(made(Lib.tw_custom_calls_t, Lib.tw_custom_calls_create), Any[])

"""
The part of an operand or result that a device holds: `array` has its elements, `ranges` says which. The array
of an operand is a copy; that of a result begins as zeros, and is copied back when the kernel returns. So a
kernel may keep them.
"""
struct CallTile
    dtype::Symbol
    "The size of the whole array."
    whole::Tuple
    ranges::Vector{UnitRange{Int}}
    "With the indices of `ranges` counted from 1; nothing where no elements are looked at."
    array::Union{Nothing,AbstractArray}
end

"""One call, for the time of the callback."""
struct Call
    target::String
    operands::Vector{CallTile}
    results::Vector{CallTile}
    attributes::Dict{String,Any}
end

"""An attribute by name, or the default."""
Base.get(call::Call, name::AbstractString, default) = get(call.attributes, name, default)

"""Copies as many bytes as an array has; one of the addresses is its memory."""
copy_elements!(to, from, memory) = GC.@preserve memory begin
    isempty(memory) || unsafe_copyto!(convert(Ptr{UInt8}, to), convert(Ptr{UInt8}, from), sizeof(memory))
end

function CallTile(raw::Lib.tw_tile_t, is_operand)
    dims(data) = Int.(copied(data, raw.ndims))
    extent = dims(raw.extent)
    shown = nothing
    if raw.data != C_NULL || any(iszero, extent)
        dense = [prod(extent[i+1:end]) for i in eachindex(extent)]
        fits = all(extent[i] <= 1 || stride == dense[i] for (i, stride) in enumerate(dims(raw.strides)))
        fits || any(iszero, extent) || throw(Error(:unimplemented, "the elements of this tile are not dense"))
        memory = zeros(julia_type(raw.dtype), reverse(extent)...)
        is_operand && copy_elements!(pointer(memory), raw.data, memory)
        shown = row_major(memory)
    end
    ranges = [o+1:o+n for (o, n) in zip(dims(raw.offset), extent)]
    return CallTile(name_of(raw.dtype), Tuple(dims(raw.whole)), ranges, shown)
end

function Call(raw::Ptr{Lib.tw_call_t})
    call = unsafe_load(raw)
    tiles(data, count, is_operand) = [CallTile(unsafe_load(tile), is_operand) for tile in copied(data, count)]
    attributes = Dict{String,Any}(text(a.name) => attribute_value(a) for a in copied(call.attrs, call.num_attrs))
    operands, results = tiles(call.operands, call.num_operands, true), tiles(call.results, call.num_results, false)
    return Call(text(call.target), operands, results, attributes)
end

"""What a kernel wrote, copied to where the library wants it."""
function copy_results_back(call::Call, raw::Ptr{Lib.tw_call_t})
    results = unsafe_load(raw)
    for (made, tile) in zip(call.results, copied(results.results, results.num_results))
        memory, wanted = memory_of(made.array), prod(length.(made.ranges))
        length(memory) == wanted || throw(invalid("a kernel gave a result $(length(memory)) elements, it has $wanted"))
        copy_elements!(unsafe_load(tile).data, pointer(memory), memory)
    end
end

function run_kernel(kernel, raw::Ptr{Lib.tw_call_t})
    call = Call(raw)
    kernel(call)
    copy_results_back(call, raw)
end

"""The functions of one target."""
mutable struct Callbacks
    rule::Any
    check::Any
    kernel::Any
end

callbacks_of(user) = unsafe_pointer_to_objref(user)::Callbacks

call_check(raw::Ptr{Lib.tw_call_t}, user::Ptr{Cvoid})::Int32 = guarded(() -> callbacks_of(user).check(Call(raw)))
call_kernel(raw::Ptr{Lib.tw_call_t}, user::Ptr{Cvoid})::Int32 = guarded(() -> run_kernel(callbacks_of(user).kernel, raw))

call_rule(raw::Ptr{Lib.tw_call_t}, user::Ptr{Cvoid}, out::Ptr{Ptr{Lib.tw_blob_t}})::Int32 = guarded() do
    rule = callbacks_of(user).rule(Call(raw))
    rule isa AbstractString || throw(invalid("a rule is a text, not a $(typeof(rule))"))
    bytes = Vector{UInt8}(rule)
    GC.@preserve bytes check(Lib.tw_blob_create(pointer(bytes), length(bytes), out))
end

"""
    add!(kernel, calls, "my.norm"; rule = "... *, * -> ... *", check = nothing)
    add!(calls, "my.norm"; rule = "... *, * -> ... *", kernel = nothing, check = nothing)

Adds a target. `rule` says which dimensions go together, or is a function of a `Call` that does. `check(call)`
throws where
operands and attributes do not fit; the error has the call's position. `kernel(call)` writes
`call.results[i].array` of one
device from `call.operands`. Without a kernel such calls are planned, not run.

Kernels run in the thread that runs the executable, which has one worker: Julia's collector waits for threads
that are in
the library, so others cannot call Julia meanwhile.
"""
function add!(calls::CustomCalls, target; rule = nothing, kernel = nothing, check = nothing)
    callbacks = Callbacks(rule isa AbstractString ? nothing : rule, check, kernel)
    target_text, rule_text = c_text(target), rule isa AbstractString ? c_text(rule) : nothing
    texts = Texts()
    none = Ptr{Cvoid}(C_NULL)
    raw = filled_struct(
        Lib.tw_custom_call_t; target = address(texts, target_text), rule = address(texts, rule_text),
        rule_fn = callbacks.rule === nothing ? none :
                  @cfunction(call_rule, Int32, (Ptr{Lib.tw_call_t}, Ptr{Cvoid}, Ptr{Ptr{Lib.tw_blob_t}})),
        check = check === nothing ? none : @cfunction(call_check, Int32, (Ptr{Lib.tw_call_t}, Ptr{Cvoid})),
        kernel = kernel === nothing ? none : @cfunction(call_kernel, Int32, (Ptr{Lib.tw_call_t}, Ptr{Cvoid})),
        user = pointer_from_objref(callbacks),
    )
    alone(calls) do
        GC.@preserve texts callbacks Tilewright.check(Lib.tw_custom_calls_add(calls, Ref(raw)))
        push!(calls.kept, callbacks)
    end
    return calls
end

add!(kernel, calls::CustomCalls, target; options...) = add!(calls, target; kernel = kernel, options...)

"""Whether a run would call Julia."""
has_kernels(callbacks) = callbacks !== nothing && any(c -> c.kernel !== nothing, callbacks)
