# SPDX-License-Identifier: Apache-2.0
# Meshes: devices in a grid of named axes.

"""
    Mesh(data = 2, model = 4)
    Mesh("data=2,model=4")
    Mesh([:data => 2, :model => 4])

Named axes over devices, the first the slowest.
"""
Mesh

@object Mesh tw_mesh_t tw_mesh_release

Mesh(text::AbstractString) = Mesh(made(Lib.tw_mesh_t, out -> Lib.tw_mesh_parse(c_text(text), out)))

function Mesh(axes::AbstractVector{<:Pair})
    texts = Texts()
    names, axis_sizes = Cstring[address(texts, name) for (name, _) in axes], Int64[size for (_, size) in axes]
    GC.@preserve texts begin
        return Mesh(made(Lib.tw_mesh_t, out -> Lib.tw_mesh_create(names, axis_sizes, length(names), out)))
    end
end

Mesh(; axes...) = Mesh(Pair[name => size for (name, size) in axes])

"""The same axes on other devices: device_ids[p] stands at position p - 1, positions being row-major."""
with_devices(mesh::Mesh, device_ids) =
    let ids = sizes(device_ids)
        Mesh(made(Lib.tw_mesh_t, out -> Lib.tw_mesh_with_devices(mesh, ids, length(ids), out)))
    end

"""Names and sizes of the axes, the slowest first."""
function axis_sizes(mesh::Mesh)
    axis(i) = Symbol(text(Lib.tw_mesh_axis_name(mesh, i))) => Int(Lib.tw_mesh_axis_size(mesh, i))
    return [axis(i) for i in 0:Int(Lib.tw_mesh_num_axes(mesh))-1]
end

num_devices(mesh::Mesh) = Int(Lib.tw_mesh_num_devices(mesh))

"""Places of all axes together: the devices, times the steps and threads of axes that are none."""
num_positions(mesh::Mesh) = Int(Lib.tw_mesh_num_positions(mesh))

"""The id of the device at a position, which counts from 0; `nothing`: there is no such position."""
device_id(mesh::Mesh, position) = (id = Lib.tw_mesh_device_id(mesh, position); id < 0 ? nothing : Int(id))

"""What the places along an axis are: :devices, :serial or :threads."""
function axis_kind(mesh::Mesh, axis)
    kinds = Dict(Lib.TW_AXIS_DEVICES => :devices, Lib.TW_AXIS_SERIAL => :serial, Lib.TW_AXIS_THREADS => :threads)
    kind = Lib.tw_mesh_axis_kind(mesh, c_index(axis, "axes"))
    return get(() -> throw(Error(:out_of_range, "the mesh has no axis $axis")), kinds, kind)
end

"""An axis, or a part of it: of its places, cut into parts from major to minor, the part of `size` places
behind parts of
`before` places together. A size of 0 is all that is left. It prints as "model:(2)4"."""
struct AxisPart
    axis::Symbol
    before::Int
    size::Int
end

AxisPart(axis) = AxisPart(Symbol(axis), 1, 0)
AxisPart(raw::Lib.tw_axis_part_t) = AxisPart(Symbol(text(raw.axis)), raw.before, raw.size)
Base.convert(::Type{AxisPart}, axis::Union{Symbol,AbstractString}) = AxisPart(axis)

Base.show(io::IO, part::AxisPart) =
    part.size == 0 && part.before <= 1 ? print(io, part.axis) : print(io, part.axis, ":(", part.before, ')', part.size)

"""Of which axis an axis is a part: plans cut axes of which shardings name parts."""
axis_part(mesh::Mesh, axis) =
    AxisPart(viewed(Lib.tw_axis_part_t, out -> Lib.tw_mesh_axis_part(mesh, c_index(axis, "axes"), out)))

"""
    tile(mesh, "[{data}, {}]", (16, 256), device)

The part that a device holds of an array of these sizes under a sharding.
"""
function tile(mesh::Mesh, sharding::AbstractString, dims, device)
    whole = sizes(dims)
    call(offset, extent) = Lib.tw_mesh_box(mesh, c_text(sharding), whole, length(whole), device, offset, extent)
    return made_tile(length(whole), call)
end

Base.show(io::IO, mesh::Mesh) =
    print(io, "Mesh(", isopen(mesh) ? repr(join(("$name=$size" for (name, size) in axis_sizes(mesh)), ',')) : "closed", ')')
