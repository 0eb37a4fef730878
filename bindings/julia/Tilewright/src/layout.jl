# SPDX-License-Identifier: Apache-2.0
# The one place where Julia's way to count and to lay out arrays meets the library's.
#
# Counting. Dimensions, arguments, results, axes and attributes count from 1 here, from 0 in C. `c_index` and
# `julia_index` convert. A tile is a range of indices in each dimension: offset 8 and extent 4 are 9:12.
#
# Order. A program says `x: f32[16,256]`; here its size is (16, 256), and x[i, j] is the element that other
# languages call
# x[i-1, j-1]. So dimension 1 of an argument is the first one in its text, in every function.
#
# Memory. The library's arrays are row-major, Julia's column-major: the last index is the fastest there, the
# first one here.
# A Tensor is row-major memory that is indexed as above; it shares what lies row-major already, and copies
# what does not:
#
#     a = rand(Float32, 16, 256)              # column-major
#     Tensor(a)                               # a copy, in the library's order
#     b = rand(Float32, 256, 16)              # memory of an array of 16 rows: row i is b[:, i]
#     Tensor(PermutedDimsArray(b, (2, 1)))    # shares the memory of b: t[i, j] is b[j, i]
#     Tensor(rand(Float32, 16))               # shares: with one dimension both orders are one
#     array(t)                                # a PermutedDimsArray over the memory of t, for loops and BLAS:
# parent(array(t))

"""The number from 0 for a number from 1; `what` counts."""
function c_index(i::Integer, what = "dimensions")
    i >= 1 || throw(Error(:out_of_range, "$i: $what count from 1"))
    return Int64(i) - 1
end

c_indices(is, what = "dimensions") = Int64[c_index(i, what) for i in is]

"""The number from 1; `nothing` for none."""
julia_index(i::Integer) = i < 0 ? nothing : Int(i) + 1

"""The part of an array that a device holds: a range of indices in each dimension. With halos it may begin
before 1."""
struct Tile
    ranges::Vector{UnitRange{Int}}
end

Base.:(==)(a::Tile, b::Tile) = a.ranges == b.ranges
Base.size(tile::Tile) = Tuple(length.(tile.ranges))
Base.isempty(tile::Tile) = any(isempty, tile.ranges)

"""The tile whose offset and extent a call writes."""
function made_tile(rank, call)
    offset, extent = zeros(Int64, rank), zeros(Int64, rank)
    check(call(offset, extent))
    return Tile([o+1:o+n for (o, n) in zip(offset, extent)])
end

sizes(dims) = Int64[dims...]

"""Whether the memory of an array lies in the library's order."""
is_row_major(::DenseVector) = true
is_row_major(::Array{T,0}) where {T} = true
is_row_major(a::PermutedDimsArray{T,N,perm,iperm,<:Array{T,N}}) where {T,N,perm,iperm} = perm == ntuple(i -> N + 1 - i, N)
is_row_major(::AbstractArray) = false

"""The array whose memory a row-major array is."""
memory_of(a::PermutedDimsArray) = parent(a)
memory_of(a::Array) = a

"""A row-major copy of an array."""
function row_major_copy(a::AbstractArray{T,N}) where {T,N}
    N <= 1 && return Array(a)
    return PermutedDimsArray(permutedims(a, ntuple(i -> N + 1 - i, N)), ntuple(i -> N + 1 - i, N))
end

"""Row-major memory as an array with the library's order of indices."""
row_major(memory::Array{T,N}) where {T,N} = N <= 1 ? memory : PermutedDimsArray(memory, ntuple(i -> N + 1 - i, N))

"""How far behind the first element one lies in row-major memory."""
@inline function row_major_place(dims::NTuple{N,Int}, index::NTuple{N,Int}) where {N}
    place = 0
    for d in 1:N
        place = place * dims[d] + index[d] - 1
    end
    return place
end
