# SPDX-License-Identifier: Apache-2.0
# Redistribution: plans that move an array from one sharding to another, provably cheapest.

"""A plan to move an array; `redistribute` makes one. It never changes. Devices are counted from 0 in the
order of their ids."""
Redistribution

@object Redistribution tw_redistribution_t tw_redistribution_release

"""What a link costs: a step takes alpha + peers * message + bytes / bandwidth, for the device that has most
of each."""
struct Link
    alpha_us::Float64
    message_us::Float64
    "1e9 bytes a second."
    gb_per_s::Float64
end

"""
    redistribute(mesh, "f32[32,16] [{x},{}]", "[{},{x}]"; target_mesh, method, levels, dtype, scratch_bytes,
    height_bytes, links,
                 copy_gb_per_s, steps, lost)

The best plan on a mesh, or to another mesh. A target that is a sharding alone has the source's size.
`steps` are the way to go, instead of a method, a step a line: "dynslice 0 y\nalltoall 0 1". `lost` are ids
of devices of the mesh before that are gone, with what they held: see `missing_parts`.
"""
function redistribute(mesh::Mesh, source, target; target_mesh = nothing, dtype = nothing, options...)
    to = target_mesh === nothing ? Ptr{Lib.tw_mesh_t}(C_NULL) : target_mesh
    objects = target_mesh === nothing ? (mesh,) : (mesh, target_mesh)
    element = dtype === nothing ? Lib.TW_DTYPE_INVALID : code_of(dtype)
    return with_raw_options(objects; dtype = element, options...) do raw, out
        Lib.tw_redistribution_plan(mesh, c_text(source), to, c_text(target), raw, out)
    end
end

"""The same between layouts that are at hand, such as those of the state of two programs."""
redistribute(source::Sharding, target::Sharding, dtype; options...) =
    with_raw_options((source, target); options...) do raw, out
        Lib.tw_redistribution_between(source, target, code_of(dtype), raw, out)
    end

function with_raw_options(call, objects; method = nothing, levels = nothing, dtype = Lib.TW_DTYPE_INVALID, scratch_bytes = 0,
                          height_bytes = 0, links = Link[], copy_gb_per_s = 0, steps = nothing, lost = Int64[])
    texts = Texts()
    raw_link(link) =
        filled_struct(Lib.tw_link_t; alpha_us = link.alpha_us, message_us = link.message_us, gb_per_s = link.gb_per_s)
    raw_links, ids = Lib.tw_link_t[raw_link(link) for link in links], Int64[id for id in lost]
    GC.@preserve texts raw_links ids return sharing(objects...) do
        options = Ref(filled_struct(
            Lib.tw_redistribution_options_t; method = address(texts, method), levels = address(texts, levels),
            dtype = dtype, scratch_bytes = scratch_bytes,
            height_bytes = height_bytes, links = isempty(raw_links) ? Ptr{Lib.tw_link_t}(C_NULL) : pointer(raw_links),
            num_links = length(raw_links), copy_gb_per_s = copy_gb_per_s, steps = address(texts, steps),
            lost = isempty(ids) ? Ptr{Int64}(C_NULL) : pointer(ids), num_lost = length(ids),
        ))
        Redistribution(made(Lib.tw_redistribution_t, out -> call(options, out)))
    end
end

redistribute(mesh::AbstractString, source, target; options...) = redistribute(Mesh(mesh), source, target; options...)

"""A plan as bytes, and back."""
save(plan::Redistribution) = blob_bytes(out -> Lib.tw_redistribution_save(plan, out))

function Redistribution(bytes::AbstractVector{UInt8})
    data = Vector{UInt8}(bytes)
    call(out) = Lib.tw_redistribution_load(pointer(data), length(data), out)
    GC.@preserve data return Redistribution(made(Lib.tw_redistribution_t, call))
end

num_devices(plan::Redistribution) = Int(Lib.tw_redistribution_num_devices(plan))

"""nothing when there is no such device."""
device_id(plan::Redistribution, device) = (id = Lib.tw_redistribution_device_id(plan, c_number(device)); id < 0 ? nothing : Int(id))

"""Dimensions of the array; at least 1, a scalar counts as an array of one element."""
Base.ndims(plan::Redistribution) = Int(Lib.tw_redistribution_rank(plan))

"""Bytes of an element."""
item_size(plan::Redistribution) = Int(Lib.tw_redistribution_item_size(plan))

"""0 for :source, 1 for :target."""
c_side(side) = side === :source ? 0 : side === :target ? 1 : throw(invalid("a side is :source or :target, not $side"))

"""What a device holds on a side, :source or :target, halos included."""
tile(plan::Redistribution, side::Symbol, device) = made_tile(
    ndims(plan), (offset, extent) -> Lib.tw_redistribution_tile(plan, c_side(side), c_number(device), offset, extent),
)

"""The element of the array for which indices in tiles of a side stand; nothing: a halo lies around the array
there."""
function element(plan::Redistribution, side, index)
    rank = ndims(plan)
    length(index) == rank || throw(invalid("the array has $rank dimensions, not $(length(index))"))
    place, out = Int64[i - 1 for i in index], zeros(Int64, rank)
    found = Lib.tw_redistribution_element(plan, c_side(side), place, out)
    return found == 1 ? Tuple(Int.(out) .+ 1) : nothing
end

"""Where devices are lost: devices, and parts of their target tiles that no other device has. What these
parts hold after a run means nothing."""
function missing_parts(plan::Redistribution)
    device = Ref{Csize_t}(0)
    part(i) = made_tile(
        ndims(plan), (offset, extent) -> Lib.tw_redistribution_missing(plan, i, device, offset, extent),
    )
    return [(tile = part(i - 1); (Int(device[]), tile)) for i in 1:Lib.tw_redistribution_num_missing(plan)]
end

"""Whether partial values are combined on the way, and whether no plan of the method costs less, with a
proof."""
combines(plan::Redistribution) = Lib.tw_redistribution_combines(plan) == 1
is_exact(plan::Redistribution) = Lib.tw_redistribution_exact(plan) == 1

num_steps(plan::Redistribution) = Int(Lib.tw_redistribution_num_steps(plan))
method(plan::Redistribution) = Symbol(text(Lib.tw_redistribution_method(plan)))
scratch_bytes(plan::Redistribution) = Int(Lib.tw_redistribution_scratch_bytes(plan))
height_bytes(plan::Redistribution) = Int(Lib.tw_redistribution_height_bytes(plan))

"""Bytes that a device receives over all steps."""
function bytes_received(plan::Redistribution, device)
    bytes = Lib.tw_redistribution_bytes_received(plan, c_number(device))
    return bytes < 0 ? throw(Error(:out_of_range, "there is no device $device")) : Int(bytes)
end

"""The bytes that a device must receive at least in any plan: the most over all devices, and their mean."""
function bound(plan::Redistribution)
    most, mean = Ref{Int64}(0), Ref{Float64}(0)
    check(Lib.tw_redistribution_bound(plan, most, mean))
    return Int(most[]), mean[]
end

"""Equal plans have equal hashes, whoever made them."""
Base.hash(plan::Redistribution, seed::UInt) = hash(Lib.tw_redistribution_hash(plan), seed)
Base.:(==)(a::Redistribution, b::Redistribution) = Lib.tw_redistribution_hash(a) == Lib.tw_redistribution_hash(b)

"""What `tw redistribute --json` prints, the text without --json, and plans none of which is both faster and
smaller, as JSON."""
info(plan::Redistribution; check = false) = blob_text(out -> Lib.tw_redistribution_json(plan, check, out))
report(plan::Redistribution; check = false, width = 100) =
    blob_text(out -> Lib.tw_redistribution_report(plan, check, width, out))
pareto(plan::Redistribution) = blob_text(out -> Lib.tw_redistribution_pareto(plan, out))

"""Replays the plan with code that no planner uses; throws where it is wrong."""
check_plan(plan::Redistribution) = check(Lib.tw_redistribution_check(plan))

Base.show(io::IO, plan::Redistribution) = print(
    io, "Redistribution(",
    isopen(plan) ? "$(method(plan)): $(num_steps(plan)) steps on $(num_devices(plan)) devices" : "closed", ')',
)
