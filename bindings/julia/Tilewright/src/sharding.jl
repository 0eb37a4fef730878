# SPDX-License-Identifier: Apache-2.0
# Shardings: how one array lies over a mesh.

"""
    Sharding(mesh, "[{data}, {}]", (16, 256))
    Sharding(mesh, [DimSharding(:data), DimSharding()], (16, 256); partials = [])

How an array of known size lies over a mesh.
"""
Sharding

@object Sharding tw_sharding_t tw_sharding_release

const REDUCTIONS = [
    :none => Lib.TW_REDUCTION_NONE, :sum => Lib.TW_REDUCTION_SUM, :max => Lib.TW_REDUCTION_MAX, :min => Lib.TW_REDUCTION_MIN,
    :prod => Lib.TW_REDUCTION_PROD, :and => Lib.TW_REDUCTION_AND, :or => Lib.TW_REDUCTION_OR, :xor => Lib.TW_REDUCTION_XOR,
    :pick => Lib.TW_REDUCTION_PICK, :region => Lib.TW_REDUCTION_REGION,
]
const SPLITS = [
    :balanced => Lib.TW_SPLIT_BALANCED, :ceil => Lib.TW_SPLIT_CEIL, :cuts => Lib.TW_SPLIT_CUTS, :spans => Lib.TW_SPLIT_SPANS,
]
const BORDERS = [:zero => Lib.TW_BORDER_ZERO, :wrap => Lib.TW_BORDER_WRAP, :none => Lib.TW_BORDER_NONE]

"""The constant of a name, and the name of a constant."""
function constant_of(table, name, what)
    for (known, code) in table
        known === name && return code
    end
    throw(invalid("there is no $what $name; there are: $(join(first.(table), ", "))"))
end

name_in(table, code) = first(table[findfirst(pair -> last(pair) == code, table)])

"""
A dimension: the axes that tile it, major to minor, and how. `split` is :balanced, :ceil, :cuts (at the places
in `cuts`, from 0 to the size) or :spans; `unit` elements stay together; halos are elements before and after
every tile that a device holds too, with :zero or :wrap around the array, or :none where they end with it;
propagation may give further axes to one that is open.
"""
struct DimSharding
    axes::Vector{AxisPart}
    split::Symbol
    unit::Int
    cuts::Vector{Int}
    halo_before::Int
    halo_after::Int
    border::Symbol
    is_open::Bool
    priority::Int
end

function DimSharding(axes...; split = :balanced, unit = 1, cuts = Int[], halo_before = 0, halo_after = 0, border = :zero,
                     is_open = false, priority = 0)
    parts = AxisPart[axis isa AxisPart ? axis : AxisPart(axis) for axis in axes]
    return DimSharding(parts, split, unit, cuts, halo_before, halo_after, border, is_open, priority)
end

Base.:(==)(a::DimSharding, b::DimSharding) = all(getfield(a, f) == getfield(b, f) for f in fieldnames(DimSharding))

"""An axis, or a part of one, over which a value is partial, and how what devices along it hold combines:
:sum, :max, .."""
struct Partial
    part::AxisPart
    reduction::Symbol
end

raw_part(part::AxisPart, texts) =
    filled_struct(Lib.tw_axis_part_t; axis = address(texts, part.axis), before = part.before, size = part.size)

function raw_dim(dim::DimSharding, texts, kept)
    parts = Lib.tw_axis_part_t[raw_part(part, texts) for part in dim.axes]
    cuts = sizes(dim.cuts)
    push!(kept, parts, cuts)
    return filled_struct(
        Lib.tw_dim_sharding_t; axes = pointer(parts), num_axes = length(parts), split = constant_of(SPLITS, dim.split, "split"),
        unit = dim.unit, cuts = pointer(cuts), num_cuts = length(cuts), halo_before = dim.halo_before,
        halo_after = dim.halo_after, border = constant_of(BORDERS, dim.border, "border"), is_open = dim.is_open,
        priority = dim.priority,
    )
end

function Sharding(mesh::Mesh, dims::AbstractVector{DimSharding}, whole; partials = Partial[])
    shape = sizes(whole)
    length(shape) == length(dims) || throw(invalid("$(length(shape)) sizes, and shardings of $(length(dims)) dimensions"))
    texts, kept = Texts(), Any[]
    raw = Lib.tw_dim_sharding_t[raw_dim(dim, texts, kept) for dim in dims]
    raw_partial(partial) = filled_struct(
        Lib.tw_partial_t; part = raw_part(partial.part, texts), reduction = constant_of(REDUCTIONS, partial.reduction, "reduction"),
    )
    sums = Lib.tw_partial_t[raw_partial(partial) for partial in partials]
    call(out) = Lib.tw_sharding_create(mesh, shape, length(shape), raw, sums, length(sums), out)
    GC.@preserve texts kept return Sharding(made(Lib.tw_sharding_t, call))
end

function Sharding(mesh::Mesh, sharding::AbstractString, whole)
    shape = sizes(whole)
    call(out) = Lib.tw_sharding_parse(mesh, c_text(sharding), shape, length(shape), out)
    return Sharding(made(Lib.tw_sharding_t, call))
end

"""The mesh, whose axes are cut where the sharding names parts of one."""
Mesh(sharding::Sharding) = Mesh(made(Lib.tw_mesh_t, out -> Lib.tw_sharding_mesh(sharding, out)))

"""The size of the whole array."""
function Base.size(sharding::Sharding)
    rank = Ref{Csize_t}(0)
    GC.@preserve sharding return Tuple(Int.(copied(Lib.tw_sharding_dims(sharding, rank), rank[])))
end

"""How a dimension is tiled."""
function dim_sharding(sharding::Sharding, dim)
    GC.@preserve sharding begin
        raw = viewed(Lib.tw_dim_sharding_t, out -> Lib.tw_sharding_dim(sharding, c_index(dim), out))
        return DimSharding(
            AxisPart.(copied(raw.axes, raw.num_axes)), name_in(SPLITS, raw.split), max(raw.unit, 1), copied(raw.cuts, raw.num_cuts),
            raw.halo_before, raw.halo_after, name_in(BORDERS, raw.border), raw.is_open != 0, raw.priority,
        )
    end
end

"""The axes over which it is partial."""
function partials(sharding::Sharding)
    one(i) = begin
        raw = viewed(Lib.tw_partial_t, out -> Lib.tw_sharding_partial(sharding, i, out))
        Partial(AxisPart(raw.part), name_in(REDUCTIONS, raw.reduction))
    end
    GC.@preserve sharding return [one(i) for i in 0:Int(Lib.tw_sharding_num_partials(sharding))-1]
end

"""The text that `Sharding` reads."""
sharding_text(sharding::Sharding) = blob_text(out -> Lib.tw_sharding_text(sharding, out))

"""Whether every device holds all of the array, and nothing is partial."""
is_whole(sharding::Sharding) = Lib.tw_sharding_is_whole(sharding) != 0

"""The same mesh, size, tiles and partial axes."""
Base.:(==)(a::Sharding, b::Sharding) = Lib.tw_sharding_equal(a, b) != 0

"""Tiles of a dimension."""
num_tiles(sharding::Sharding, dim) = Int(Lib.tw_sharding_num_tiles(sharding, c_index(dim)))

"""What stands at a position of the mesh, which counts from 0, holds, halos included."""
tile(sharding::Sharding, position) =
    made_tile(length(size(sharding)), (offset, extent) -> Lib.tw_sharding_tile(sharding, position, offset, extent))

"""The largest tile in every dimension: the size of memory that is large enough on every device."""
function local_size(sharding::Sharding)
    dims = zeros(Int64, length(size(sharding)))
    check(Lib.tw_sharding_local_dims(sharding, dims))
    return Tuple(Int.(dims))
end

Base.show(io::IO, sharding::Sharding) =
    print(io, "Sharding(", isopen(sharding) ? repr(sharding_text(sharding)) * " of $(size(sharding))" : "closed", ')')
