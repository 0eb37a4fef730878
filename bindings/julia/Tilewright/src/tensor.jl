# SPDX-License-Identifier: Apache-2.0
# Tensors: row-major arrays in host memory, shared with Julia without a copy where the layout allows.

"""
    Tensor{Float32}(16, 256)        # zeros
    Tensor(array)                   # shares row-major memory, copies what is column-major: see layout.jl
    Tensor(array; share = true)     # throws where it would have to copy
    Tensor(array; readonly = true)  # nobody writes to it: an input like any other, never an output
    Tensor(:bf16, (16, 256))        # zeros of a named type

An array that the library reads and writes. It is indexed as Julia's arrays are. Of memory that must not be
written, such as a file that is mapped, make a tensor with `readonly`; of `codeunits` it is one anyway.
"""
mutable struct Tensor{T,N} <: AbstractArray{T,N}
    ptr::Ptr{Lib.tw_tensor_t}
    guard::Guard
    kept::Any
    data::Ptr{T}
    dims::NTuple{N,Int}
end

function release(tensor::Tensor)
    ptr, tensor.ptr = tensor.ptr, Ptr{Lib.tw_tensor_t}(C_NULL)
    ptr == C_NULL || Lib.tw_tensor_release(ptr)
    return nothing
end

Base.unsafe_convert(::Type{Ptr{Lib.tw_tensor_t}}, tensor::Tensor) = open_pointer(tensor)
Base.close(tensor::Tensor) = close_object(tensor)
Base.isopen(tensor::Tensor) = tensor.ptr != C_NULL

"""The Julia object of a tensor; its memory is `kept`'s, or the library's."""
function adopted(ptr::Ptr{Lib.tw_tensor_t}, kept = nothing)
    rank = Ref{Csize_t}(0)
    dims = Int.(copied(Lib.tw_tensor_dims(ptr, rank), rank[]))
    T = julia_type(Lib.tw_tensor_dtype(ptr))
    data = convert(Ptr{T}, Lib.tw_tensor_const_data(ptr))
    return finalizer(release, Tensor{T,length(dims)}(ptr, Guard(), kept, data, Tuple(dims)))
end

function Tensor(dtype::Union{Symbol,Type}, dims; context = nothing)
    code, whole = code_of(dtype), sizes(dims)
    pointer_of = context === nothing ? Ptr{Lib.tw_context_t}(C_NULL) : context
    call(out) = Lib.tw_tensor_create(pointer_of, code, whole, length(whole), out)
    return adopted(context === nothing ? made(Lib.tw_tensor_t, call) : sharing(() -> made(Lib.tw_tensor_t, call), context))
end

Tensor{T}(dims::Integer...) where {T} = Tensor(T, dims)

function Tensor(a::AbstractArray{T,N}; share = false, readonly = a isa Base.CodeUnits) where {T,N}
    shared = is_row_major(a)
    share && !shared && throw(invalid("the $(typeof(a)) is not row-major: a copy would be needed (see layout.jl)"))
    memory = shared ? memory_of_vector(a) : memory_of(row_major_copy(a))
    whole = sizes(size(a))
    none, wrap = Ptr{Cvoid}(C_NULL), readonly ? Lib.tw_tensor_wrap_const : Lib.tw_tensor_wrap
    call(out) = wrap(code_of(T), whole, N, pointer(memory), none, none, out)
    GC.@preserve memory return adopted(made(Lib.tw_tensor_t, call), memory)
end

memory_of_vector(a::DenseVector) = a
memory_of_vector(a) = memory_of(a)

Tensor(tensor::Tensor) = tensor
Tensor(value::Number) = Tensor(fill(value))

"""The type of the elements by name, :f32."""
dtype_of(tensor::Tensor) = name_of(Lib.tw_tensor_dtype(tensor))

Base.size(tensor::Tensor) = tensor.dims
Base.IndexStyle(::Type{<:Tensor}) = IndexCartesian()

@inline function Base.getindex(tensor::Tensor{T,N}, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(tensor, index...)
    open_pointer(tensor)
    GC.@preserve tensor return unsafe_load(tensor.data, row_major_place(tensor.dims, index) + 1)
end

@inline function Base.setindex!(tensor::Tensor{T,N}, value, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(tensor, index...)
    writable(tensor)
    GC.@preserve tensor unsafe_store!(tensor.data, convert(T, value), row_major_place(tensor.dims, index) + 1)
    return tensor
end

"""Where the elements lie; throws where nobody may write to them."""
function writable(tensor::Tensor)
    data = Lib.tw_tensor_data(tensor)
    data == C_NULL && length(tensor) > 0 && throw(Error(:failed_precondition, "the memory of this tensor is read-only"))
    return data
end

Base.pointer(tensor::Tensor) = (open_pointer(tensor); tensor.data)
Base.sizeof(tensor::Tensor) = Int(Lib.tw_tensor_bytes(tensor))

"""
    array(tensor)

The elements without a copy, as an array with the same indices: `parent(array(tensor))` is its memory, with
the order of
dimensions reversed. The memory lives as long as the array, also when the tensor is closed.
"""
function array(tensor::Tensor{T,N}) where {T,N}
    raw, kept = Lib.tw_tensor_retain(open_pointer(tensor)), tensor.kept
    memory = unsafe_wrap(Array, tensor.data, reverse(tensor.dims))
    finalizer(shared_part(memory)) do _
        kept # which may own the memory
        Lib.tw_tensor_release(raw)
    end
    return row_major(memory)
end

"""What all arrays over some memory keep, as `reshape` makes them: since Julia 1.11 not the first of them."""
shared_part(memory::Array) = hasfield(typeof(memory), :ref) ? getfield(memory, :ref).mem : memory

"""
    fill!(tensor, "normal(0,1)"; seed = 0, stream = 0)

Fills with "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" or "default".
"""
function Base.fill!(tensor::Tensor, pattern::AbstractString; seed = 0, stream = 0)
    alone(() -> check(Lib.tw_tensor_fill(tensor, c_text(pattern), seed, stream)), tensor)
    return tensor
end

"""A new tensor filled with a pattern."""
filled(dtype, dims, pattern = "default"; seed = 0, stream = 0) = fill!(Tensor(dtype, dims), pattern; seed = seed, stream = stream)

"""Fills with the part at `tile` of an array of size `whole` that is filled so."""
function fill_part!(tensor::Tensor, whole, tile::Tile, pattern; seed = 0, stream = 0)
    dims, offset = sizes(whole), Int64[first(range) - 1 for range in tile.ranges]
    if length(dims) != ndims(tensor) || Tuple(length.(tile.ranges)) != size(tensor)
        throw(invalid("the tensor has size $(size(tensor)), the tile $(size(tile)) in an array of $(length(dims)) dimensions"))
    end
    alone(() -> check(Lib.tw_tensor_fill_part(tensor, dims, offset, c_text(pattern), seed, stream)), tensor)
    return tensor
end

Base.summary(io::IO, tensor::Tensor) = print(io, "Tensor ", isopen(tensor) ? ArrayType(dtype_of(tensor), size(tensor)) : "(closed)")

Base.show(io::IO, tensor::Tensor) = summary(io, tensor)
Base.show(io::IO, ::MIME"text/plain", tensor::Tensor) = summary(io, tensor)

# ---- DLPack ----

"""
    from_dlpack(managed; versioned = false)

A tensor over the memory that a DLManagedTensor, given by its address, describes; the tensor owns it
afterwards. The struct
must be valid.
"""
function from_dlpack(managed::Ptr; versioned = false)
    take = versioned ? Lib.tw_tensor_from_dlpack_versioned : Lib.tw_tensor_from_dlpack
    ptr = made(Lib.tw_tensor_t, out -> take(managed, out))
    unsafe_string(Lib.tw_tensor_device(ptr, C_NULL)) == "host" && return adopted(ptr)
    Lib.tw_tensor_release(ptr) # and what it was made of
    throw(Error(:unimplemented, "an array on a device has no elements that Julia reads: copy it to the host first"))
end

"""
    to_dlpack(tensor; versioned = false)

The address of a DLManagedTensor, whose deleter somebody else calls. Tensors over Julia's memory are refused:
nobody would
tell Julia when it may go; `Tensor(dtype, size)` has memory of the library.
"""
function to_dlpack(tensor::Tensor; versioned = false)
    tensor.kept === nothing || throw(Error(:unimplemented, "the memory of this tensor is Julia's: copy it to one of the library"))
    versioned && return made(Lib.DLManagedTensorVersioned, out -> Lib.tw_tensor_to_dlpack_versioned(tensor, out))
    return made(Lib.DLManagedTensor, out -> Lib.tw_tensor_to_dlpack(tensor, out))
end
