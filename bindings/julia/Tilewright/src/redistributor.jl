# SPDX-License-Identifier: Apache-2.0
# Redistributions that run in this process, on tensors and row-major arrays.

"""
    Redistributor(plans...; workers = 0, donate = false, share = false)

Plans over the same number of devices, bound to threads and scratch memory. Threads take turns with it. With
`donate` sources
may be overwritten; with `share` nobody writes to tiles once they are made, so that devices share equal ones.
"""
Redistributor

@object Redistributor tw_redistributor_t tw_redistributor_release

function Redistributor(plans::Redistribution...; workers = 0, donate = false, share = false)
    options = Ref(filled_struct(Lib.tw_redistributor_options_t; workers = workers, donate = donate, share = share))
    return sharing(plans...) do
        raw = Ptr{Lib.tw_redistribution_t}[open_pointer(plan) for plan in plans]
        call(out) = Lib.tw_redistributor_create(raw, length(raw), options, out)
        Redistributor(made(Lib.tw_redistributor_t, call), plans)
    end
end

"""Intermediate tiles, over all devices and plans; allocated once."""
scratch_bytes(mover::Redistributor) = Int(Lib.tw_redistributor_scratch_bytes(mover))

"""Where the target tile of a device lies: (:source or :target, device). Plans count from 1, devices from
0."""
function home(mover::Redistributor, plan, device)
    in_source, at = Ref{Cint}(0), Ref{Csize_t}(0)
    check(Lib.tw_redistributor_home(mover, c_index(plan, "plans"), c_number(device), in_source, at))
    return in_source[] == 0 ? :target : :source, Int(at[])
end

"""
    run!(targets, mover, sources)

Moves tiles: a tensor or row-major array per plan and device (plan-major); nothing where a device holds
nothing, or where its
target tile lies elsewhere.
"""
function run!(targets::AbstractVector, mover::Redistributor, sources::AbstractVector)
    check_tiles(mover, :source, sources)
    check_tiles(mover, :target, targets)
    GC.@preserve sources targets alone(mover) do
        before, after = Ptr{Cvoid}[tile_pointer(t) for t in sources], Ptr{Cvoid}[tile_pointer(t) for t in targets]
        check(Lib.tw_redistributor_run(mover, before, after))
    end
    return targets
end

tile_pointer(::Nothing) = C_NULL
tile_pointer(tensor::Tensor) = convert(Ptr{Cvoid}, pointer(tensor))
tile_pointer(a::AbstractArray) = convert(Ptr{Cvoid}, pointer(memory_of_vector(a)))

"""Whether tiles are as many and as large as the plans say."""
function check_tiles(mover, side, tiles)
    plans = mover.kept
    devices = num_devices(plans[1])
    length(tiles) == length(plans) * devices ||
        throw(invalid("$(length(tiles)) tiles for $(length(plans)) plans on $devices devices"))
    for (at, given) in enumerate(tiles)
        number, device = divrem(at - 1, devices)
        plan = plans[number+1]
        wanted = size(tile(plan, side, device))
        if given === nothing
            elsewhere = side === :target && home(mover, number + 1, device) != (:target, device)
            any(iszero, wanted) || elsewhere || throw(invalid("the $side tile of device $device has size $wanted, but is nothing"))
            continue
        end
        given isa Tensor || is_row_major(given) ||
            throw(invalid("the $side tile of device $device, a $(typeof(given)), is not row-major (see layout.jl)"))
        sizeof(eltype(given)) == item_size(plan) ||
            throw(invalid("elements of $(sizeof(eltype(given))) bytes, the plan's have $(item_size(plan))"))
        size(given) == wanted || prod(wanted) == 0 ||
            throw(invalid("the $side tile of device $device has size $(size(given)), not $wanted"))
    end
end

Base.show(io::IO, mover::Redistributor) = print(io, isopen(mover) ? "Redistributor()" : "Redistributor(closed)")
