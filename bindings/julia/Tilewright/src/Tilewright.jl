# SPDX-License-Identifier: Apache-2.0
"""
Partitions array programs over meshes of devices, and runs the result.

    mesh = Mesh(data = 2, model = 4)
    plan = Plan(load("mlp.mlir"), mesh)
    tile!(plan, "x", 1, :data)
    tile!(plan, "w1", 2, :model)
    infer_propagate!(plan)
    println(explain(plan, "w2"))
    y, = run(plan, x, w1, w2)

What counts dimensions, arguments, results, axes and attributes begins at 1, and arrays have Julia's order of
indices: see
`layout.jl`. What reports print as a name stays as it is: numbers of ops, values, collectives, actions and
devices.

Functions that change something end in `!`. Objects are released by finalizers, or at once by `close`; what is
made of them
keeps them alive. Failures are `Tilewright.Error`s. Threads take turns with objects that change.
"""
module Tilewright

import Libdl

include("../lib/Lib.jl")
include("errors.jl")
include("object.jl")
include("layout.jl")
include("dtype.jl")
include("mesh.jl")
include("sharding.jl")
include("tensor.jl")
include("attribute.jl")
include("custom.jl")
include("graph.jl")
include("walk.jl")
include("builder.jl")
include("build_op.jl")
include("plan.jl")
include("walk_plan.jl")
include("watch.jl")
include("compare.jl")
include("program.jl")
include("walk_program.jl")
include("estimate.jl")
include("search.jl")
include("environment.jl")
include("executable.jl")
include("comm.jl")
include("redistribution.jl")
include("redistributor.jl")
include("picture.jl")
include("library.jl")

export Mesh, AxisPart, Tile, axis_sizes, axis_kind, axis_part, device_id, num_devices, num_positions, tile, with_devices
export Sharding, DimSharding, Partial, dim_sharding, is_whole, local_size, num_tiles, partials, sharding_text
export BF16, Code, Tensor, array, compare, fill_part!, filled
export Call, CallTile, CustomCalls, add!
export ArrayType, Graph, evaluate, find_nonfinite, info, load, loads, op_names, ops_info
export argument_value, donated_to, find_value, get_op, get_region, get_value, num_ops, ops, regions, result_value, symbol,
    value_name, values_of
export arguments, results
export Builder, BuiltRegion, BuiltValue, add_op!, argument!, combiner!, compare!, concatenate!, constant!,
    convert_to!, custom_call!, custom_calls!, einsum!, fill_with!, finish!, keep_halo!, name!, op!, binary!, reduce!, region!, reshape!,
    result!, shard!, shard_result!, slice!, splat!, transpose!, unary!
export Plan, apply!, apply_file!, atomic!, emit, emit_after, emit_bytes, explain, infer_propagate!, on_action!, propagate!, stamp, tile!, undo!
export actions, conflicts, disagreements, loops, argument_sharding, result_sharding, value_sharding
export Program, bytes_received, collectives, explain_collective, instrs, local_sharding, locals, lower, page, peak_bytes, report,
    result_exact, unpartitioned
export Estimate, System, axis_seconds, estimate, held, parse_system, places, steps, totals
export Search, progress, search, spec
export Environment, mask, num_actions, observe, observe!, price, restore!, step!
export Comparison, Context, Counters, Executable, Run, argument_tile, argument_tile_owner, cancel!, counters, flight, is_over,
    profile, result_tile, result_tile_owner, run!, start!, trace
export Comm, agree, comm_rank, comm_size, fail!, levels, mpi_finish, mpi_start, share
export Link, Redistribution, Redistributor, bound, home, missing_parts, redistribute
export picture
export diagnostics, forms, watch

"""
The library is the one in the folder that `TILEWRIGHT_LIB_DIR` names, else the one that the loader finds.
"""
function __init__()
    folder = get(ENV, "TILEWRIGHT_LIB_DIR", "")
    # Calls name the library as it names itself, so that they find the one that is open.
    isempty(folder) || Libdl.dlopen(joinpath(folder, Lib.libtilewright))
    return nothing
end

end
