# SPDX-License-Identifier: Apache-2.0
# What all objects of the library have in common, and structs and arrays that cross the C interface.

"""Who uses an object: threads take turns with one that changes, and nobody closes one that is in use."""
struct Guard
    lock::ReentrantLock
    users::Threads.Atomic{Int}
end

Guard() = Guard(ReentrantLock(), Threads.Atomic{Int}(0))

"""An object of the library. It holds one reference, which ends with `close` or with the last use."""
abstract type Object end

"""
    @object Name tw_name_t tw_name_release

Defines the type of an object. `kept` is what lives as long as it does.
"""
macro object(name, raw, release)
    raw_type, release_call = :(Lib.$raw), :(Lib.$release)
    return esc(quote
        mutable struct $name <: Object
            ptr::Ptr{$raw_type}
            guard::Guard
            kept::Any
            $name(ptr::Ptr{$raw_type}, kept = nothing) = finalizer(release, new(ptr, Guard(), kept))
        end

        function release(object::$name)
            ptr, object.ptr = object.ptr, Ptr{$raw_type}(C_NULL)
            ptr == C_NULL || $release_call(ptr)
            return nothing
        end

        Base.unsafe_convert(::Type{Ptr{$raw_type}}, object::$name) = open_pointer(object)
    end)
end

function open_pointer(object)
    object.ptr == C_NULL && throw(Error(:failed_precondition, "the $(nameof(typeof(object))) is closed"))
    return object.ptr
end

Base.isopen(object::Object) = object.ptr != C_NULL

"""Does something while nobody may close the objects."""
function sharing(body, objects...)
    foreach(object -> Threads.atomic_add!(object.guard.users, 1), objects)
    try
        foreach(open_pointer, objects)
        return body()
    finally
        foreach(object -> Threads.atomic_sub!(object.guard.users, 1), objects)
    end
end

"""Does something with an object that no other thread uses meanwhile."""
alone(body, object) = lock(() -> sharing(body, object), object.guard.lock)

close_object(object) =
    if object.guard.users[] > 0
        throw(Error(:failed_precondition, "the $(nameof(typeof(object))) is in use"))
    else
        finalize(object)
    end

"""
    close(object)

Gives an object up. Whatever uses it afterwards throws; closing it again does nothing.
"""
Base.close(object::Object) = close_object(object)

"""The pointer that a call writes."""
function made(::Type{T}, call) where {T}
    out = Ref{Ptr{T}}(C_NULL)
    check(call(out))
    return out[]
end

zero_of(::Type{Ptr{T}}) where {T} = Ptr{T}(C_NULL)
zero_of(::Type{Cstring}) = Cstring(C_NULL)
zero_of(::Type{T}) where {T<:Number} = zero(T)
zero_of(::Type{NTuple{N,T}}) where {N,T} = ntuple(_ -> zero(T), N)
zero_of(::Type{T}) where {T} = filled_struct(T)

"""A struct of zeros, its struct_size and some fields set."""
function filled_struct(::Type{T}; fields...) where {T}
    given = values(fields)
    value(name, type) =
        haskey(given, name) ? convert(type, given[name]) : name === :struct_size ? sizeof(T) % Csize_t : zero_of(type)
    return T(map(value, fieldnames(T), fieldtypes(T))...)
end

"""The struct that a call fills."""
function viewed(::Type{T}, call) where {T}
    view = Ref(filled_struct(T))
    check(call(view))
    return view[]
end

"""An array of the library, copied; empty for NULL."""
copied(data::Ptr, count) = data == C_NULL || count == 0 ? eltype(data)[] : copy(unsafe_wrap(Array, data, Int(count)))

"""The bytes of the blob that a call makes."""
function blob_bytes(call)
    blob = made(Lib.tw_blob_t, call)
    bytes = copied(convert(Ptr{UInt8}, Lib.tw_blob_data(blob)), Lib.tw_blob_size(blob))
    Lib.tw_blob_release(blob)
    return bytes
end

blob_text(call) = String(blob_bytes(call))

"""Texts whose addresses stand in structs; the structs are used while this lives."""
struct Texts
    kept::Vector{String}
    Texts() = new(String[])
end

"""The address of a text, NULL for `nothing`. Texts with a NUL throw."""
address(::Texts, ::Nothing) = Cstring(C_NULL)

function address(texts::Texts, text)
    kept = String(text)
    occursin('\0', kept) && throw(invalid("the text $(repr(kept)) has a NUL"))
    push!(texts.kept, kept)
    return Base.unsafe_convert(Cstring, kept)
end

"""A text for a call."""
function c_text(text)
    occursin('\0', text) && throw(invalid("the text $(repr(text)) has a NUL"))
    return String(text)
end

c_text(text::Symbol) = c_text(String(text))

"""Text for a call that takes NULL too."""
maybe(text) = text === nothing ? Cstring(C_NULL) : c_text(text)
