# SPDX-License-Identifier: Apache-2.0
# Made by bindings/make_julia.py: do not edit. Longer than other files, since made.
"""
Constants, types and functions of the C interface, as they are. `layouts()` has the sizes of structs and the places of
their fields.
"""
module Lib

const libtilewright = "libtilewright.so.0"

# ---- types ----

const tw_attr_kind_t = Int32
const tw_axis_kind_t = Int32
const tw_border_t = Int32
const tw_bound_t = Int32
const tw_collective_kind_t = Int32
const tw_conflict_kind_t = Int32
const tw_dtype_t = Int32
const tw_instr_kind_t = Int32
const tw_judged_by_t = Int32
const tw_local_t = UInt32
const tw_loop_kind_t = Int32
const tw_observe_t = Int32
const tw_op_t = UInt32
const tw_propagate_mode_t = Int32
const tw_reduction_t = Int32
const tw_region_t = UInt32
const tw_role_t = Int32
const tw_split_t = Int32
const tw_status_t = Int32
const tw_value_t = UInt32

struct DLManagedTensor end
struct DLManagedTensorVersioned end
struct tw_blob_t end
struct tw_builder_t end
struct tw_comm_t end
struct tw_conflicts_t end
struct tw_context_t end
struct tw_custom_calls_t end
struct tw_environment_t end
struct tw_error_t end
struct tw_estimate_t end
struct tw_event_t end
struct tw_executable_t end
struct tw_graph_t end
struct tw_mesh_t end
struct tw_plan_t end
struct tw_program_t end
struct tw_redistribution_t end
struct tw_redistributor_t end
struct tw_run_t end
struct tw_search_t end
struct tw_sharding_t end
struct tw_store_t end
struct tw_stream_t end
struct tw_system_t end
struct tw_tensor_t end

struct tw_action_view_t
    struct_size::Csize_t
    text::Cstring
    file::Cstring
    line::UInt32
    column::UInt32
end

struct tw_attr_t
    name::Cstring
    kind::tw_attr_kind_t
    integer::Int64
    real::Cdouble
    string::Cstring
    ints::Ptr{Int64}
    num_ints::Csize_t
    element_type::Cstring
    reserved::NTuple{2, UInt64}
end

struct tw_axis_part_t
    axis::Cstring
    before::Int64
    size::Int64
    reserved::NTuple{1, UInt64}
end

struct tw_collective_cost_view_t
    struct_size::Csize_t
    kind::tw_collective_kind_t
    axes::UInt64
    step::UInt32
    times::Int64
    seconds::Cdouble
    bytes::Cdouble
end

struct tw_collective_view_t
    struct_size::Csize_t
    kind::tw_collective_kind_t
    reduction::tw_reduction_t
    axes::UInt64
    instr::UInt32
    value::tw_value_t
    producer::tw_op_t
    consumer::tw_op_t
    action::Csize_t
    times::Int64
    bytes_received::Int64
    mean_bytes_received::Cdouble
    method::Cstring
    num_steps::UInt32
    bytes_by_level::Ptr{Int64}
    num_levels::Csize_t
    scratch_bytes::Int64
end

struct tw_compare_options_t
    struct_size::Csize_t
    other_run::Int32
    seconds::Cdouble
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
end

struct tw_comparison_t
    struct_size::Csize_t
    max_abs::Cdouble
    max_rel::Cdouble
    bit_equal::Int32
    passes::Int32
    mistrusted::Int32
    nonfinite::Int64
    judged_by::tw_judged_by_t
    tolerance::Cdouble
    from_double::Cdouble
    expected_from_double::Cdouble
    equal_argument::Int32
end

struct tw_conflict_view_t
    struct_size::Csize_t
    kind::tw_conflict_kind_t
    axis::Cstring
    op::tw_op_t
    value::tw_value_t
    text::Cstring
    num_ways::Csize_t
end

struct tw_context_options_t
    struct_size::Csize_t
    alloc::Ptr{Cvoid}
    free::Ptr{Cvoid}
    alloc_user::Ptr{Cvoid}
    log::Ptr{Cvoid}
    log_user::Ptr{Cvoid}
    workers::Int32
    parallel_for::Ptr{Cvoid}
    parallel_for_user::Ptr{Cvoid}
    destroy_alloc_user::Ptr{Cvoid}
    destroy_log_user::Ptr{Cvoid}
    destroy_parallel_for_user::Ptr{Cvoid}
end

struct tw_counters_t
    struct_size::Csize_t
    runs::Int64
    failed_runs::Int64
    steps::Int64
    collectives::Int64
    bytes::Int64
    kernel_ns::Int64
    collective_ns::Int64
end

struct tw_cuda_allocator_t
    struct_size::Csize_t
    alloc::Ptr{Cvoid}
    free::Ptr{Cvoid}
    user::Ptr{Cvoid}
end

struct tw_custom_call_t
    struct_size::Csize_t
    target::Cstring
    rule::Cstring
    rule_fn::Ptr{Cvoid}
    check::Ptr{Cvoid}
    kernel::Ptr{Cvoid}
    user::Ptr{Cvoid}
    destroy::Ptr{Cvoid}
end

struct tw_estimate_options_t
    struct_size::Csize_t
    cap_bytes::Int64
    trip_count::Int64
    donate::Cint
end

struct tw_estimate_view_t
    struct_size::Csize_t
    serial_s::Cdouble
    compute_s::Cdouble
    memory_s::Cdouble
    communication_s::Cdouble
    overlapped_s::Cdouble
    peak_bytes::Int64
    cap_bytes::Int64
    fits::Cint
    peak_place::Csize_t
end

struct tw_executable_options_t
    struct_size::Csize_t
    context::Ptr{tw_context_t}
    workers::Int32
    memory_limit::Int64
    comm::Ptr{tw_comm_t}
    whole_outputs::Int32
    observe::tw_observe_t
    tiles::Int32
    donate::Int32
    device::Cstring
    deadline::Cdouble
    delays::UInt64
    gpus::Cstring
    in_place::Int32
    exchange::Cstring
    fast_sums::Int32
    tf32::Int32
    same_bits::Int32
end

struct tw_gpu_facts_t
    struct_size::Csize_t
    name::Cstring
    architecture::Int32
    processors::Int32
    bytes::Int64
    free_bytes::Int64
    bytes_per_second::Int64
    used_bytes::Int64
    limit_bytes::Int64
end

struct tw_held_view_t
    struct_size::Csize_t
    value::Cstring
    local_value::tw_local_t
    bytes::Int64
    role::tw_role_t
end

struct tw_import_options_t
    struct_size::Csize_t
    file::Cstring
    entry::Cstring
    names::Cstring
    names_file::Cstring
    custom_calls::Ptr{tw_custom_calls_t}
    allow_unknown::Cint
    mesh::Cstring
end

struct tw_instr_view_t
    struct_size::Csize_t
    kind::tw_instr_kind_t
    op::tw_op_t
    operands::Ptr{tw_local_t}
    num_operands::UInt32
    first_result::tw_local_t
    num_results::UInt32
    index::UInt32
    collective::UInt32
    reduce_axes::UInt64
end

struct tw_link_t
    alpha_us::Cdouble
    message_us::Cdouble
    gb_per_s::Cdouble
    reserved::NTuple{3, UInt64}
end

struct tw_local_view_t
    struct_size::Csize_t
    origin::tw_value_t
    instr::UInt32
end

struct tw_loop_view_t
    struct_size::Csize_t
    axis::Cstring
    kind::tw_loop_kind_t
    dim::Int32
    reduction::tw_reduction_t
    action::Csize_t
    cause::tw_op_t
end

struct tw_lower_options_t
    struct_size::Csize_t
    without::Ptr{Cstring}
    num_without::Csize_t
    gather_per_use::Cint
    bucket_bytes::Int64
    levels::Cstring
    keep_sum_order::Cint
    scratch_bytes::Int64
    hoist_limit::Int64
end

struct tw_message_loop_t
    n::Int64
    stride::Int64
end

struct tw_mpi_options_t
    struct_size::Csize_t
    library::Cstring
    deadline::Cdouble
end

struct tw_op_view_t
    struct_size::Csize_t
    name::Cstring
    operands::Ptr{tw_value_t}
    num_operands::UInt32
    num_results::UInt32
    first_result::tw_value_t
    num_regions::UInt32
    first_region::tw_region_t
    parent::tw_region_t
    num_attrs::UInt32
    line::UInt32
    column::UInt32
end

struct tw_page_options_t
    struct_size::Csize_t
    trace::Cstring
    command::Cstring
end

struct tw_picture_options_t
    struct_size::Csize_t
    form::Cstring
    theme::Cstring
    scale::Cdouble
    bare::Int32
end

struct tw_place_view_t
    struct_size::Csize_t
    bytes::Int64
    instr::UInt32
    step::UInt32
end

struct tw_plan_options_t
    struct_size::Csize_t
    ignore_annotations::Int32
    policy::Cstring
end

struct tw_price_view_t
    struct_size::Csize_t
    cost_s::Cdouble
    computing_s::Cdouble
    moving_s::Cdouble
    received_bytes::Int64
    peak_bytes::Int64
    cap_bytes::Int64
    fits::Int32
end

struct tw_redistributor_options_t
    struct_size::Csize_t
    workers::Int32
    donate::Int32
    share::Int32
    context::Ptr{tw_context_t}
    memory_limit::Int64
    comm::Ptr{tw_comm_t}
    device::Cstring
    gpus::Cstring
    deadline::Cdouble
    delays::UInt64
end

struct tw_region_view_t
    struct_size::Csize_t
    parent::tw_op_t
    num_arguments::UInt32
    arguments::Ptr{tw_value_t}
    ops::Ptr{tw_op_t}
    num_ops::Csize_t
    yields::Ptr{tw_value_t}
    num_yields::Csize_t
end

struct tw_reshard_options_t
    struct_size::Csize_t
    format::Cstring
    memory_bytes::UInt64
    dtype::tw_dtype_t
    dry_run::Int32
    verify::Int32
    step::Ptr{Cvoid}
    user::Ptr{Cvoid}
end

struct tw_run_options_t
    struct_size::Csize_t
    stream::Ptr{tw_stream_t}
end

struct tw_solve_options_t
    struct_size::Csize_t
    rounds::Int64
    seconds::Cdouble
    seed::UInt64
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
end

struct tw_step_view_t
    struct_size::Csize_t
    what::Cstring
    value::Cstring
    location::Cstring
    instr::UInt32
    num_ops::UInt32
    collective::UInt32
    bound::tw_bound_t
    times::Int64
    seconds::Cdouble
    flops::Cdouble
    bytes::Cdouble
    begin_s::Cdouble
    lasts_s::Cdouble
end

struct tw_store_options_t
    struct_size::Csize_t
    format::Cstring
    rename::Cstring
    rename_file::Cstring
end

struct tw_store_part_t
    ndims::Csize_t
    offset::Ptr{Int64}
    extent::Ptr{Int64}
    strides::Ptr{Int64}
    file::Cstring
    at::UInt64
    swapped::Int32
    reserved::NTuple{2, UInt64}
end

struct tw_tile_t
    struct_size::Csize_t
    dtype::tw_dtype_t
    ndims::Csize_t
    whole::Ptr{Int64}
    offset::Ptr{Int64}
    extent::Ptr{Int64}
    strides::Ptr{Int64}
    data::Ptr{Cvoid}
end

struct tw_transport_t
    struct_size::Csize_t
    rank::Int32
    size::Int32
    highest_tag::Int32
    prepare::Ptr{Cvoid}
    start::Ptr{Cvoid}
    test::Ptr{Cvoid}
    missing::Ptr{Cvoid}
    give_up::Ptr{Cvoid}
    release::Ptr{Cvoid}
    broadcast::Ptr{Cvoid}
    poll::Ptr{Cvoid}
    user::Ptr{Cvoid}
    destroy::Ptr{Cvoid}
end

struct tw_type_t
    dtype::tw_dtype_t
    dims::Ptr{Int64}
    ndims::Csize_t
    reserved::NTuple{2, UInt64}
end

struct tw_use_t
    op::tw_op_t
    operand::UInt32
end

struct tw_watch_options_t
    struct_size::Csize_t
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
    interval::Cdouble
end

struct tw_way_view_t
    struct_size::Csize_t
    kind::tw_loop_kind_t
    dim::Int32
    reduction::tw_reduction_t
    text::Cstring
    source::tw_op_t
    action::Csize_t
    bytes::Int64
    more_bytes::Int64
end

struct tw_call_t
    struct_size::Csize_t
    target::Cstring
    operands::Ptr{Ptr{tw_tile_t}}
    num_operands::Csize_t
    results::Ptr{Ptr{tw_tile_t}}
    num_results::Csize_t
    attrs::Ptr{tw_attr_t}
    num_attrs::Csize_t
end

struct tw_dim_sharding_t
    axes::Ptr{tw_axis_part_t}
    num_axes::Csize_t
    split::tw_split_t
    unit::Int64
    cuts::Ptr{Int64}
    num_cuts::Csize_t
    halo_before::Int64
    halo_after::Int64
    border::tw_border_t
    is_open::Int32
    priority::Int32
    reserved::NTuple{2, UInt64}
end

struct tw_environment_options_t
    struct_size::Csize_t
    cap_bytes::Int64
    lower::Ptr{tw_lower_options_t}
    axes::Cstring
    even_only::Int32
end

struct tw_message_t
    struct_size::Csize_t
    peer::Int32
    tag::Int32
    sends::Int32
    data::Ptr{Cvoid}
    bytes::Int64
    loops::Ptr{tw_message_loop_t}
    num_loops::Csize_t
end

struct tw_op_spec_t
    struct_size::Csize_t
    name::Cstring
    operands::Ptr{tw_value_t}
    num_operands::Csize_t
    regions::Ptr{tw_region_t}
    num_regions::Csize_t
    attrs::Ptr{tw_attr_t}
    num_attrs::Csize_t
    result_types::Ptr{tw_type_t}
    num_result_types::Csize_t
    location::Cstring
    line::UInt32
    column::UInt32
end

struct tw_partial_t
    part::tw_axis_part_t
    reduction::tw_reduction_t
    reserved::NTuple{1, UInt64}
end

struct tw_redistribution_options_t
    struct_size::Csize_t
    method::Cstring
    levels::Cstring
    dtype::tw_dtype_t
    scratch_bytes::Int64
    height_bytes::Int64
    links::Ptr{tw_link_t}
    num_links::Csize_t
    copy_gb_per_s::Cdouble
    steps::Cstring
    lost::Ptr{Int64}
    num_lost::Csize_t
end

struct tw_search_options_t
    struct_size::Csize_t
    cap_bytes::Int64
    episodes::Int64
    seconds::Cdouble
    seed::UInt64
    threads::Int32
    lower::Ptr{tw_lower_options_t}
    axes::Cstring
    even_only::Int32
    cache::Cstring
    exact::Int32
    gap::Cdouble
end

struct tw_value_view_t
    struct_size::Csize_t
    dtype::tw_dtype_t
    dims::Ptr{Int64}
    ndims::Csize_t
    op::tw_op_t
    index::UInt32
    region::tw_region_t
    num_uses::UInt32
    uses::Ptr{tw_use_t}
end

# ---- constants ----

const TW_API_VERSION_MAJOR = Int32(0)
const TW_API_VERSION_MINOR = Int32(2)
const TW_API_VERSION_PATCH = Int32(0)
const TW_STATUS_SIGNED = tw_status_t(-1)
const TW_OK = tw_status_t(0)
const TW_INVALID_ARGUMENT = tw_status_t(1)
const TW_NOT_FOUND = tw_status_t(2)
const TW_OUT_OF_RANGE = tw_status_t(3)
const TW_FAILED_PRECONDITION = tw_status_t(4)
const TW_UNIMPLEMENTED = tw_status_t(5)
const TW_RESOURCE_EXHAUSTED = tw_status_t(6)
const TW_CANCELLED = tw_status_t(7)
const TW_DEADLINE_EXCEEDED = tw_status_t(8)
const TW_UNAVAILABLE = tw_status_t(9)
const TW_REMOTE = tw_status_t(10)
const TW_INTERNAL = tw_status_t(11)
const TW_DEVICE_LOST = tw_status_t(12)
const TW_DTYPE_SIGNED = tw_dtype_t(-1)
const TW_DTYPE_INVALID = tw_dtype_t(0)
const TW_F64 = tw_dtype_t(1)
const TW_F32 = tw_dtype_t(2)
const TW_F16 = tw_dtype_t(3)
const TW_BF16 = tw_dtype_t(4)
const TW_F8E4M3FN = tw_dtype_t(5)
const TW_F8E5M2 = tw_dtype_t(6)
const TW_F8E4M3FNUZ = tw_dtype_t(7)
const TW_F8E5M2FNUZ = tw_dtype_t(8)
const TW_F8E4M3B11FNUZ = tw_dtype_t(9)
const TW_F8E4M3 = tw_dtype_t(10)
const TW_F8E3M4 = tw_dtype_t(11)
const TW_I1 = tw_dtype_t(12)
const TW_S2 = tw_dtype_t(13)
const TW_S4 = tw_dtype_t(14)
const TW_S8 = tw_dtype_t(15)
const TW_S16 = tw_dtype_t(16)
const TW_S32 = tw_dtype_t(17)
const TW_S64 = tw_dtype_t(18)
const TW_U2 = tw_dtype_t(19)
const TW_U4 = tw_dtype_t(20)
const TW_U8 = tw_dtype_t(21)
const TW_U16 = tw_dtype_t(22)
const TW_U32 = tw_dtype_t(23)
const TW_U64 = tw_dtype_t(24)
const TW_C64 = tw_dtype_t(25)
const TW_C128 = tw_dtype_t(26)
const TW_TOKEN = tw_dtype_t(27)
const TW_F4E2M1FN = tw_dtype_t(28)
const TW_F6E2M3FN = tw_dtype_t(29)
const TW_F6E3M2FN = tw_dtype_t(30)
const TW_F8E8M0FNU = tw_dtype_t(31)
const TW_ATTR_SIGNED = tw_attr_kind_t(-1)
const TW_ATTR_INTEGER = tw_attr_kind_t(0)
const TW_ATTR_REAL = tw_attr_kind_t(1)
const TW_ATTR_STRING = tw_attr_kind_t(2)
const TW_ATTR_INTS = tw_attr_kind_t(3)
const TW_ATTR_BOOLEAN = tw_attr_kind_t(5)
const TW_BOUND_SIGNED = tw_bound_t(-1)
const TW_BOUND_COMPUTE = tw_bound_t(0)
const TW_BOUND_MEMORY = tw_bound_t(1)
const TW_BOUND_LINK = tw_bound_t(2)
const TW_NO_INSTR = UInt32(4294967295)
const TW_NO_STEP = UInt32(4294967295)
const TW_ROLE_SIGNED = tw_role_t(-1)
const TW_ROLE_PARAMETER = tw_role_t(0)
const TW_ROLE_STATE = tw_role_t(1)
const TW_ROLE_GRADIENT = tw_role_t(2)
const TW_ROLE_ACTIVATION = tw_role_t(3)
const TW_ROLE_GATHERED = tw_role_t(4)
const TW_ROLE_BUFFER = tw_role_t(5)
const TW_NO_VALUE = UInt32(4294967295)
const TW_AXIS_SIGNED = tw_axis_kind_t(-1)
const TW_AXIS_DEVICES = tw_axis_kind_t(0)
const TW_AXIS_SERIAL = tw_axis_kind_t(1)
const TW_AXIS_THREADS = tw_axis_kind_t(2)
const TW_PROPAGATE_SIGNED = tw_propagate_mode_t(-1)
const TW_PROPAGATE = tw_propagate_mode_t(0)
const TW_INFER_PROPAGATE = tw_propagate_mode_t(1)
const TW_JUDGED_BY_SIGNED = tw_judged_by_t(-1)
const TW_JUDGED_BY_BITS = tw_judged_by_t(0)
const TW_JUDGED_BY_TOLERANCE = tw_judged_by_t(1)
const TW_JUDGED_BY_DOUBLE = tw_judged_by_t(2)
const TW_OBSERVE_SIGNED = tw_observe_t(-1)
const TW_OBSERVE_NOTHING = tw_observe_t(0)
const TW_OBSERVE_PROFILE = tw_observe_t(1)
const TW_OBSERVE_TRACE = tw_observe_t(2)
const TW_SPLIT_SIGNED = tw_split_t(-1)
const TW_SPLIT_BALANCED = tw_split_t(0)
const TW_SPLIT_CEIL = tw_split_t(1)
const TW_SPLIT_CUTS = tw_split_t(2)
const TW_SPLIT_SPANS = tw_split_t(3)
const TW_BORDER_SIGNED = tw_border_t(-1)
const TW_BORDER_ZERO = tw_border_t(0)
const TW_BORDER_WRAP = tw_border_t(1)
const TW_BORDER_NONE = tw_border_t(2)
const TW_REDUCTION_SIGNED = tw_reduction_t(-1)
const TW_REDUCTION_NONE = tw_reduction_t(0)
const TW_REDUCTION_SUM = tw_reduction_t(1)
const TW_REDUCTION_MAX = tw_reduction_t(2)
const TW_REDUCTION_MIN = tw_reduction_t(3)
const TW_REDUCTION_PROD = tw_reduction_t(4)
const TW_REDUCTION_AND = tw_reduction_t(5)
const TW_REDUCTION_OR = tw_reduction_t(6)
const TW_REDUCTION_XOR = tw_reduction_t(7)
const TW_REDUCTION_PICK = tw_reduction_t(8)
const TW_REDUCTION_REGION = tw_reduction_t(9)
const TW_NO_OP = UInt32(4294967295)
const TW_NO_REGION = UInt32(4294967295)
const TW_NO_ACTION = UInt32(4294967295)
const TW_LOOP_SIGNED = tw_loop_kind_t(-1)
const TW_LOOP_TILE = tw_loop_kind_t(0)
const TW_LOOP_REDUCE = tw_loop_kind_t(1)
const TW_LOOP_WHOLE = tw_loop_kind_t(2)
const TW_CONFLICT_SIGNED = tw_conflict_kind_t(-1)
const TW_CONFLICT_TIE = tw_conflict_kind_t(0)
const TW_CONFLICT_GATE = tw_conflict_kind_t(1)
const TW_CONFLICT_UNEVEN = tw_conflict_kind_t(2)
const TW_CONFLICT_STRIDED = tw_conflict_kind_t(3)
const TW_CONFLICT_MISMATCH = tw_conflict_kind_t(4)
const TW_CONFLICT_ILLEGAL = tw_conflict_kind_t(5)
const TW_INSTR_SIGNED = tw_instr_kind_t(-1)
const TW_INSTR_ARGUMENT = tw_instr_kind_t(0)
const TW_INSTR_COMPUTE = tw_instr_kind_t(1)
const TW_INSTR_COLLECTIVE = tw_instr_kind_t(2)
const TW_INSTR_RESULT = tw_instr_kind_t(3)
const TW_INSTR_REGION = tw_instr_kind_t(4)
const TW_INSTR_LOOP = tw_instr_kind_t(5)
const TW_INSTR_END_LOOP = tw_instr_kind_t(6)
const TW_INSTR_ACCUMULATE = tw_instr_kind_t(7)
const TW_INSTR_SLICE = tw_instr_kind_t(8)
const TW_NO_COLLECTIVE = UInt32(4294967295)
const TW_COLLECTIVE_SIGNED = tw_collective_kind_t(-1)
const TW_COLLECTIVE_ALL_GATHER = tw_collective_kind_t(1)
const TW_COLLECTIVE_ALL_REDUCE = tw_collective_kind_t(2)
const TW_COLLECTIVE_REDUCE_SCATTER = tw_collective_kind_t(3)
const TW_COLLECTIVE_ALL_TO_ALL = tw_collective_kind_t(4)
const TW_COLLECTIVE_PERMUTE = tw_collective_kind_t(5)
const TW_COLLECTIVE_EXCHANGE = tw_collective_kind_t(6)

# ---- tw_base.h ----

tw_version() = @ccall libtilewright.tw_version()::Cstring
tw_api_version() = @ccall libtilewright.tw_api_version()::Int32
tw_status_name(status) = @ccall libtilewright.tw_status_name(status::tw_status_t)::Cstring
tw_error_message() = @ccall libtilewright.tw_error_message()::Cstring
tw_error_take(out_error) = @ccall libtilewright.tw_error_take(out_error::Ptr{Ptr{tw_error_t}})::tw_status_t
tw_error_release(error) = @ccall libtilewright.tw_error_release(error::Ptr{tw_error_t})::Cvoid
tw_error_status(error) = @ccall libtilewright.tw_error_status(error::Ptr{tw_error_t})::tw_status_t
tw_error_id(error) = @ccall libtilewright.tw_error_id(error::Ptr{tw_error_t})::Cstring
tw_error_text(error) = @ccall libtilewright.tw_error_text(error::Ptr{tw_error_t})::Cstring
tw_error_file(error) = @ccall libtilewright.tw_error_file(error::Ptr{tw_error_t})::Cstring
tw_error_line(error) = @ccall libtilewright.tw_error_line(error::Ptr{tw_error_t})::UInt32
tw_error_column(error) = @ccall libtilewright.tw_error_column(error::Ptr{tw_error_t})::UInt32
tw_error_num_notes(error) = @ccall libtilewright.tw_error_num_notes(error::Ptr{tw_error_t})::Csize_t
tw_error_note(error, i) = @ccall libtilewright.tw_error_note(error::Ptr{tw_error_t}, i::Csize_t)::Cstring
tw_error_catch(body, user, out_error) = @ccall libtilewright.tw_error_catch(body::Ptr{Cvoid}, user::Ptr{Cvoid}, out_error::Ptr{Ptr{tw_error_t}})::tw_status_t
tw_watch_calls(body, user, options) = @ccall libtilewright.tw_watch_calls(body::Ptr{Cvoid}, user::Ptr{Cvoid}, options::Ptr{tw_watch_options_t})::tw_status_t
tw_diagnostic_count() = @ccall libtilewright.tw_diagnostic_count()::Csize_t
tw_diagnostic_id(i) = @ccall libtilewright.tw_diagnostic_id(i::Csize_t)::Cstring
tw_diagnostic_meaning(i) = @ccall libtilewright.tw_diagnostic_meaning(i::Csize_t)::Cstring
tw_diagnostic_advice(i) = @ccall libtilewright.tw_diagnostic_advice(i::Csize_t)::Cstring
tw_error_set(status, message) = @ccall libtilewright.tw_error_set(status::tw_status_t, message::Cstring)::tw_status_t
tw_blob_create(data, size, out_blob) = @ccall libtilewright.tw_blob_create(data::Ptr{Cvoid}, size::Csize_t, out_blob::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_blob_retain(blob) = @ccall libtilewright.tw_blob_retain(blob::Ptr{tw_blob_t})::Ptr{tw_blob_t}
tw_blob_release(blob) = @ccall libtilewright.tw_blob_release(blob::Ptr{tw_blob_t})::Cvoid
tw_blob_data(blob) = @ccall libtilewright.tw_blob_data(blob::Ptr{tw_blob_t})::Cstring
tw_blob_size(blob) = @ccall libtilewright.tw_blob_size(blob::Ptr{tw_blob_t})::Csize_t
tw_context_create(options, out_context) = @ccall libtilewright.tw_context_create(options::Ptr{tw_context_options_t}, out_context::Ptr{Ptr{tw_context_t}})::tw_status_t
tw_context_retain(context) = @ccall libtilewright.tw_context_retain(context::Ptr{tw_context_t})::Ptr{tw_context_t}
tw_context_release(context) = @ccall libtilewright.tw_context_release(context::Ptr{tw_context_t})::Cvoid
tw_build_info(out_json) = @ccall libtilewright.tw_build_info(out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_dtype_name(dtype) = @ccall libtilewright.tw_dtype_name(dtype::tw_dtype_t)::Cstring
tw_dtype_size(dtype) = @ccall libtilewright.tw_dtype_size(dtype::tw_dtype_t)::Csize_t
tw_dtype_decode(dtype, element, out_real, out_imaginary) = @ccall libtilewright.tw_dtype_decode(dtype::tw_dtype_t, element::Ptr{Cvoid}, out_real::Ptr{Cdouble}, out_imaginary::Ptr{Cdouble})::tw_status_t
tw_dtype_encode(dtype, real, imaginary, out_element) = @ccall libtilewright.tw_dtype_encode(dtype::tw_dtype_t, real::Cdouble, imaginary::Cdouble, out_element::Ptr{Cvoid})::tw_status_t

# ---- tw_builder.h ----

tw_builder_create(name, out_builder) = @ccall libtilewright.tw_builder_create(name::Cstring, out_builder::Ptr{Ptr{tw_builder_t}})::tw_status_t
tw_builder_release(builder) = @ccall libtilewright.tw_builder_release(builder::Ptr{tw_builder_t})::Cvoid
tw_builder_check(builder) = @ccall libtilewright.tw_builder_check(builder::Ptr{tw_builder_t})::tw_status_t
tw_builder_finish(builder, out_graph) = @ccall libtilewright.tw_builder_finish(builder::Ptr{tw_builder_t}, out_graph::Ptr{Ptr{tw_graph_t}})::tw_status_t
tw_builder_argument(builder, name, dtype, dims, ndims) = @ccall libtilewright.tw_builder_argument(builder::Ptr{tw_builder_t}, name::Cstring, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t)::tw_value_t
tw_builder_donated_argument(builder, name, dtype, dims, ndims, result) = @ccall libtilewright.tw_builder_donated_argument(builder::Ptr{tw_builder_t}, name::Cstring, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, result::Int64)::tw_value_t
tw_builder_result(builder, name, value) = @ccall libtilewright.tw_builder_result(builder::Ptr{tw_builder_t}, name::Cstring, value::tw_value_t)::Cvoid
tw_builder_constant(builder, dtype, dims, ndims, data) = @ccall libtilewright.tw_builder_constant(builder::Ptr{tw_builder_t}, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, data::Ptr{Cvoid})::tw_value_t
tw_builder_splat(builder, dtype, dims, ndims, value) = @ccall libtilewright.tw_builder_splat(builder::Ptr{tw_builder_t}, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, value::Cdouble)::tw_value_t
tw_builder_fill(builder, dtype, dims, ndims, element) = @ccall libtilewright.tw_builder_fill(builder::Ptr{tw_builder_t}, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, element::Ptr{Cvoid})::tw_value_t
tw_builder_add(builder, op, operands, num_operands, attrs, num_attrs, out_results, max_results) = @ccall libtilewright.tw_builder_add(builder::Ptr{tw_builder_t}, op::Cstring, operands::Ptr{tw_value_t}, num_operands::Csize_t, attrs::Ptr{tw_attr_t}, num_attrs::Csize_t, out_results::Ptr{tw_value_t}, max_results::Csize_t)::tw_value_t
tw_builder_op(builder, spec, out_results, max_results) = @ccall libtilewright.tw_builder_op(builder::Ptr{tw_builder_t}, spec::Ptr{tw_op_spec_t}, out_results::Ptr{tw_value_t}, max_results::Csize_t)::tw_value_t
tw_builder_begin_region(builder, argument_types, num_arguments, out_arguments) = @ccall libtilewright.tw_builder_begin_region(builder::Ptr{tw_builder_t}, argument_types::Ptr{tw_type_t}, num_arguments::Csize_t, out_arguments::Ptr{tw_value_t})::Cvoid
tw_builder_end_region(builder, yields, num_yields) = @ccall libtilewright.tw_builder_end_region(builder::Ptr{tw_builder_t}, yields::Ptr{tw_value_t}, num_yields::Csize_t)::tw_region_t
tw_builder_combiner(builder, op, dtype) = @ccall libtilewright.tw_builder_combiner(builder::Ptr{tw_builder_t}, op::Cstring, dtype::tw_dtype_t)::tw_region_t
tw_builder_unary(builder, op, x) = @ccall libtilewright.tw_builder_unary(builder::Ptr{tw_builder_t}, op::Cstring, x::tw_value_t)::tw_value_t
tw_builder_binary(builder, op, x, y) = @ccall libtilewright.tw_builder_binary(builder::Ptr{tw_builder_t}, op::Cstring, x::tw_value_t, y::tw_value_t)::tw_value_t
tw_builder_compare(builder, direction, x, y) = @ccall libtilewright.tw_builder_compare(builder::Ptr{tw_builder_t}, direction::Cstring, x::tw_value_t, y::tw_value_t)::tw_value_t
tw_builder_convert(builder, x, dtype) = @ccall libtilewright.tw_builder_convert(builder::Ptr{tw_builder_t}, x::tw_value_t, dtype::tw_dtype_t)::tw_value_t
tw_builder_einsum(builder, subscripts, x, y) = @ccall libtilewright.tw_builder_einsum(builder::Ptr{tw_builder_t}, subscripts::Cstring, x::tw_value_t, y::tw_value_t)::tw_value_t
tw_builder_transpose(builder, x, permutation, n) = @ccall libtilewright.tw_builder_transpose(builder::Ptr{tw_builder_t}, x::tw_value_t, permutation::Ptr{Int64}, n::Csize_t)::tw_value_t
tw_builder_reshape(builder, x, dims, ndims) = @ccall libtilewright.tw_builder_reshape(builder::Ptr{tw_builder_t}, x::tw_value_t, dims::Ptr{Int64}, ndims::Csize_t)::tw_value_t
tw_builder_broadcast(builder, x, dims, ndims, map, n) = @ccall libtilewright.tw_builder_broadcast(builder::Ptr{tw_builder_t}, x::tw_value_t, dims::Ptr{Int64}, ndims::Csize_t, map::Ptr{Int64}, n::Csize_t)::tw_value_t
tw_builder_slice(builder, x, starts, limits, steps, n) = @ccall libtilewright.tw_builder_slice(builder::Ptr{tw_builder_t}, x::tw_value_t, starts::Ptr{Int64}, limits::Ptr{Int64}, steps::Ptr{Int64}, n::Csize_t)::tw_value_t
tw_builder_concatenate(builder, values, num_values, dim) = @ccall libtilewright.tw_builder_concatenate(builder::Ptr{tw_builder_t}, values::Ptr{tw_value_t}, num_values::Csize_t, dim::Int64)::tw_value_t
tw_builder_reduce(builder, kind, x, dims, ndims) = @ccall libtilewright.tw_builder_reduce(builder::Ptr{tw_builder_t}, kind::Cstring, x::tw_value_t, dims::Ptr{Int64}, ndims::Csize_t)::tw_value_t
tw_builder_custom_calls(builder, calls) = @ccall libtilewright.tw_builder_custom_calls(builder::Ptr{tw_builder_t}, calls::Ptr{tw_custom_calls_t})::Cvoid
tw_builder_custom_call(builder, target, operands, num_operands, results, num_results, attrs, num_attrs, out_results) = @ccall libtilewright.tw_builder_custom_call(builder::Ptr{tw_builder_t}, target::Cstring, operands::Ptr{tw_value_t}, num_operands::Csize_t, results::Ptr{tw_type_t}, num_results::Csize_t, attrs::Ptr{tw_attr_t}, num_attrs::Csize_t, out_results::Ptr{tw_value_t})::tw_value_t
tw_builder_name(builder, value, name) = @ccall libtilewright.tw_builder_name(builder::Ptr{tw_builder_t}, value::tw_value_t, name::Cstring)::Cvoid
tw_builder_shard(builder, value, sharding) = @ccall libtilewright.tw_builder_shard(builder::Ptr{tw_builder_t}, value::tw_value_t, sharding::Ptr{tw_sharding_t})::Cvoid
tw_builder_shard_result(builder, i, sharding) = @ccall libtilewright.tw_builder_shard_result(builder::Ptr{tw_builder_t}, i::Csize_t, sharding::Ptr{tw_sharding_t})::Cvoid
tw_builder_keep_halo(builder, value, sharding) = @ccall libtilewright.tw_builder_keep_halo(builder::Ptr{tw_builder_t}, value::tw_value_t, sharding::Ptr{tw_sharding_t})::tw_value_t

# ---- tw_cuda.h ----

tw_cuda_describe(gpu, out_facts) = @ccall libtilewright.tw_cuda_describe(gpu::Int32, out_facts::Ptr{tw_gpu_facts_t})::tw_status_t
tw_cuda_limit_memory(gpu, bytes) = @ccall libtilewright.tw_cuda_limit_memory(gpu::Int32, bytes::Int64)::tw_status_t
tw_cuda_set_allocator(gpu, allocator) = @ccall libtilewright.tw_cuda_set_allocator(gpu::Int32, allocator::Ptr{tw_cuda_allocator_t})::tw_status_t
tw_cuda_wrap_stream(gpu, cu_stream, out_stream) = @ccall libtilewright.tw_cuda_wrap_stream(gpu::Int32, cu_stream::Ptr{Cvoid}, out_stream::Ptr{Ptr{tw_stream_t}})::tw_status_t
tw_cuda_wrap_event(gpu, cu_event, out_event) = @ccall libtilewright.tw_cuda_wrap_event(gpu::Int32, cu_event::Ptr{Cvoid}, out_event::Ptr{Ptr{tw_event_t}})::tw_status_t

# ---- tw_custom.h ----

tw_call_attr(call, name) = @ccall libtilewright.tw_call_attr(call::Ptr{tw_call_t}, name::Cstring)::Ptr{tw_attr_t}
tw_custom_calls_create(out_calls) = @ccall libtilewright.tw_custom_calls_create(out_calls::Ptr{Ptr{tw_custom_calls_t}})::tw_status_t
tw_custom_calls_retain(calls) = @ccall libtilewright.tw_custom_calls_retain(calls::Ptr{tw_custom_calls_t})::Ptr{tw_custom_calls_t}
tw_custom_calls_release(calls) = @ccall libtilewright.tw_custom_calls_release(calls::Ptr{tw_custom_calls_t})::Cvoid
tw_custom_calls_add(calls, call) = @ccall libtilewright.tw_custom_calls_add(calls::Ptr{tw_custom_calls_t}, call::Ptr{tw_custom_call_t})::tw_status_t

# ---- tw_debug.h ----

tw_debug_pass(i, k) = @ccall libtilewright.tw_debug_pass(i::Csize_t, k::Csize_t)::Cstring
tw_debug_emit_after(plan, form, pass_name, out_text) = @ccall libtilewright.tw_debug_emit_after(plan::Ptr{tw_plan_t}, form::Cstring, pass_name::Cstring, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_device.h ----

tw_device_count(kind, out_count) = @ccall libtilewright.tw_device_count(kind::Cstring, out_count::Ptr{Int32})::tw_status_t
tw_stream_create(kind, device, out_stream) = @ccall libtilewright.tw_stream_create(kind::Cstring, device::Int32, out_stream::Ptr{Ptr{tw_stream_t}})::tw_status_t
tw_stream_retain(stream) = @ccall libtilewright.tw_stream_retain(stream::Ptr{tw_stream_t})::Ptr{tw_stream_t}
tw_stream_release(stream) = @ccall libtilewright.tw_stream_release(stream::Ptr{tw_stream_t})::Cvoid
tw_stream_device(stream, out_device) = @ccall libtilewright.tw_stream_device(stream::Ptr{tw_stream_t}, out_device::Ptr{Int32})::Cstring
tw_stream_native(stream) = @ccall libtilewright.tw_stream_native(stream::Ptr{tw_stream_t})::Ptr{Cvoid}
tw_stream_wait(stream) = @ccall libtilewright.tw_stream_wait(stream::Ptr{tw_stream_t})::tw_status_t
tw_event_create(kind, device, out_event) = @ccall libtilewright.tw_event_create(kind::Cstring, device::Int32, out_event::Ptr{Ptr{tw_event_t}})::tw_status_t
tw_event_retain(event) = @ccall libtilewright.tw_event_retain(event::Ptr{tw_event_t})::Ptr{tw_event_t}
tw_event_release(event) = @ccall libtilewright.tw_event_release(event::Ptr{tw_event_t})::Cvoid
tw_event_record(event, stream) = @ccall libtilewright.tw_event_record(event::Ptr{tw_event_t}, stream::Ptr{tw_stream_t})::tw_status_t
tw_event_await(event, stream) = @ccall libtilewright.tw_event_await(event::Ptr{tw_event_t}, stream::Ptr{tw_stream_t})::tw_status_t
tw_event_test(event, out_reached) = @ccall libtilewright.tw_event_test(event::Ptr{tw_event_t}, out_reached::Ptr{Cint})::tw_status_t
tw_tensor_create_on(kind, device, dtype, dims, ndims, out_tensor) = @ccall libtilewright.tw_tensor_create_on(kind::Cstring, device::Int32, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_wrap_on(kind, device, dtype, dims, ndims, strides, address, destroy, user, out_tensor) = @ccall libtilewright.tw_tensor_wrap_on(kind::Cstring, device::Int32, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, strides::Ptr{Int64}, address::Ptr{Cvoid}, destroy::Ptr{Cvoid}, user::Ptr{Cvoid}, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_device(tensor, out_device) = @ccall libtilewright.tw_tensor_device(tensor::Ptr{tw_tensor_t}, out_device::Ptr{Int32})::Cstring
tw_tensor_strides(tensor, out_ndims) = @ccall libtilewright.tw_tensor_strides(tensor::Ptr{tw_tensor_t}, out_ndims::Ptr{Csize_t})::Ptr{Int64}
tw_tensor_address(tensor) = @ccall libtilewright.tw_tensor_address(tensor::Ptr{tw_tensor_t})::Ptr{Cvoid}
tw_tensor_copy(dst, src, stream) = @ccall libtilewright.tw_tensor_copy(dst::Ptr{tw_tensor_t}, src::Ptr{tw_tensor_t}, stream::Ptr{tw_stream_t})::tw_status_t
tw_tensor_written(tensor, stream) = @ccall libtilewright.tw_tensor_written(tensor::Ptr{tw_tensor_t}, stream::Ptr{tw_stream_t})::tw_status_t
tw_tensor_await(tensor, stream) = @ccall libtilewright.tw_tensor_await(tensor::Ptr{tw_tensor_t}, stream::Ptr{tw_stream_t})::tw_status_t
tw_run_start_with(executable, inputs, num_inputs, outputs, num_outputs, options, out_run) = @ccall libtilewright.tw_run_start_with(executable::Ptr{tw_executable_t}, inputs::Ptr{Ptr{tw_tensor_t}}, num_inputs::Csize_t, outputs::Ptr{Ptr{tw_tensor_t}}, num_outputs::Csize_t, options::Ptr{tw_run_options_t}, out_run::Ptr{Ptr{tw_run_t}})::tw_status_t

# ---- tw_dlpack.h ----

tw_tensor_from_dlpack(managed, out_tensor) = @ccall libtilewright.tw_tensor_from_dlpack(managed::Ptr{DLManagedTensor}, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_from_dlpack_versioned(managed, out_tensor) = @ccall libtilewright.tw_tensor_from_dlpack_versioned(managed::Ptr{DLManagedTensorVersioned}, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_to_dlpack(tensor, out_managed) = @ccall libtilewright.tw_tensor_to_dlpack(tensor::Ptr{tw_tensor_t}, out_managed::Ptr{Ptr{DLManagedTensor}})::tw_status_t
tw_tensor_to_dlpack_versioned(tensor, out_managed) = @ccall libtilewright.tw_tensor_to_dlpack_versioned(tensor::Ptr{tw_tensor_t}, out_managed::Ptr{Ptr{DLManagedTensorVersioned}})::tw_status_t

# ---- tw_environment.h ----

tw_environment_create(plan, system, options, out_environment) = @ccall libtilewright.tw_environment_create(plan::Ptr{tw_plan_t}, system::Ptr{tw_system_t}, options::Ptr{tw_environment_options_t}, out_environment::Ptr{Ptr{tw_environment_t}})::tw_status_t
tw_environment_clone(environment, out_environment) = @ccall libtilewright.tw_environment_clone(environment::Ptr{tw_environment_t}, out_environment::Ptr{Ptr{tw_environment_t}})::tw_status_t
tw_environment_retain(environment) = @ccall libtilewright.tw_environment_retain(environment::Ptr{tw_environment_t})::Ptr{tw_environment_t}
tw_environment_release(environment) = @ccall libtilewright.tw_environment_release(environment::Ptr{tw_environment_t})::Cvoid
tw_environment_num_actions(environment) = @ccall libtilewright.tw_environment_num_actions(environment::Ptr{tw_environment_t})::Csize_t
tw_environment_mask(environment, out_mask, max_mask) = @ccall libtilewright.tw_environment_mask(environment::Ptr{tw_environment_t}, out_mask::Ptr{UInt8}, max_mask::Csize_t)::tw_status_t
tw_environment_step(environment, action, out_reward, out_done) = @ccall libtilewright.tw_environment_step(environment::Ptr{tw_environment_t}, action::Csize_t, out_reward::Ptr{Cdouble}, out_done::Ptr{Cint})::tw_status_t
tw_environment_undo(environment, steps) = @ccall libtilewright.tw_environment_undo(environment::Ptr{tw_environment_t}, steps::Csize_t)::tw_status_t
tw_environment_num_steps(environment) = @ccall libtilewright.tw_environment_num_steps(environment::Ptr{tw_environment_t})::Csize_t
tw_environment_snapshot(environment, out_actions, max_actions) = @ccall libtilewright.tw_environment_snapshot(environment::Ptr{tw_environment_t}, out_actions::Ptr{Int64}, max_actions::Csize_t)::tw_status_t
tw_environment_restore(environment, actions, num_actions) = @ccall libtilewright.tw_environment_restore(environment::Ptr{tw_environment_t}, actions::Ptr{Int64}, num_actions::Csize_t)::tw_status_t
tw_environment_num_features(environment) = @ccall libtilewright.tw_environment_num_features(environment::Ptr{tw_environment_t})::Csize_t
tw_environment_observe(environment, out_features, max_features) = @ccall libtilewright.tw_environment_observe(environment::Ptr{tw_environment_t}, out_features::Ptr{Cfloat}, max_features::Csize_t)::tw_status_t
tw_environment_price(environment, out_view) = @ccall libtilewright.tw_environment_price(environment::Ptr{tw_environment_t}, out_view::Ptr{tw_price_view_t})::tw_status_t
tw_environment_spec(environment, out_text) = @ccall libtilewright.tw_environment_spec(environment::Ptr{tw_environment_t}, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_environment_plan(environment, out_plan) = @ccall libtilewright.tw_environment_plan(environment::Ptr{tw_environment_t}, out_plan::Ptr{Ptr{tw_plan_t}})::tw_status_t
tw_environment_json(environment, out_json) = @ccall libtilewright.tw_environment_json(environment::Ptr{tw_environment_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_estimate.h ----

tw_system_load(name_or_file, out_system) = @ccall libtilewright.tw_system_load(name_or_file::Cstring, out_system::Ptr{Ptr{tw_system_t}})::tw_status_t
tw_system_parse(text, size, file, out_system) = @ccall libtilewright.tw_system_parse(text::Ptr{UInt8}, size::Csize_t, file::Cstring, out_system::Ptr{Ptr{tw_system_t}})::tw_status_t
tw_system_retain(system) = @ccall libtilewright.tw_system_retain(system::Ptr{tw_system_t})::Ptr{tw_system_t}
tw_system_release(system) = @ccall libtilewright.tw_system_release(system::Ptr{tw_system_t})::Cvoid
tw_system_name(system) = @ccall libtilewright.tw_system_name(system::Ptr{tw_system_t})::Cstring
tw_program_estimate(program, system, options, out_estimate) = @ccall libtilewright.tw_program_estimate(program::Ptr{tw_program_t}, system::Ptr{tw_system_t}, options::Ptr{tw_estimate_options_t}, out_estimate::Ptr{Ptr{tw_estimate_t}})::tw_status_t
tw_estimate_retain(estimate) = @ccall libtilewright.tw_estimate_retain(estimate::Ptr{tw_estimate_t})::Ptr{tw_estimate_t}
tw_estimate_release(estimate) = @ccall libtilewright.tw_estimate_release(estimate::Ptr{tw_estimate_t})::Cvoid
tw_estimate_json(estimate, out_json) = @ccall libtilewright.tw_estimate_json(estimate::Ptr{tw_estimate_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_estimate_report(estimate, width, out_text) = @ccall libtilewright.tw_estimate_report(estimate::Ptr{tw_estimate_t}, width::Csize_t, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_estimate_trace(estimate, out_json) = @ccall libtilewright.tw_estimate_trace(estimate::Ptr{tw_estimate_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_estimate_totals(estimate, out_view) = @ccall libtilewright.tw_estimate_totals(estimate::Ptr{tw_estimate_t}, out_view::Ptr{tw_estimate_view_t})::tw_status_t
tw_estimate_axis_seconds(estimate, axis) = @ccall libtilewright.tw_estimate_axis_seconds(estimate::Ptr{tw_estimate_t}, axis::Csize_t)::Cdouble
tw_estimate_num_steps(estimate) = @ccall libtilewright.tw_estimate_num_steps(estimate::Ptr{tw_estimate_t})::Csize_t
tw_estimate_step(estimate, i, out_view) = @ccall libtilewright.tw_estimate_step(estimate::Ptr{tw_estimate_t}, i::Csize_t, out_view::Ptr{tw_step_view_t})::tw_status_t
tw_estimate_collective(estimate, i, out_view) = @ccall libtilewright.tw_estimate_collective(estimate::Ptr{tw_estimate_t}, i::Csize_t, out_view::Ptr{tw_collective_cost_view_t})::tw_status_t
tw_estimate_num_places(estimate) = @ccall libtilewright.tw_estimate_num_places(estimate::Ptr{tw_estimate_t})::Csize_t
tw_estimate_place(estimate, i, out_view) = @ccall libtilewright.tw_estimate_place(estimate::Ptr{tw_estimate_t}, i::Csize_t, out_view::Ptr{tw_place_view_t})::tw_status_t
tw_estimate_num_held(estimate) = @ccall libtilewright.tw_estimate_num_held(estimate::Ptr{tw_estimate_t})::Csize_t
tw_estimate_held(estimate, i, out_view) = @ccall libtilewright.tw_estimate_held(estimate::Ptr{tw_estimate_t}, i::Csize_t, out_view::Ptr{tw_held_view_t})::tw_status_t

# ---- tw_graph.h ----

tw_graph_import(text, size, options, out_graph) = @ccall libtilewright.tw_graph_import(text::Ptr{UInt8}, size::Csize_t, options::Ptr{tw_import_options_t}, out_graph::Ptr{Ptr{tw_graph_t}})::tw_status_t
tw_graph_retain(graph) = @ccall libtilewright.tw_graph_retain(graph::Ptr{tw_graph_t})::Ptr{tw_graph_t}
tw_graph_release(graph) = @ccall libtilewright.tw_graph_release(graph::Ptr{tw_graph_t})::Cvoid
tw_graph_name(graph) = @ccall libtilewright.tw_graph_name(graph::Ptr{tw_graph_t})::Cstring
tw_graph_num_ops(graph) = @ccall libtilewright.tw_graph_num_ops(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_num_arguments(graph) = @ccall libtilewright.tw_graph_num_arguments(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_num_results(graph) = @ccall libtilewright.tw_graph_num_results(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_argument_name(graph, i) = @ccall libtilewright.tw_graph_argument_name(graph::Ptr{tw_graph_t}, i::Csize_t)::Cstring
tw_graph_result_name(graph, i) = @ccall libtilewright.tw_graph_result_name(graph::Ptr{tw_graph_t}, i::Csize_t)::Cstring
tw_graph_argument_dtype(graph, i) = @ccall libtilewright.tw_graph_argument_dtype(graph::Ptr{tw_graph_t}, i::Csize_t)::tw_dtype_t
tw_graph_result_dtype(graph, i) = @ccall libtilewright.tw_graph_result_dtype(graph::Ptr{tw_graph_t}, i::Csize_t)::tw_dtype_t
tw_graph_argument_dims(graph, i, out_ndims) = @ccall libtilewright.tw_graph_argument_dims(graph::Ptr{tw_graph_t}, i::Csize_t, out_ndims::Ptr{Csize_t})::Ptr{Int64}
tw_graph_result_dims(graph, i, out_ndims) = @ccall libtilewright.tw_graph_result_dims(graph::Ptr{tw_graph_t}, i::Csize_t, out_ndims::Ptr{Csize_t})::Ptr{Int64}
tw_graph_value_name(graph, value, out_name) = @ccall libtilewright.tw_graph_value_name(graph::Ptr{tw_graph_t}, value::tw_value_t, out_name::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_graph_donated_to(graph, i) = @ccall libtilewright.tw_graph_donated_to(graph::Ptr{tw_graph_t}, i::Csize_t)::Int64
tw_graph_mesh(graph) = @ccall libtilewright.tw_graph_mesh(graph::Ptr{tw_graph_t})::Cstring
tw_graph_grid_rank(graph) = @ccall libtilewright.tw_graph_grid_rank(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_info(graph, with_values, out_json) = @ccall libtilewright.tw_graph_info(graph::Ptr{tw_graph_t}, with_values::Cint, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_op_count() = @ccall libtilewright.tw_op_count()::Csize_t
tw_op_name(i) = @ccall libtilewright.tw_op_name(i::Csize_t)::Cstring
tw_ops_info(name_or_null, out_json) = @ccall libtilewright.tw_ops_info(name_or_null::Cstring, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_mesh.h ----

tw_mesh_parse(text, out_mesh) = @ccall libtilewright.tw_mesh_parse(text::Cstring, out_mesh::Ptr{Ptr{tw_mesh_t}})::tw_status_t
tw_mesh_create(axis_names, axis_sizes, num_axes, out_mesh) = @ccall libtilewright.tw_mesh_create(axis_names::Ptr{Cstring}, axis_sizes::Ptr{Int64}, num_axes::Csize_t, out_mesh::Ptr{Ptr{tw_mesh_t}})::tw_status_t
tw_mesh_with_devices(mesh, device_ids, num_devices, out_mesh) = @ccall libtilewright.tw_mesh_with_devices(mesh::Ptr{tw_mesh_t}, device_ids::Ptr{Int64}, num_devices::Csize_t, out_mesh::Ptr{Ptr{tw_mesh_t}})::tw_status_t
tw_mesh_retain(mesh) = @ccall libtilewright.tw_mesh_retain(mesh::Ptr{tw_mesh_t})::Ptr{tw_mesh_t}
tw_mesh_release(mesh) = @ccall libtilewright.tw_mesh_release(mesh::Ptr{tw_mesh_t})::Cvoid
tw_mesh_num_axes(mesh) = @ccall libtilewright.tw_mesh_num_axes(mesh::Ptr{tw_mesh_t})::Csize_t
tw_mesh_axis_name(mesh, axis) = @ccall libtilewright.tw_mesh_axis_name(mesh::Ptr{tw_mesh_t}, axis::Csize_t)::Cstring
tw_mesh_axis_size(mesh, axis) = @ccall libtilewright.tw_mesh_axis_size(mesh::Ptr{tw_mesh_t}, axis::Csize_t)::Int64
tw_mesh_num_devices(mesh) = @ccall libtilewright.tw_mesh_num_devices(mesh::Ptr{tw_mesh_t})::Int64
tw_mesh_axis_kind(mesh, axis) = @ccall libtilewright.tw_mesh_axis_kind(mesh::Ptr{tw_mesh_t}, axis::Csize_t)::tw_axis_kind_t
tw_mesh_num_positions(mesh) = @ccall libtilewright.tw_mesh_num_positions(mesh::Ptr{tw_mesh_t})::Int64
tw_mesh_device_id(mesh, position) = @ccall libtilewright.tw_mesh_device_id(mesh::Ptr{tw_mesh_t}, position::Int64)::Int64
tw_mesh_axis_part(mesh, axis, out_part) = @ccall libtilewright.tw_mesh_axis_part(mesh::Ptr{tw_mesh_t}, axis::Csize_t, out_part::Ptr{tw_axis_part_t})::tw_status_t
tw_mesh_box(mesh, sharding, dims, ndims, device, out_offset, out_extent) = @ccall libtilewright.tw_mesh_box(mesh::Ptr{tw_mesh_t}, sharding::Cstring, dims::Ptr{Int64}, ndims::Csize_t, device::Int64, out_offset::Ptr{Int64}, out_extent::Ptr{Int64})::tw_status_t

# ---- tw_mpi.h ----

tw_comm_create_mpi(mpi_comm, options, out_comm) = @ccall libtilewright.tw_comm_create_mpi(mpi_comm::Ptr{Cvoid}, options::Ptr{tw_mpi_options_t}, out_comm::Ptr{Ptr{tw_comm_t}})::tw_status_t
tw_mpi_start(library) = @ccall libtilewright.tw_mpi_start(library::Cstring)::tw_status_t
tw_mpi_finish(library) = @ccall libtilewright.tw_mpi_finish(library::Cstring)::tw_status_t

# ---- tw_observe.h ----

tw_executable_flight(executable, out_json) = @ccall libtilewright.tw_executable_flight(executable::Ptr{tw_executable_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_executable_trace(executable, out_json) = @ccall libtilewright.tw_executable_trace(executable::Ptr{tw_executable_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_executable_profile(executable, out_json) = @ccall libtilewright.tw_executable_profile(executable::Ptr{tw_executable_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_executable_on_host(executable, out_json) = @ccall libtilewright.tw_executable_on_host(executable::Ptr{tw_executable_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_executable_counters(executable, out_counters) = @ccall libtilewright.tw_executable_counters(executable::Ptr{tw_executable_t}, out_counters::Ptr{tw_counters_t})::tw_status_t
tw_machine_limits(context, out_json) = @ccall libtilewright.tw_machine_limits(context::Ptr{tw_context_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_page.h ----

tw_program_page(program, estimate, options, out_html) = @ccall libtilewright.tw_program_page(program::Ptr{tw_program_t}, estimate::Ptr{tw_estimate_t}, options::Ptr{tw_page_options_t}, out_html::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_picture.h ----

tw_sharding_picture(sharding, name, element_type, options, out_bytes) = @ccall libtilewright.tw_sharding_picture(sharding::Ptr{tw_sharding_t}, name::Cstring, element_type::Cstring, options::Ptr{tw_picture_options_t}, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_plan_picture(plan, values, num_values, options, out_bytes) = @ccall libtilewright.tw_plan_picture(plan::Ptr{tw_plan_t}, values::Ptr{Cstring}, num_values::Csize_t, options::Ptr{tw_picture_options_t}, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_redistribution_picture(plan, name, options, out_bytes) = @ccall libtilewright.tw_redistribution_picture(plan::Ptr{tw_redistribution_t}, name::Cstring, options::Ptr{tw_picture_options_t}, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_program_collective_picture(program, collective, options, out_bytes) = @ccall libtilewright.tw_program_collective_picture(program::Ptr{tw_program_t}, collective::Csize_t, options::Ptr{tw_picture_options_t}, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_plan.h ----

tw_plan_create(graph, mesh, options, out_plan) = @ccall libtilewright.tw_plan_create(graph::Ptr{tw_graph_t}, mesh::Ptr{tw_mesh_t}, options::Ptr{tw_plan_options_t}, out_plan::Ptr{Ptr{tw_plan_t}})::tw_status_t
tw_plan_clone(plan, out_plan) = @ccall libtilewright.tw_plan_clone(plan::Ptr{tw_plan_t}, out_plan::Ptr{Ptr{tw_plan_t}})::tw_status_t
tw_plan_retain(plan) = @ccall libtilewright.tw_plan_retain(plan::Ptr{tw_plan_t})::Ptr{tw_plan_t}
tw_plan_release(plan) = @ccall libtilewright.tw_plan_release(plan::Ptr{tw_plan_t})::Cvoid
tw_plan_apply(plan, spec, size, file) = @ccall libtilewright.tw_plan_apply(plan::Ptr{tw_plan_t}, spec::Ptr{UInt8}, size::Csize_t, file::Cstring)::tw_status_t
tw_plan_on_action(plan, callback, user) = @ccall libtilewright.tw_plan_on_action(plan::Ptr{tw_plan_t}, callback::Ptr{Cvoid}, user::Ptr{Cvoid})::tw_status_t
tw_plan_own_action(plan, callback, user, destroy) = @ccall libtilewright.tw_plan_own_action(plan::Ptr{tw_plan_t}, callback::Ptr{Cvoid}, user::Ptr{Cvoid}, destroy::Ptr{Cvoid})::tw_status_t
tw_plan_tile(plan, value, dim, axis) = @ccall libtilewright.tw_plan_tile(plan::Ptr{tw_plan_t}, value::Cstring, dim::Int64, axis::Cstring)::tw_status_t
tw_plan_atomic(plan, value, axis) = @ccall libtilewright.tw_plan_atomic(plan::Ptr{tw_plan_t}, value::Cstring, axis::Cstring)::tw_status_t
tw_plan_propagate(plan, mode) = @ccall libtilewright.tw_plan_propagate(plan::Ptr{tw_plan_t}, mode::tw_propagate_mode_t)::tw_status_t
tw_plan_stamp(plan) = @ccall libtilewright.tw_plan_stamp(plan::Ptr{tw_plan_t})::UInt64
tw_plan_undo(plan, stamp) = @ccall libtilewright.tw_plan_undo(plan::Ptr{tw_plan_t}, stamp::UInt64)::tw_status_t
tw_plan_sharding(plan, value, out_text) = @ccall libtilewright.tw_plan_sharding(plan::Ptr{tw_plan_t}, value::Cstring, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_plan_num_conflicts(plan) = @ccall libtilewright.tw_plan_num_conflicts(plan::Ptr{tw_plan_t})::Csize_t
tw_plan_explain(plan, value, axis, out_text) = @ccall libtilewright.tw_plan_explain(plan::Ptr{tw_plan_t}, value::Cstring, axis::Cstring, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_form_count() = @ccall libtilewright.tw_form_count()::Csize_t
tw_form_name(i) = @ccall libtilewright.tw_form_name(i::Csize_t)::Cstring
tw_form_doc(i) = @ccall libtilewright.tw_form_doc(i::Csize_t)::Cstring
tw_form_is_of_plan(i) = @ccall libtilewright.tw_form_is_of_plan(i::Csize_t)::Cint
tw_form_is_binary(i) = @ccall libtilewright.tw_form_is_binary(i::Csize_t)::Cint
tw_form_find(name) = @ccall libtilewright.tw_form_find(name::Cstring)::Csize_t
tw_plan_emit(plan, form, out_bytes) = @ccall libtilewright.tw_plan_emit(plan::Ptr{tw_plan_t}, form::Cstring, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_program.h ----

tw_program_lower(plan, options, out_program) = @ccall libtilewright.tw_program_lower(plan::Ptr{tw_plan_t}, options::Ptr{tw_lower_options_t}, out_program::Ptr{Ptr{tw_program_t}})::tw_status_t
tw_program_unpartitioned(graph, out_program) = @ccall libtilewright.tw_program_unpartitioned(graph::Ptr{tw_graph_t}, out_program::Ptr{Ptr{tw_program_t}})::tw_status_t
tw_program_retain(program) = @ccall libtilewright.tw_program_retain(program::Ptr{tw_program_t})::Ptr{tw_program_t}
tw_program_release(program) = @ccall libtilewright.tw_program_release(program::Ptr{tw_program_t})::Cvoid
tw_program_num_devices(program) = @ccall libtilewright.tw_program_num_devices(program::Ptr{tw_program_t})::Int64
tw_program_num_collectives(program) = @ccall libtilewright.tw_program_num_collectives(program::Ptr{tw_program_t})::Csize_t
tw_program_count_kind(program, kind, out_count) = @ccall libtilewright.tw_program_count_kind(program::Ptr{tw_program_t}, kind::Cstring, out_count::Ptr{Csize_t})::tw_status_t
tw_program_count(program, kind) = @ccall libtilewright.tw_program_count(program::Ptr{tw_program_t}, kind::Cstring)::Csize_t
tw_program_bytes_received(program) = @ccall libtilewright.tw_program_bytes_received(program::Ptr{tw_program_t})::Int64
tw_program_peak_bytes(program) = @ccall libtilewright.tw_program_peak_bytes(program::Ptr{tw_program_t})::Int64
tw_program_result_exact(program, i) = @ccall libtilewright.tw_program_result_exact(program::Ptr{tw_program_t}, i::Csize_t)::Cint
tw_program_num_failed_expectations(program) = @ccall libtilewright.tw_program_num_failed_expectations(program::Ptr{tw_program_t})::Csize_t
tw_program_json(program, out_json) = @ccall libtilewright.tw_program_json(program::Ptr{tw_program_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_program_report(program, width, out_text) = @ccall libtilewright.tw_program_report(program::Ptr{tw_program_t}, width::Csize_t, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_program_report_all(program, width, out_text) = @ccall libtilewright.tw_program_report_all(program::Ptr{tw_program_t}, width::Csize_t, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_program_emit(program, form, out_bytes) = @ccall libtilewright.tw_program_emit(program::Ptr{tw_program_t}, form::Cstring, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_program_explain_collective(program, id, out_text) = @ccall libtilewright.tw_program_explain_collective(program::Ptr{tw_program_t}, id::Csize_t, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_redistribute.h ----

tw_redistribution_plan(src_mesh, src_type, dst_mesh, dst_type, options, out_plan) = @ccall libtilewright.tw_redistribution_plan(src_mesh::Ptr{tw_mesh_t}, src_type::Cstring, dst_mesh::Ptr{tw_mesh_t}, dst_type::Cstring, options::Ptr{tw_redistribution_options_t}, out_plan::Ptr{Ptr{tw_redistribution_t}})::tw_status_t
tw_redistribution_between(src, dst, dtype, options, out_plan) = @ccall libtilewright.tw_redistribution_between(src::Ptr{tw_sharding_t}, dst::Ptr{tw_sharding_t}, dtype::tw_dtype_t, options::Ptr{tw_redistribution_options_t}, out_plan::Ptr{Ptr{tw_redistribution_t}})::tw_status_t
tw_redistribution_retain(plan) = @ccall libtilewright.tw_redistribution_retain(plan::Ptr{tw_redistribution_t})::Ptr{tw_redistribution_t}
tw_redistribution_release(plan) = @ccall libtilewright.tw_redistribution_release(plan::Ptr{tw_redistribution_t})::Cvoid
tw_redistribution_num_devices(plan) = @ccall libtilewright.tw_redistribution_num_devices(plan::Ptr{tw_redistribution_t})::Csize_t
tw_redistribution_device_id(plan, device) = @ccall libtilewright.tw_redistribution_device_id(plan::Ptr{tw_redistribution_t}, device::Csize_t)::Int64
tw_redistribution_rank(plan) = @ccall libtilewright.tw_redistribution_rank(plan::Ptr{tw_redistribution_t})::Csize_t
tw_redistribution_item_size(plan) = @ccall libtilewright.tw_redistribution_item_size(plan::Ptr{tw_redistribution_t})::Csize_t
tw_redistribution_tile(plan, side, device, out_offset, out_extent) = @ccall libtilewright.tw_redistribution_tile(plan::Ptr{tw_redistribution_t}, side::Cint, device::Csize_t, out_offset::Ptr{Int64}, out_extent::Ptr{Int64})::tw_status_t
tw_redistribution_element(plan, side, coordinates, out_index) = @ccall libtilewright.tw_redistribution_element(plan::Ptr{tw_redistribution_t}, side::Cint, coordinates::Ptr{Int64}, out_index::Ptr{Int64})::Cint
tw_redistribution_num_missing(plan) = @ccall libtilewright.tw_redistribution_num_missing(plan::Ptr{tw_redistribution_t})::Csize_t
tw_redistribution_missing(plan, part, out_device, out_offset, out_extent) = @ccall libtilewright.tw_redistribution_missing(plan::Ptr{tw_redistribution_t}, part::Csize_t, out_device::Ptr{Csize_t}, out_offset::Ptr{Int64}, out_extent::Ptr{Int64})::tw_status_t
tw_redistribution_combines(plan) = @ccall libtilewright.tw_redistribution_combines(plan::Ptr{tw_redistribution_t})::Cint
tw_redistribution_num_steps(plan) = @ccall libtilewright.tw_redistribution_num_steps(plan::Ptr{tw_redistribution_t})::Csize_t
tw_redistribution_method(plan) = @ccall libtilewright.tw_redistribution_method(plan::Ptr{tw_redistribution_t})::Cstring
tw_redistribution_bytes_received(plan, device) = @ccall libtilewright.tw_redistribution_bytes_received(plan::Ptr{tw_redistribution_t}, device::Csize_t)::Int64
tw_redistribution_bound(plan, out_max, out_mean) = @ccall libtilewright.tw_redistribution_bound(plan::Ptr{tw_redistribution_t}, out_max::Ptr{Int64}, out_mean::Ptr{Cdouble})::tw_status_t
tw_redistribution_scratch_bytes(plan) = @ccall libtilewright.tw_redistribution_scratch_bytes(plan::Ptr{tw_redistribution_t})::Int64
tw_redistribution_height_bytes(plan) = @ccall libtilewright.tw_redistribution_height_bytes(plan::Ptr{tw_redistribution_t})::Int64
tw_redistribution_exact(plan) = @ccall libtilewright.tw_redistribution_exact(plan::Ptr{tw_redistribution_t})::Cint
tw_redistribution_hash(plan) = @ccall libtilewright.tw_redistribution_hash(plan::Ptr{tw_redistribution_t})::UInt64
tw_redistribution_json(plan, check, out_json) = @ccall libtilewright.tw_redistribution_json(plan::Ptr{tw_redistribution_t}, check::Cint, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_redistribution_report(plan, check, width, out_text) = @ccall libtilewright.tw_redistribution_report(plan::Ptr{tw_redistribution_t}, check::Cint, width::Csize_t, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_redistribution_pareto(plan, out_json) = @ccall libtilewright.tw_redistribution_pareto(plan::Ptr{tw_redistribution_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_redistribution_check(plan) = @ccall libtilewright.tw_redistribution_check(plan::Ptr{tw_redistribution_t})::tw_status_t
tw_redistribution_save(plan, out_bytes) = @ccall libtilewright.tw_redistribution_save(plan::Ptr{tw_redistribution_t}, out_bytes::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_redistribution_load(bytes, size, out_plan) = @ccall libtilewright.tw_redistribution_load(bytes::Ptr{Cvoid}, size::Csize_t, out_plan::Ptr{Ptr{tw_redistribution_t}})::tw_status_t
tw_redistributor_create(plans, num_plans, options, out_redistributor) = @ccall libtilewright.tw_redistributor_create(plans::Ptr{Ptr{tw_redistribution_t}}, num_plans::Csize_t, options::Ptr{tw_redistributor_options_t}, out_redistributor::Ptr{Ptr{tw_redistributor_t}})::tw_status_t
tw_redistributor_retain(redistributor) = @ccall libtilewright.tw_redistributor_retain(redistributor::Ptr{tw_redistributor_t})::Ptr{tw_redistributor_t}
tw_redistributor_release(redistributor) = @ccall libtilewright.tw_redistributor_release(redistributor::Ptr{tw_redistributor_t})::Cvoid
tw_redistributor_scratch_bytes(redistributor) = @ccall libtilewright.tw_redistributor_scratch_bytes(redistributor::Ptr{tw_redistributor_t})::Int64
tw_redistributor_device(redistributor, device, out_is_here, out_unit) = @ccall libtilewright.tw_redistributor_device(redistributor::Ptr{tw_redistributor_t}, device::Csize_t, out_is_here::Ptr{Cint}, out_unit::Ptr{Int32})::tw_status_t
tw_redistributor_home(redistributor, plan, device, out_source, out_device) = @ccall libtilewright.tw_redistributor_home(redistributor::Ptr{tw_redistributor_t}, plan::Csize_t, device::Csize_t, out_source::Ptr{Cint}, out_device::Ptr{Csize_t})::tw_status_t
tw_redistributor_run(redistributor, src, dst) = @ccall libtilewright.tw_redistributor_run(redistributor::Ptr{tw_redistributor_t}, src::Ptr{Ptr{Cvoid}}, dst::Ptr{Ptr{Cvoid}})::tw_status_t

# ---- tw_run.h ----

tw_run_start(executable, inputs, num_inputs, outputs, num_outputs, out_run) = @ccall libtilewright.tw_run_start(executable::Ptr{tw_executable_t}, inputs::Ptr{Ptr{tw_tensor_t}}, num_inputs::Csize_t, outputs::Ptr{Ptr{tw_tensor_t}}, num_outputs::Csize_t, out_run::Ptr{Ptr{tw_run_t}})::tw_status_t
tw_run_test(run, out_over) = @ccall libtilewright.tw_run_test(run::Ptr{tw_run_t}, out_over::Ptr{Cint})::tw_status_t
tw_run_wait(run) = @ccall libtilewright.tw_run_wait(run::Ptr{tw_run_t})::tw_status_t
tw_run_cancel(run) = @ccall libtilewright.tw_run_cancel(run::Ptr{tw_run_t})::tw_status_t
tw_run_retain(run) = @ccall libtilewright.tw_run_retain(run::Ptr{tw_run_t})::Ptr{tw_run_t}
tw_run_release(run) = @ccall libtilewright.tw_run_release(run::Ptr{tw_run_t})::Cvoid

# ---- tw_runtime.h ----

tw_tensor_create(context, dtype, dims, ndims, out_tensor) = @ccall libtilewright.tw_tensor_create(context::Ptr{tw_context_t}, dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_wrap(dtype, dims, ndims, data, destroy, user, out_tensor) = @ccall libtilewright.tw_tensor_wrap(dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, data::Ptr{Cvoid}, destroy::Ptr{Cvoid}, user::Ptr{Cvoid}, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_wrap_const(dtype, dims, ndims, data, destroy, user, out_tensor) = @ccall libtilewright.tw_tensor_wrap_const(dtype::tw_dtype_t, dims::Ptr{Int64}, ndims::Csize_t, data::Ptr{Cvoid}, destroy::Ptr{Cvoid}, user::Ptr{Cvoid}, out_tensor::Ptr{Ptr{tw_tensor_t}})::tw_status_t
tw_tensor_retain(tensor) = @ccall libtilewright.tw_tensor_retain(tensor::Ptr{tw_tensor_t})::Ptr{tw_tensor_t}
tw_tensor_release(tensor) = @ccall libtilewright.tw_tensor_release(tensor::Ptr{tw_tensor_t})::Cvoid
tw_tensor_dtype(tensor) = @ccall libtilewright.tw_tensor_dtype(tensor::Ptr{tw_tensor_t})::tw_dtype_t
tw_tensor_dims(tensor, out_ndims) = @ccall libtilewright.tw_tensor_dims(tensor::Ptr{tw_tensor_t}, out_ndims::Ptr{Csize_t})::Ptr{Int64}
tw_tensor_bytes(tensor) = @ccall libtilewright.tw_tensor_bytes(tensor::Ptr{tw_tensor_t})::Csize_t
tw_tensor_data(tensor) = @ccall libtilewright.tw_tensor_data(tensor::Ptr{tw_tensor_t})::Ptr{Cvoid}
tw_tensor_const_data(tensor) = @ccall libtilewright.tw_tensor_const_data(tensor::Ptr{tw_tensor_t})::Ptr{Cvoid}
tw_tensor_fill(tensor, pattern, seed, stream) = @ccall libtilewright.tw_tensor_fill(tensor::Ptr{tw_tensor_t}, pattern::Cstring, seed::UInt64, stream::UInt64)::tw_status_t
tw_tensor_fill_part(tensor, whole, offset, pattern, seed, stream) = @ccall libtilewright.tw_tensor_fill_part(tensor::Ptr{tw_tensor_t}, whole::Ptr{Int64}, offset::Ptr{Int64}, pattern::Cstring, seed::UInt64, stream::UInt64)::tw_status_t
tw_tensor_compare(a, b, exact, out_comparison) = @ccall libtilewright.tw_tensor_compare(a::Ptr{tw_tensor_t}, b::Ptr{tw_tensor_t}, exact::Cint, out_comparison::Ptr{tw_comparison_t})::tw_status_t
tw_program_compare(program, inputs, num_inputs, outputs, expected, num_outputs, options, out_comparisons, out_note) = @ccall libtilewright.tw_program_compare(program::Ptr{tw_program_t}, inputs::Ptr{Ptr{tw_tensor_t}}, num_inputs::Csize_t, outputs::Ptr{Ptr{tw_tensor_t}}, expected::Ptr{Ptr{tw_tensor_t}}, num_outputs::Csize_t, options::Ptr{tw_compare_options_t}, out_comparisons::Ptr{tw_comparison_t}, out_note::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_comm_retain(comm) = @ccall libtilewright.tw_comm_retain(comm::Ptr{tw_comm_t})::Ptr{tw_comm_t}
tw_comm_release(comm) = @ccall libtilewright.tw_comm_release(comm::Ptr{tw_comm_t})::Cvoid
tw_comm_rank(comm) = @ccall libtilewright.tw_comm_rank(comm::Ptr{tw_comm_t})::Int32
tw_comm_size(comm) = @ccall libtilewright.tw_comm_size(comm::Ptr{tw_comm_t})::Int32
tw_comm_agree(comm, names, values, num_facts) = @ccall libtilewright.tw_comm_agree(comm::Ptr{tw_comm_t}, names::Ptr{Cstring}, values::Ptr{Cstring}, num_facts::Csize_t)::tw_status_t
tw_comm_share(comm, root, value) = @ccall libtilewright.tw_comm_share(comm::Ptr{tw_comm_t}, root::Int32, value::Ptr{Int64})::tw_status_t
tw_comm_levels(comm, plan, out_levels) = @ccall libtilewright.tw_comm_levels(comm::Ptr{tw_comm_t}, plan::Ptr{tw_plan_t}, out_levels::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_comm_fail(comm, status, message) = @ccall libtilewright.tw_comm_fail(comm::Ptr{tw_comm_t}, status::tw_status_t, message::Cstring)::tw_status_t
tw_executable_create(program, options, out_executable) = @ccall libtilewright.tw_executable_create(program::Ptr{tw_program_t}, options::Ptr{tw_executable_options_t}, out_executable::Ptr{Ptr{tw_executable_t}})::tw_status_t
tw_executable_retain(executable) = @ccall libtilewright.tw_executable_retain(executable::Ptr{tw_executable_t})::Ptr{tw_executable_t}
tw_executable_release(executable) = @ccall libtilewright.tw_executable_release(executable::Ptr{tw_executable_t})::Cvoid
tw_executable_run(executable, inputs, num_inputs, outputs, num_outputs) = @ccall libtilewright.tw_executable_run(executable::Ptr{tw_executable_t}, inputs::Ptr{Ptr{tw_tensor_t}}, num_inputs::Csize_t, outputs::Ptr{Ptr{tw_tensor_t}}, num_outputs::Csize_t)::tw_status_t
tw_executable_donated_to(executable, argument) = @ccall libtilewright.tw_executable_donated_to(executable::Ptr{tw_executable_t}, argument::Csize_t)::Int64
tw_executable_num_devices(executable) = @ccall libtilewright.tw_executable_num_devices(executable::Ptr{tw_executable_t})::Csize_t
tw_executable_tile(executable, is_result, index, device, out_offset, out_extent) = @ccall libtilewright.tw_executable_tile(executable::Ptr{tw_executable_t}, is_result::Int32, index::Csize_t, device::Csize_t, out_offset::Ptr{Int64}, out_extent::Ptr{Int64})::tw_status_t
tw_executable_tile_owner(executable, is_result, index, device) = @ccall libtilewright.tw_executable_tile_owner(executable::Ptr{tw_executable_t}, is_result::Int32, index::Csize_t, device::Csize_t)::Int64
tw_executable_arena_bytes(executable) = @ccall libtilewright.tw_executable_arena_bytes(executable::Ptr{tw_executable_t})::Int64
tw_executable_peak_bytes(executable, device) = @ccall libtilewright.tw_executable_peak_bytes(executable::Ptr{tw_executable_t}, device::Csize_t)::Int64
tw_executable_workers(executable) = @ccall libtilewright.tw_executable_workers(executable::Ptr{tw_executable_t})::Int32
tw_graph_evaluate(graph, inputs, num_inputs, outputs, num_outputs) = @ccall libtilewright.tw_graph_evaluate(graph::Ptr{tw_graph_t}, inputs::Ptr{Ptr{tw_tensor_t}}, num_inputs::Csize_t, outputs::Ptr{Ptr{tw_tensor_t}}, num_outputs::Csize_t)::tw_status_t
tw_graph_find_nonfinite(graph, inputs, num_inputs, out_json) = @ccall libtilewright.tw_graph_find_nonfinite(graph::Ptr{tw_graph_t}, inputs::Ptr{Ptr{tw_tensor_t}}, num_inputs::Csize_t, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_search.h ----

tw_search_create(plan, system, options, out_search) = @ccall libtilewright.tw_search_create(plan::Ptr{tw_plan_t}, system::Ptr{tw_system_t}, options::Ptr{tw_search_options_t}, out_search::Ptr{Ptr{tw_search_t}})::tw_status_t
tw_search_retain(search) = @ccall libtilewright.tw_search_retain(search::Ptr{tw_search_t})::Ptr{tw_search_t}
tw_search_release(search) = @ccall libtilewright.tw_search_release(search::Ptr{tw_search_t})::Cvoid
tw_search_run(search) = @ccall libtilewright.tw_search_run(search::Ptr{tw_search_t})::tw_status_t
tw_search_cancel(search) = @ccall libtilewright.tw_search_cancel(search::Ptr{tw_search_t})::Cvoid
tw_search_progress(search, out_cost_s, out_bound_s, out_peak_bytes, out_episodes) = @ccall libtilewright.tw_search_progress(search::Ptr{tw_search_t}, out_cost_s::Ptr{Cdouble}, out_bound_s::Ptr{Cdouble}, out_peak_bytes::Ptr{Int64}, out_episodes::Ptr{Int64})::tw_status_t
tw_search_spec(search, out_text) = @ccall libtilewright.tw_search_spec(search::Ptr{tw_search_t}, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_search_plan(search, out_plan) = @ccall libtilewright.tw_search_plan(search::Ptr{tw_search_t}, out_plan::Ptr{Ptr{tw_plan_t}})::tw_status_t
tw_search_json(search, out_json) = @ccall libtilewright.tw_search_json(search::Ptr{tw_search_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_sharding.h ----

tw_sharding_parse(mesh, text, dims, ndims, out_sharding) = @ccall libtilewright.tw_sharding_parse(mesh::Ptr{tw_mesh_t}, text::Cstring, dims::Ptr{Int64}, ndims::Csize_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_sharding_create(mesh, dims, ndims, dim_shardings, partials, num_partials, out_sharding) = @ccall libtilewright.tw_sharding_create(mesh::Ptr{tw_mesh_t}, dims::Ptr{Int64}, ndims::Csize_t, dim_shardings::Ptr{tw_dim_sharding_t}, partials::Ptr{tw_partial_t}, num_partials::Csize_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_sharding_retain(sharding) = @ccall libtilewright.tw_sharding_retain(sharding::Ptr{tw_sharding_t})::Ptr{tw_sharding_t}
tw_sharding_release(sharding) = @ccall libtilewright.tw_sharding_release(sharding::Ptr{tw_sharding_t})::Cvoid
tw_sharding_mesh(sharding, out_mesh) = @ccall libtilewright.tw_sharding_mesh(sharding::Ptr{tw_sharding_t}, out_mesh::Ptr{Ptr{tw_mesh_t}})::tw_status_t
tw_sharding_dims(sharding, out_ndims) = @ccall libtilewright.tw_sharding_dims(sharding::Ptr{tw_sharding_t}, out_ndims::Ptr{Csize_t})::Ptr{Int64}
tw_sharding_dim(sharding, dim, out_dim) = @ccall libtilewright.tw_sharding_dim(sharding::Ptr{tw_sharding_t}, dim::Csize_t, out_dim::Ptr{tw_dim_sharding_t})::tw_status_t
tw_sharding_num_partials(sharding) = @ccall libtilewright.tw_sharding_num_partials(sharding::Ptr{tw_sharding_t})::Csize_t
tw_sharding_partial(sharding, i, out_partial) = @ccall libtilewright.tw_sharding_partial(sharding::Ptr{tw_sharding_t}, i::Csize_t, out_partial::Ptr{tw_partial_t})::tw_status_t
tw_sharding_text(sharding, out_text) = @ccall libtilewright.tw_sharding_text(sharding::Ptr{tw_sharding_t}, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_sharding_is_whole(sharding) = @ccall libtilewright.tw_sharding_is_whole(sharding::Ptr{tw_sharding_t})::Cint
tw_sharding_equal(a, b) = @ccall libtilewright.tw_sharding_equal(a::Ptr{tw_sharding_t}, b::Ptr{tw_sharding_t})::Cint
tw_sharding_num_tiles(sharding, dim) = @ccall libtilewright.tw_sharding_num_tiles(sharding::Ptr{tw_sharding_t}, dim::Csize_t)::Int64
tw_sharding_tile(sharding, position, out_offset, out_extent) = @ccall libtilewright.tw_sharding_tile(sharding::Ptr{tw_sharding_t}, position::Int64, out_offset::Ptr{Int64}, out_extent::Ptr{Int64})::tw_status_t
tw_sharding_local_dims(sharding, out_dims) = @ccall libtilewright.tw_sharding_local_dims(sharding::Ptr{tw_sharding_t}, out_dims::Ptr{Int64})::tw_status_t

# ---- tw_solve.h ----

tw_solve_iopddl(text, size, options, out_json) = @ccall libtilewright.tw_solve_iopddl(text::Ptr{UInt8}, size::Csize_t, options::Ptr{tw_solve_options_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_store.h ----

tw_store_open(path, options, out_store) = @ccall libtilewright.tw_store_open(path::Cstring, options::Ptr{tw_store_options_t}, out_store::Ptr{Ptr{tw_store_t}})::tw_status_t
tw_store_retain(store) = @ccall libtilewright.tw_store_retain(store::Ptr{tw_store_t})::Ptr{tw_store_t}
tw_store_release(store) = @ccall libtilewright.tw_store_release(store::Ptr{tw_store_t})::Cvoid
tw_store_format(store) = @ccall libtilewright.tw_store_format(store::Ptr{tw_store_t})::Cstring
tw_store_num_arrays(store) = @ccall libtilewright.tw_store_num_arrays(store::Ptr{tw_store_t})::Csize_t
tw_store_array_name(store, array) = @ccall libtilewright.tw_store_array_name(store::Ptr{tw_store_t}, array::Csize_t)::Cstring
tw_store_array_dtype(store, array) = @ccall libtilewright.tw_store_array_dtype(store::Ptr{tw_store_t}, array::Csize_t)::tw_dtype_t
tw_store_array_dims(store, array, out_ndims) = @ccall libtilewright.tw_store_array_dims(store::Ptr{tw_store_t}, array::Csize_t, out_ndims::Ptr{Csize_t})::Ptr{Int64}
tw_store_array_problem(store, array) = @ccall libtilewright.tw_store_array_problem(store::Ptr{tw_store_t}, array::Csize_t)::Cstring
tw_store_array_foreign(store, array) = @ccall libtilewright.tw_store_array_foreign(store::Ptr{tw_store_t}, array::Csize_t)::Cstring
tw_store_num_parts(store, array) = @ccall libtilewright.tw_store_num_parts(store::Ptr{tw_store_t}, array::Csize_t)::Csize_t
tw_store_part(store, array, part, out_part) = @ccall libtilewright.tw_store_part(store::Ptr{tw_store_t}, array::Csize_t, part::Csize_t, out_part::Ptr{tw_store_part_t})::tw_status_t
tw_store_read(store, array, offset, extent, strides, to) = @ccall libtilewright.tw_store_read(store::Ptr{tw_store_t}, array::Csize_t, offset::Ptr{Int64}, extent::Ptr{Int64}, strides::Ptr{Int64}, to::Ptr{Cvoid})::tw_status_t
tw_store_read_tensor(store, array, offset, tensor) = @ccall libtilewright.tw_store_read_tensor(store::Ptr{tw_store_t}, array::Csize_t, offset::Ptr{Int64}, tensor::Ptr{tw_tensor_t})::tw_status_t
tw_store_read_missing(store, array, plan, device, tile, out_bytes) = @ccall libtilewright.tw_store_read_missing(store::Ptr{tw_store_t}, array::Csize_t, plan::Ptr{tw_redistribution_t}, device::Csize_t, tile::Ptr{tw_tensor_t}, out_bytes::Ptr{Int64})::tw_status_t
tw_store_bytes_read(store) = @ccall libtilewright.tw_store_bytes_read(store::Ptr{tw_store_t})::UInt64
tw_store_write(path, format, names, tensors, num_arrays) = @ccall libtilewright.tw_store_write(path::Cstring, format::Cstring, names::Ptr{Cstring}, tensors::Ptr{Ptr{tw_tensor_t}}, num_arrays::Csize_t)::tw_status_t
tw_store_write_part(path, dims, offset, part) = @ccall libtilewright.tw_store_write_part(path::Cstring, dims::Ptr{Int64}, offset::Ptr{Int64}, part::Ptr{tw_tensor_t})::tw_status_t
tw_store_reshard(store, dst, mesh, shardings, num_shardings, options, out_json) = @ccall libtilewright.tw_store_reshard(store::Ptr{tw_store_t}, dst::Cstring, mesh::Ptr{tw_mesh_t}, shardings::Ptr{Ptr{tw_sharding_t}}, num_shardings::Csize_t, options::Ptr{tw_reshard_options_t}, out_json::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_transport.h ----

tw_comm_create_transport(transport, deadline, out_comm) = @ccall libtilewright.tw_comm_create_transport(transport::Ptr{tw_transport_t}, deadline::Cdouble, out_comm::Ptr{Ptr{tw_comm_t}})::tw_status_t

# ---- tw_walk.h ----

tw_graph_op_end(graph) = @ccall libtilewright.tw_graph_op_end(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_value_end(graph) = @ccall libtilewright.tw_graph_value_end(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_region_end(graph) = @ccall libtilewright.tw_graph_region_end(graph::Ptr{tw_graph_t})::Csize_t
tw_graph_op(graph, op, out_view) = @ccall libtilewright.tw_graph_op(graph::Ptr{tw_graph_t}, op::tw_op_t, out_view::Ptr{tw_op_view_t})::tw_status_t
tw_graph_attr(graph, op, i, out_attr) = @ccall libtilewright.tw_graph_attr(graph::Ptr{tw_graph_t}, op::tw_op_t, i::Csize_t, out_attr::Ptr{tw_attr_t})::tw_status_t
tw_graph_constant(graph, op, out_data, out_bytes, out_is_splat) = @ccall libtilewright.tw_graph_constant(graph::Ptr{tw_graph_t}, op::tw_op_t, out_data::Ptr{Ptr{Cvoid}}, out_bytes::Ptr{Csize_t}, out_is_splat::Ptr{Cint})::tw_status_t
tw_graph_value(graph, value, out_view) = @ccall libtilewright.tw_graph_value(graph::Ptr{tw_graph_t}, value::tw_value_t, out_view::Ptr{tw_value_view_t})::tw_status_t
tw_graph_region(graph, region, out_view) = @ccall libtilewright.tw_graph_region(graph::Ptr{tw_graph_t}, region::tw_region_t, out_view::Ptr{tw_region_view_t})::tw_status_t
tw_graph_argument(graph, i) = @ccall libtilewright.tw_graph_argument(graph::Ptr{tw_graph_t}, i::Csize_t)::tw_value_t
tw_graph_result(graph, i) = @ccall libtilewright.tw_graph_result(graph::Ptr{tw_graph_t}, i::Csize_t)::tw_value_t
tw_graph_find_value(graph, name, out_value) = @ccall libtilewright.tw_graph_find_value(graph::Ptr{tw_graph_t}, name::Cstring, out_value::Ptr{tw_value_t})::tw_status_t
tw_graph_symbol(graph, value, out_symbol) = @ccall libtilewright.tw_graph_symbol(graph::Ptr{tw_graph_t}, value::tw_value_t, out_symbol::Ptr{Ptr{tw_blob_t}})::tw_status_t
tw_graph_op_location(graph, op, out_text) = @ccall libtilewright.tw_graph_op_location(graph::Ptr{tw_graph_t}, op::tw_op_t, out_text::Ptr{Ptr{tw_blob_t}})::tw_status_t

# ---- tw_walk_plan.h ----

tw_plan_mesh(plan, out_mesh) = @ccall libtilewright.tw_plan_mesh(plan::Ptr{tw_plan_t}, out_mesh::Ptr{Ptr{tw_mesh_t}})::tw_status_t
tw_plan_value_sharding(plan, value, out_sharding) = @ccall libtilewright.tw_plan_value_sharding(plan::Ptr{tw_plan_t}, value::tw_value_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_plan_argument_sharding(plan, i, out_sharding) = @ccall libtilewright.tw_plan_argument_sharding(plan::Ptr{tw_plan_t}, i::Csize_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_plan_result_sharding(plan, i, out_sharding) = @ccall libtilewright.tw_plan_result_sharding(plan::Ptr{tw_plan_t}, i::Csize_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_plan_num_actions(plan) = @ccall libtilewright.tw_plan_num_actions(plan::Ptr{tw_plan_t})::Csize_t
tw_plan_action(plan, i, out_view) = @ccall libtilewright.tw_plan_action(plan::Ptr{tw_plan_t}, i::Csize_t, out_view::Ptr{tw_action_view_t})::tw_status_t
tw_plan_num_loops(plan, op) = @ccall libtilewright.tw_plan_num_loops(plan::Ptr{tw_plan_t}, op::tw_op_t)::Csize_t
tw_plan_loop(plan, op, i, out_view) = @ccall libtilewright.tw_plan_loop(plan::Ptr{tw_plan_t}, op::tw_op_t, i::Csize_t, out_view::Ptr{tw_loop_view_t})::tw_status_t
tw_plan_loop_dims(plan, op, i, out_operand_dims, out_result_dims) = @ccall libtilewright.tw_plan_loop_dims(plan::Ptr{tw_plan_t}, op::tw_op_t, i::Csize_t, out_operand_dims::Ptr{Int32}, out_result_dims::Ptr{Int32})::tw_status_t
tw_plan_conflicts(plan, out_conflicts) = @ccall libtilewright.tw_plan_conflicts(plan::Ptr{tw_plan_t}, out_conflicts::Ptr{Ptr{tw_conflicts_t}})::tw_status_t
tw_plan_disagreements(plan, out_conflicts) = @ccall libtilewright.tw_plan_disagreements(plan::Ptr{tw_plan_t}, out_conflicts::Ptr{Ptr{tw_conflicts_t}})::tw_status_t
tw_conflicts_retain(conflicts) = @ccall libtilewright.tw_conflicts_retain(conflicts::Ptr{tw_conflicts_t})::Ptr{tw_conflicts_t}
tw_conflicts_release(conflicts) = @ccall libtilewright.tw_conflicts_release(conflicts::Ptr{tw_conflicts_t})::Cvoid
tw_conflicts_count(conflicts) = @ccall libtilewright.tw_conflicts_count(conflicts::Ptr{tw_conflicts_t})::Csize_t
tw_conflicts_view(conflicts, i, out_view) = @ccall libtilewright.tw_conflicts_view(conflicts::Ptr{tw_conflicts_t}, i::Csize_t, out_view::Ptr{tw_conflict_view_t})::tw_status_t
tw_conflicts_way(conflicts, i, way, out_view) = @ccall libtilewright.tw_conflicts_way(conflicts::Ptr{tw_conflicts_t}, i::Csize_t, way::Csize_t, out_view::Ptr{tw_way_view_t})::tw_status_t

# ---- tw_walk_program.h ----

tw_program_mesh(program, out_mesh) = @ccall libtilewright.tw_program_mesh(program::Ptr{tw_program_t}, out_mesh::Ptr{Ptr{tw_mesh_t}})::tw_status_t
tw_program_argument_sharding(program, i, out_sharding) = @ccall libtilewright.tw_program_argument_sharding(program::Ptr{tw_program_t}, i::Csize_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_program_result_sharding(program, i, out_sharding) = @ccall libtilewright.tw_program_result_sharding(program::Ptr{tw_program_t}, i::Csize_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_program_num_actions(program) = @ccall libtilewright.tw_program_num_actions(program::Ptr{tw_program_t})::Csize_t
tw_program_action(program, i, out_view) = @ccall libtilewright.tw_program_action(program::Ptr{tw_program_t}, i::Csize_t, out_view::Ptr{tw_action_view_t})::tw_status_t
tw_program_num_locals(program) = @ccall libtilewright.tw_program_num_locals(program::Ptr{tw_program_t})::Csize_t
tw_program_local(program, local_value, out_view) = @ccall libtilewright.tw_program_local(program::Ptr{tw_program_t}, local_value::tw_local_t, out_view::Ptr{tw_local_view_t})::tw_status_t
tw_program_local_sharding(program, local_value, out_sharding) = @ccall libtilewright.tw_program_local_sharding(program::Ptr{tw_program_t}, local_value::tw_local_t, out_sharding::Ptr{Ptr{tw_sharding_t}})::tw_status_t
tw_program_num_instrs(program) = @ccall libtilewright.tw_program_num_instrs(program::Ptr{tw_program_t})::Csize_t
tw_program_instr(program, i, out_view) = @ccall libtilewright.tw_program_instr(program::Ptr{tw_program_t}, i::Csize_t, out_view::Ptr{tw_instr_view_t})::tw_status_t
tw_program_collective(program, i, out_view) = @ccall libtilewright.tw_program_collective(program::Ptr{tw_program_t}, i::Csize_t, out_view::Ptr{tw_collective_view_t})::tw_status_t
tw_program_conflicts(program, out_conflicts) = @ccall libtilewright.tw_program_conflicts(program::Ptr{tw_program_t}, out_conflicts::Ptr{Ptr{tw_conflicts_t}})::tw_status_t
tw_program_disagreements(program, out_conflicts) = @ccall libtilewright.tw_program_disagreements(program::Ptr{tw_program_t}, out_conflicts::Ptr{Ptr{tw_conflicts_t}})::tw_status_t

const structs = (tw_action_view_t, tw_attr_t, tw_axis_part_t, tw_call_t, tw_collective_cost_view_t, tw_collective_view_t, tw_compare_options_t, tw_comparison_t, tw_conflict_view_t, tw_context_options_t, tw_counters_t, tw_cuda_allocator_t, tw_custom_call_t, tw_dim_sharding_t, tw_environment_options_t, tw_estimate_options_t, tw_estimate_view_t, tw_executable_options_t, tw_gpu_facts_t, tw_held_view_t, tw_import_options_t, tw_instr_view_t, tw_link_t, tw_local_view_t, tw_loop_view_t, tw_lower_options_t, tw_message_loop_t, tw_message_t, tw_mpi_options_t, tw_op_spec_t, tw_op_view_t, tw_page_options_t, tw_partial_t, tw_picture_options_t, tw_place_view_t, tw_plan_options_t, tw_price_view_t, tw_redistribution_options_t, tw_redistributor_options_t, tw_region_view_t, tw_reshard_options_t, tw_run_options_t, tw_search_options_t, tw_solve_options_t, tw_step_view_t, tw_store_options_t, tw_store_part_t, tw_tile_t, tw_transport_t, tw_type_t, tw_use_t, tw_value_view_t, tw_watch_options_t, tw_way_view_t)

end
