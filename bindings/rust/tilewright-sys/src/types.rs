// SPDX-License-Identifier: Apache-2.0
// The types of the headers. Made by bindings/make_rust.py: do not edit. Longer than other files, since made.

use std::os::raw::{c_char, c_int, c_void};

pub type tw_attr_kind_t = i32;
pub type tw_axis_kind_t = i32;
pub type tw_border_t = i32;
pub type tw_bound_t = i32;
pub type tw_collective_kind_t = i32;
pub type tw_conflict_kind_t = i32;
pub type tw_dtype_t = i32;
pub type tw_instr_kind_t = i32;
pub type tw_judged_by_t = i32;
pub type tw_local_t = u32;
pub type tw_loop_kind_t = i32;
pub type tw_observe_t = i32;
pub type tw_op_t = u32;
pub type tw_propagate_mode_t = i32;
pub type tw_reduction_t = i32;
pub type tw_region_t = u32;
pub type tw_role_t = i32;
pub type tw_split_t = i32;
pub type tw_status_t = i32;
pub type tw_value_t = u32;

opaque!(DLManagedTensor);
opaque!(DLManagedTensorVersioned);
opaque!(tw_blob_t);
opaque!(tw_builder_t);
opaque!(tw_comm_t);
opaque!(tw_conflicts_t);
opaque!(tw_context_t);
opaque!(tw_custom_calls_t);
opaque!(tw_environment_t);
opaque!(tw_error_t);
opaque!(tw_estimate_t);
opaque!(tw_event_t);
opaque!(tw_executable_t);
opaque!(tw_graph_t);
opaque!(tw_mesh_t);
opaque!(tw_plan_t);
opaque!(tw_program_t);
opaque!(tw_redistribution_t);
opaque!(tw_redistributor_t);
opaque!(tw_run_t);
opaque!(tw_search_t);
opaque!(tw_sharding_t);
opaque!(tw_store_t);
opaque!(tw_stream_t);
opaque!(tw_system_t);
opaque!(tw_tensor_t);

pub type tw_action_fn = Option<unsafe extern "C" fn(plan: *const tw_plan_t, action: *const c_char, file: *const c_char, line: u32, user: *mut c_void)>;
pub type tw_alloc_fn = Option<unsafe extern "C" fn(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void>;
pub type tw_body_fn = Option<unsafe extern "C" fn(user: *mut c_void) -> tw_status_t>;
pub type tw_call_fn = Option<unsafe extern "C" fn(call: *const tw_call_t, user: *mut c_void) -> tw_status_t>;
pub type tw_call_rule_fn = Option<unsafe extern "C" fn(call: *const tw_call_t, user: *mut c_void, out_rule: *mut *mut tw_blob_t) -> tw_status_t>;
pub type tw_destroy_fn = Option<unsafe extern "C" fn(user: *mut c_void)>;
pub type tw_free_fn = Option<unsafe extern "C" fn(memory: *mut c_void, size: usize, user: *mut c_void)>;
pub type tw_log_fn = Option<unsafe extern "C" fn(level: i32, area: *const c_char, text: *const c_char, user: *mut c_void)>;
pub type tw_parallel_for_fn = Option<unsafe extern "C" fn(count: i64, body: Option<unsafe extern "C" fn(i64, *mut c_void)>, argument: *mut c_void, user: *mut c_void)>;
pub type tw_transport_broadcast_fn = Option<unsafe extern "C" fn(news: *const c_void, size: usize, user: *mut c_void)>;
pub type tw_transport_give_up_fn = Option<unsafe extern "C" fn(batch: *mut c_void, user: *mut c_void) -> c_int>;
pub type tw_transport_missing_fn = Option<unsafe extern "C" fn(batch: *mut c_void, user: *mut c_void) -> i32>;
pub type tw_transport_poll_fn = Option<unsafe extern "C" fn(news: *mut c_void, size: usize, user: *mut c_void) -> c_int>;
pub type tw_transport_prepare_fn = Option<unsafe extern "C" fn(messages: *const *const tw_message_t, num_messages: usize, user: *mut c_void, out_batch: *mut *mut c_void) -> tw_status_t>;
pub type tw_transport_release_fn = Option<unsafe extern "C" fn(batch: *mut c_void, user: *mut c_void)>;
pub type tw_transport_start_fn = Option<unsafe extern "C" fn(batch: *mut c_void, user: *mut c_void) -> tw_status_t>;
pub type tw_transport_test_fn = Option<unsafe extern "C" fn(batch: *mut c_void, user: *mut c_void, out_done: *mut c_int) -> tw_status_t>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_action_view_t {
    pub struct_size: usize,
    pub text: *const c_char,
    pub file: *const c_char,
    pub line: u32,
    pub column: u32,
}
sized!(tw_action_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_attr_t {
    pub name: *const c_char,
    pub kind: tw_attr_kind_t,
    pub integer: i64,
    pub real: f64,
    pub string: *const c_char,
    pub ints: *const i64,
    pub num_ints: usize,
    pub element_type: *const c_char,
    pub reserved: [u64; 2],
}
zeros!(tw_attr_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_axis_part_t {
    pub axis: *const c_char,
    pub before: i64,
    pub size: i64,
    pub reserved: [u64; 1],
}
zeros!(tw_axis_part_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_call_t {
    pub struct_size: usize,
    pub target: *const c_char,
    pub operands: *const *const tw_tile_t,
    pub num_operands: usize,
    pub results: *const *const tw_tile_t,
    pub num_results: usize,
    pub attrs: *const tw_attr_t,
    pub num_attrs: usize,
}
sized!(tw_call_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_collective_cost_view_t {
    pub struct_size: usize,
    pub kind: tw_collective_kind_t,
    pub axes: u64,
    pub step: u32,
    pub times: i64,
    pub seconds: f64,
    pub bytes: f64,
}
sized!(tw_collective_cost_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_collective_view_t {
    pub struct_size: usize,
    pub kind: tw_collective_kind_t,
    pub reduction: tw_reduction_t,
    pub axes: u64,
    pub instr: u32,
    pub value: tw_value_t,
    pub producer: tw_op_t,
    pub consumer: tw_op_t,
    pub action: usize,
    pub times: i64,
    pub bytes_received: i64,
    pub mean_bytes_received: f64,
    pub method: *const c_char,
    pub num_steps: u32,
    pub bytes_by_level: *const i64,
    pub num_levels: usize,
    pub scratch_bytes: i64,
}
sized!(tw_collective_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_compare_options_t {
    pub struct_size: usize,
    pub other_run: i32,
    pub seconds: f64,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, f64) -> c_int>,
    pub user: *mut c_void,
}
sized!(tw_compare_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_comparison_t {
    pub struct_size: usize,
    pub max_abs: f64,
    pub max_rel: f64,
    pub bit_equal: i32,
    pub passes: i32,
    pub mistrusted: i32,
    pub nonfinite: i64,
    pub judged_by: tw_judged_by_t,
    pub tolerance: f64,
    pub from_double: f64,
    pub expected_from_double: f64,
    pub equal_argument: i32,
}
sized!(tw_comparison_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_conflict_view_t {
    pub struct_size: usize,
    pub kind: tw_conflict_kind_t,
    pub axis: *const c_char,
    pub op: tw_op_t,
    pub value: tw_value_t,
    pub text: *const c_char,
    pub num_ways: usize,
}
sized!(tw_conflict_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_context_options_t {
    pub struct_size: usize,
    pub alloc: tw_alloc_fn,
    pub free: tw_free_fn,
    pub alloc_user: *mut c_void,
    pub log: tw_log_fn,
    pub log_user: *mut c_void,
    pub workers: i32,
    pub parallel_for: tw_parallel_for_fn,
    pub parallel_for_user: *mut c_void,
    pub destroy_alloc_user: tw_destroy_fn,
    pub destroy_log_user: tw_destroy_fn,
    pub destroy_parallel_for_user: tw_destroy_fn,
}
sized!(tw_context_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_counters_t {
    pub struct_size: usize,
    pub runs: i64,
    pub failed_runs: i64,
    pub steps: i64,
    pub collectives: i64,
    pub bytes: i64,
    pub kernel_ns: i64,
    pub collective_ns: i64,
}
sized!(tw_counters_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_cuda_allocator_t {
    pub struct_size: usize,
    pub alloc: Option<unsafe extern "C" fn(usize, i32, *mut c_void, *mut c_void) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(*mut c_void, usize, i32, *mut c_void, *mut c_void)>,
    pub user: *mut c_void,
}
sized!(tw_cuda_allocator_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_custom_call_t {
    pub struct_size: usize,
    pub target: *const c_char,
    pub rule: *const c_char,
    pub rule_fn: tw_call_rule_fn,
    pub check: tw_call_fn,
    pub kernel: tw_call_fn,
    pub user: *mut c_void,
    pub destroy: tw_destroy_fn,
}
sized!(tw_custom_call_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_dim_sharding_t {
    pub axes: *const tw_axis_part_t,
    pub num_axes: usize,
    pub split: tw_split_t,
    pub unit: i64,
    pub cuts: *const i64,
    pub num_cuts: usize,
    pub halo_before: i64,
    pub halo_after: i64,
    pub border: tw_border_t,
    pub is_open: i32,
    pub priority: i32,
    pub reserved: [u64; 2],
}
zeros!(tw_dim_sharding_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_environment_options_t {
    pub struct_size: usize,
    pub cap_bytes: i64,
    pub lower: *const tw_lower_options_t,
    pub axes: *const c_char,
    pub even_only: i32,
}
sized!(tw_environment_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_estimate_options_t {
    pub struct_size: usize,
    pub cap_bytes: i64,
    pub trip_count: i64,
    pub donate: c_int,
}
sized!(tw_estimate_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_estimate_view_t {
    pub struct_size: usize,
    pub serial_s: f64,
    pub compute_s: f64,
    pub memory_s: f64,
    pub communication_s: f64,
    pub overlapped_s: f64,
    pub peak_bytes: i64,
    pub cap_bytes: i64,
    pub fits: c_int,
    pub peak_place: usize,
}
sized!(tw_estimate_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_executable_options_t {
    pub struct_size: usize,
    pub context: *const tw_context_t,
    pub workers: i32,
    pub memory_limit: i64,
    pub comm: *mut tw_comm_t,
    pub whole_outputs: i32,
    pub observe: tw_observe_t,
    pub tiles: i32,
    pub donate: i32,
    pub device: *const c_char,
    pub deadline: f64,
    pub delays: u64,
    pub gpus: *const c_char,
    pub in_place: i32,
    pub exchange: *const c_char,
    pub fast_sums: i32,
    pub tf32: i32,
    pub same_bits: i32,
}
sized!(tw_executable_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_gpu_facts_t {
    pub struct_size: usize,
    pub name: *const c_char,
    pub architecture: i32,
    pub processors: i32,
    pub bytes: i64,
    pub free_bytes: i64,
    pub bytes_per_second: i64,
    pub used_bytes: i64,
    pub limit_bytes: i64,
}
sized!(tw_gpu_facts_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_held_view_t {
    pub struct_size: usize,
    pub value: *const c_char,
    pub local_value: tw_local_t,
    pub bytes: i64,
    pub role: tw_role_t,
}
sized!(tw_held_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_import_options_t {
    pub struct_size: usize,
    pub file: *const c_char,
    pub entry: *const c_char,
    pub names: *const c_char,
    pub names_file: *const c_char,
    pub custom_calls: *const tw_custom_calls_t,
    pub allow_unknown: c_int,
    pub mesh: *const c_char,
}
sized!(tw_import_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_instr_view_t {
    pub struct_size: usize,
    pub kind: tw_instr_kind_t,
    pub op: tw_op_t,
    pub operands: *const tw_local_t,
    pub num_operands: u32,
    pub first_result: tw_local_t,
    pub num_results: u32,
    pub index: u32,
    pub collective: u32,
    pub reduce_axes: u64,
}
sized!(tw_instr_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_link_t {
    pub alpha_us: f64,
    pub message_us: f64,
    pub gb_per_s: f64,
    pub reserved: [u64; 3],
}
zeros!(tw_link_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_local_view_t {
    pub struct_size: usize,
    pub origin: tw_value_t,
    pub instr: u32,
}
sized!(tw_local_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_loop_view_t {
    pub struct_size: usize,
    pub axis: *const c_char,
    pub kind: tw_loop_kind_t,
    pub dim: i32,
    pub reduction: tw_reduction_t,
    pub action: usize,
    pub cause: tw_op_t,
}
sized!(tw_loop_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_lower_options_t {
    pub struct_size: usize,
    pub without: *const *const c_char,
    pub num_without: usize,
    pub gather_per_use: c_int,
    pub bucket_bytes: i64,
    pub levels: *const c_char,
    pub keep_sum_order: c_int,
    pub scratch_bytes: i64,
    pub hoist_limit: i64,
}
sized!(tw_lower_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_message_loop_t {
    pub n: i64,
    pub stride: i64,
}
zeros!(tw_message_loop_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_message_t {
    pub struct_size: usize,
    pub peer: i32,
    pub tag: i32,
    pub sends: i32,
    pub data: *mut c_void,
    pub bytes: i64,
    pub loops: *const tw_message_loop_t,
    pub num_loops: usize,
}
sized!(tw_message_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_mpi_options_t {
    pub struct_size: usize,
    pub library: *const c_char,
    pub deadline: f64,
}
sized!(tw_mpi_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_op_spec_t {
    pub struct_size: usize,
    pub name: *const c_char,
    pub operands: *const tw_value_t,
    pub num_operands: usize,
    pub regions: *const tw_region_t,
    pub num_regions: usize,
    pub attrs: *const tw_attr_t,
    pub num_attrs: usize,
    pub result_types: *const tw_type_t,
    pub num_result_types: usize,
    pub location: *const c_char,
    pub line: u32,
    pub column: u32,
}
sized!(tw_op_spec_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_op_view_t {
    pub struct_size: usize,
    pub name: *const c_char,
    pub operands: *const tw_value_t,
    pub num_operands: u32,
    pub num_results: u32,
    pub first_result: tw_value_t,
    pub num_regions: u32,
    pub first_region: tw_region_t,
    pub parent: tw_region_t,
    pub num_attrs: u32,
    pub line: u32,
    pub column: u32,
}
sized!(tw_op_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_page_options_t {
    pub struct_size: usize,
    pub trace: *const c_char,
    pub command: *const c_char,
}
sized!(tw_page_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_partial_t {
    pub part: tw_axis_part_t,
    pub reduction: tw_reduction_t,
    pub reserved: [u64; 1],
}
zeros!(tw_partial_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_picture_options_t {
    pub struct_size: usize,
    pub form: *const c_char,
    pub theme: *const c_char,
    pub scale: f64,
    pub bare: i32,
}
sized!(tw_picture_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_place_view_t {
    pub struct_size: usize,
    pub bytes: i64,
    pub instr: u32,
    pub step: u32,
}
sized!(tw_place_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_plan_options_t {
    pub struct_size: usize,
    pub ignore_annotations: i32,
    pub policy: *const c_char,
}
sized!(tw_plan_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_price_view_t {
    pub struct_size: usize,
    pub cost_s: f64,
    pub computing_s: f64,
    pub moving_s: f64,
    pub received_bytes: i64,
    pub peak_bytes: i64,
    pub cap_bytes: i64,
    pub fits: i32,
}
sized!(tw_price_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_redistribution_options_t {
    pub struct_size: usize,
    pub method: *const c_char,
    pub levels: *const c_char,
    pub dtype: tw_dtype_t,
    pub scratch_bytes: i64,
    pub height_bytes: i64,
    pub links: *const tw_link_t,
    pub num_links: usize,
    pub copy_gb_per_s: f64,
    pub steps: *const c_char,
    pub lost: *const i64,
    pub num_lost: usize,
}
sized!(tw_redistribution_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_redistributor_options_t {
    pub struct_size: usize,
    pub workers: i32,
    pub donate: i32,
    pub share: i32,
    pub context: *const tw_context_t,
    pub memory_limit: i64,
    pub comm: *mut tw_comm_t,
    pub device: *const c_char,
    pub gpus: *const c_char,
    pub deadline: f64,
    pub delays: u64,
}
sized!(tw_redistributor_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_region_view_t {
    pub struct_size: usize,
    pub parent: tw_op_t,
    pub num_arguments: u32,
    pub arguments: *const tw_value_t,
    pub ops: *const tw_op_t,
    pub num_ops: usize,
    pub yields: *const tw_value_t,
    pub num_yields: usize,
}
sized!(tw_region_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_reshard_options_t {
    pub struct_size: usize,
    pub format: *const c_char,
    pub memory_bytes: u64,
    pub dtype: tw_dtype_t,
    pub dry_run: i32,
    pub verify: i32,
    pub step: Option<unsafe extern "C" fn(*mut c_void, u64, u64) -> c_int>,
    pub user: *mut c_void,
}
sized!(tw_reshard_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_run_options_t {
    pub struct_size: usize,
    pub stream: *mut tw_stream_t,
}
sized!(tw_run_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_search_options_t {
    pub struct_size: usize,
    pub cap_bytes: i64,
    pub episodes: i64,
    pub seconds: f64,
    pub seed: u64,
    pub threads: i32,
    pub lower: *const tw_lower_options_t,
    pub axes: *const c_char,
    pub even_only: i32,
    pub cache: *const c_char,
    pub exact: i32,
    pub gap: f64,
}
sized!(tw_search_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_solve_options_t {
    pub struct_size: usize,
    pub rounds: i64,
    pub seconds: f64,
    pub seed: u64,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, f64, f64, i64) -> c_int>,
    pub user: *mut c_void,
}
sized!(tw_solve_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_step_view_t {
    pub struct_size: usize,
    pub what: *const c_char,
    pub value: *const c_char,
    pub location: *const c_char,
    pub instr: u32,
    pub num_ops: u32,
    pub collective: u32,
    pub bound: tw_bound_t,
    pub times: i64,
    pub seconds: f64,
    pub flops: f64,
    pub bytes: f64,
    pub begin_s: f64,
    pub lasts_s: f64,
}
sized!(tw_step_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_store_options_t {
    pub struct_size: usize,
    pub format: *const c_char,
    pub rename: *const c_char,
    pub rename_file: *const c_char,
}
sized!(tw_store_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_store_part_t {
    pub ndims: usize,
    pub offset: *const i64,
    pub extent: *const i64,
    pub strides: *const i64,
    pub file: *const c_char,
    pub at: u64,
    pub swapped: i32,
    pub reserved: [u64; 2],
}
zeros!(tw_store_part_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_tile_t {
    pub struct_size: usize,
    pub dtype: tw_dtype_t,
    pub ndims: usize,
    pub whole: *const i64,
    pub offset: *const i64,
    pub extent: *const i64,
    pub strides: *const i64,
    pub data: *mut c_void,
}
sized!(tw_tile_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_transport_t {
    pub struct_size: usize,
    pub rank: i32,
    pub size: i32,
    pub highest_tag: i32,
    pub prepare: tw_transport_prepare_fn,
    pub start: tw_transport_start_fn,
    pub test: tw_transport_test_fn,
    pub missing: tw_transport_missing_fn,
    pub give_up: tw_transport_give_up_fn,
    pub release: tw_transport_release_fn,
    pub broadcast: tw_transport_broadcast_fn,
    pub poll: tw_transport_poll_fn,
    pub user: *mut c_void,
    pub destroy: tw_destroy_fn,
}
sized!(tw_transport_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_type_t {
    pub dtype: tw_dtype_t,
    pub dims: *const i64,
    pub ndims: usize,
    pub reserved: [u64; 2],
}
zeros!(tw_type_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_use_t {
    pub op: tw_op_t,
    pub operand: u32,
}
zeros!(tw_use_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_value_view_t {
    pub struct_size: usize,
    pub dtype: tw_dtype_t,
    pub dims: *const i64,
    pub ndims: usize,
    pub op: tw_op_t,
    pub index: u32,
    pub region: tw_region_t,
    pub num_uses: u32,
    pub uses: *const tw_use_t,
}
sized!(tw_value_view_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_watch_options_t {
    pub struct_size: usize,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, f64) -> c_int>,
    pub user: *mut c_void,
    pub interval: f64,
}
sized!(tw_watch_options_t);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_way_view_t {
    pub struct_size: usize,
    pub kind: tw_loop_kind_t,
    pub dim: i32,
    pub reduction: tw_reduction_t,
    pub text: *const c_char,
    pub source: tw_op_t,
    pub action: usize,
    pub bytes: i64,
    pub more_bytes: i64,
}
sized!(tw_way_view_t);
