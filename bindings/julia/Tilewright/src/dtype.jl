# SPDX-License-Identifier: Apache-2.0
# Element types: symbols as MLIR spells them, :f32, :bf16, :i32, and the Julia types that stand for them.

"""An element as its code: of the narrow floats and integers that Julia lacks. Float64(x) is its value,
BF16(1.5) makes one."""
struct Code{Name,Bits}
    bits::Bits
    Code{Name,Bits}(bits::Bits, ::Val{:bits}) where {Name,Bits} = new{Name,Bits}(bits)
end

const BF16 = Code{:bf16,UInt16}

"""All element types: name, number, Julia type."""
const DTYPES = let
    plain = Dict(
        :f64 => Float64, :f32 => Float32, :f16 => Float16, :i1 => Bool, :i8 => Int8, :i16 => Int16, :i32 => Int32, :i64 => Int64,
        :ui8 => UInt8, :ui16 => UInt16, :ui32 => UInt32, :ui64 => UInt64, Symbol("complex<f32>") => ComplexF32,
        Symbol("complex<f64>") => ComplexF64, :bf16 => BF16, :token => Nothing,
    )
    codes = [
        :f64 => Lib.TW_F64, :f32 => Lib.TW_F32, :f16 => Lib.TW_F16, :bf16 => Lib.TW_BF16, :f8E4M3FN => Lib.TW_F8E4M3FN,
        :f8E5M2 => Lib.TW_F8E5M2, :f8E4M3FNUZ => Lib.TW_F8E4M3FNUZ, :f8E5M2FNUZ => Lib.TW_F8E5M2FNUZ,
        :f8E4M3B11FNUZ => Lib.TW_F8E4M3B11FNUZ, :f8E4M3 => Lib.TW_F8E4M3, :f8E3M4 => Lib.TW_F8E3M4, :i1 => Lib.TW_I1,
        :i2 => Lib.TW_S2, :i4 => Lib.TW_S4, :i8 => Lib.TW_S8, :i16 => Lib.TW_S16, :i32 => Lib.TW_S32, :i64 => Lib.TW_S64,
        :ui2 => Lib.TW_U2, :ui4 => Lib.TW_U4, :ui8 => Lib.TW_U8, :ui16 => Lib.TW_U16, :ui32 => Lib.TW_U32, :ui64 => Lib.TW_U64,
        Symbol("complex<f32>") => Lib.TW_C64, Symbol("complex<f64>") => Lib.TW_C128, :token => Lib.TW_TOKEN,
        :f4E2M1FN => Lib.TW_F4E2M1FN, :f6E2M3FN => Lib.TW_F6E2M3FN, :f6E3M2FN => Lib.TW_F6E3M2FN, :f8E8M0FNU => Lib.TW_F8E8M0FNU,
    ]
    [(name, code, get(plain, name, Code{name,UInt8})) for (name, code) in codes]
end

function code_of(dtype::Symbol)
    for (name, code, _) in DTYPES
        name === dtype && return code
    end
    throw(invalid("there is no element type $dtype; there are: $(join((d[1] for d in DTYPES), ", "))"))
end

code_of(dtype::AbstractString) = code_of(Symbol(dtype))
code_of(type::Type) = code_of(dtype_of(type))

"""The element type that a Julia type stands for."""
function dtype_of(type::Type)
    for (name, _, julia) in DTYPES
        julia === type && return name
    end
    throw(invalid("elements of $type are of no type of the library"))
end

row_of(code) = DTYPES[findfirst(row -> row[2] == code, DTYPES)]
name_of(code) = row_of(code)[1]
julia_type(code) = row_of(code)[3]

"""Bytes of an element; a name as the library spells it."""
size_of(dtype) = Int(Lib.tw_dtype_size(code_of(dtype)))
spelling(dtype) = text(Lib.tw_dtype_name(code_of(dtype)))

"""The value of one element."""
function decoded(element::T) where {T}
    real, imaginary, given = Ref(0.0), Ref(0.0), Ref(element)
    GC.@preserve given check(Lib.tw_dtype_decode(code_of(T), Base.unsafe_convert(Ptr{T}, given), real, imaginary))
    return real[]
end

"""The element that stands for a value: rounded to nearest, integers saturate."""
function encoded(::Type{T}, value::Real) where {T}
    element = Vector{UInt8}(undef, size_of(T))
    GC.@preserve element check(Lib.tw_dtype_encode(code_of(T), value, 0.0, pointer(element)))
    return reinterpret(T, element)[1]
end

Code{Name,Bits}(value::Real) where {Name,Bits} = encoded(Code{Name,Bits}, value)
Base.Float64(element::Code) = decoded(element)
Base.zero(::Type{Code{Name,Bits}}) where {Name,Bits} = Code{Name,Bits}(zero(Bits), Val(:bits))
Base.show(io::IO, element::Code{Name}) where {Name} = print(io, Name, '(', Float64(element), ')')

"""The type of an array of a program. It prints as f32[16,256]."""
struct ArrayType
    dtype::Symbol
    size::Vector{Int}
end

ArrayType(dtype, dims::Tuple) = ArrayType(name_of(code_of(dtype)), Int[dims...])
Base.:(==)(a::ArrayType, b::ArrayType) = a.dtype === b.dtype && a.size == b.size
Base.show(io::IO, type::ArrayType) = print(io, type.dtype, '[', join(type.size, ','), ']')

"""Types as structs; `kept` holds what they point at."""
function raw_types(types, kept::Vector{Any})
    raw(type) = begin
        dims = sizes(type.size)
        push!(kept, dims)
        filled_struct(Lib.tw_type_t; dtype = code_of(type.dtype), dims = pointer(dims), ndims = length(dims))
    end
    return Lib.tw_type_t[raw(type) for type in types]
end
