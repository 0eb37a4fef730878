// SPDX-License-Identifier: Apache-2.0
// The functions of the headers. Made by bindings/make_rust.py: do not edit. Longer than other files, since made.

use crate::types::*;
use std::os::raw::{c_char, c_int, c_void};

extern "C" {
    // ---- tw_base.h ----
    /// The release of the library that is running, "0.1.0".
    pub fn tw_version() -> *const c_char;
    /// The API version that it implements: MAJOR * 10000 + MINOR * 100 + PATCH.
    pub fn tw_api_version() -> i32;
    /// "invalid_argument"; "unknown" for a value that is none.
    pub fn tw_status_name(status: tw_status_t) -> *const c_char;
    /// The last failure of a call made by this thread: one line, without position; "" when there was none.
    pub fn tw_error_message() -> *const c_char;
    /// Moves this thread's last failure out, so that it outlives later calls; *out_error is NULL when there is none.
    pub fn tw_error_take(out_error: *mut *mut tw_error_t) -> tw_status_t;
    /// Moves this thread's last failure out, so that it outlives later calls; *out_error is NULL when there is none.
    pub fn tw_error_release(error: *mut tw_error_t);
    pub fn tw_error_status(error: *const tw_error_t) -> tw_status_t;
    /// A stable id, "TW-104"; tw_diagnostic_id lists them.
    pub fn tw_error_id(error: *const tw_error_t) -> *const c_char;
    /// A stable id, "TW-104"; tw_diagnostic_id lists them.
    pub fn tw_error_text(error: *const tw_error_t) -> *const c_char;
    /// Where in the caller's text: file "" and line, column 0 when it is about no text.
    pub fn tw_error_file(error: *const tw_error_t) -> *const c_char;
    /// Where in the caller's text: file "" and line, column 0 when it is about no text.
    pub fn tw_error_line(error: *const tw_error_t) -> u32;
    /// Where in the caller's text: file "" and line, column 0 when it is about no text.
    pub fn tw_error_column(error: *const tw_error_t) -> u32;
    /// What follows: the source line with a caret, nearest names, causes from the outermost to the innermost.
    pub fn tw_error_num_notes(error: *const tw_error_t) -> usize;
    /// What follows: the source line with a caret, nearest names, causes from the outermost to the innermost.
    pub fn tw_error_note(error: *const tw_error_t, i: usize) -> *const c_char;
    /// For hosts whose threads are not threads of the system, such as goroutines and green threads: between two calls they may move to another one, which has another last failure.
    pub fn tw_error_catch(body: tw_body_fn, user: *mut c_void, out_error: *mut *mut tw_error_t) -> tw_status_t;
    /// Watches what takes long: calls body(user) once, in this thread, and returns what it answers.
    pub fn tw_watch_calls(body: tw_body_fn, user: *mut c_void, options: *const tw_watch_options_t) -> tw_status_t;
    /// Every error id, sorted: what it means, in one line, and what to do about it.
    pub fn tw_diagnostic_count() -> usize;
    /// Every error id, sorted: what it means, in one line, and what to do about it.
    pub fn tw_diagnostic_id(i: usize) -> *const c_char;
    /// Every error id, sorted: what it means, in one line, and what to do about it.
    pub fn tw_diagnostic_meaning(i: usize) -> *const c_char;
    /// Every error id, sorted: what it means, in one line, and what to do about it.
    pub fn tw_diagnostic_advice(i: usize) -> *const c_char;
    /// For callbacks of the host, which answer a status: makes this the thread's last failure and returns `status`, so that one can write `return tw_error_set(TW_OUT_OF_RANGE, "the table has 7 rows");`.
    pub fn tw_error_set(status: tw_status_t, message: *const c_char) -> tw_status_t;
    /// Copies `size` bytes.
    pub fn tw_blob_create(data: *const c_void, size: usize, out_blob: *mut *mut tw_blob_t) -> tw_status_t;
    /// Copies `size` bytes.
    pub fn tw_blob_retain(blob: *mut tw_blob_t) -> *mut tw_blob_t;
    /// Copies `size` bytes.
    pub fn tw_blob_release(blob: *mut tw_blob_t);
    /// The bytes; text blobs are UTF-8 and followed by a NUL that tw_blob_size does not count.
    pub fn tw_blob_data(blob: *const tw_blob_t) -> *const c_char;
    /// The bytes; text blobs are UTF-8 and followed by a NUL that tw_blob_size does not count.
    pub fn tw_blob_size(blob: *const tw_blob_t) -> usize;
    /// `options` may be NULL. Wherever a context is asked for, NULL means the default one.
    pub fn tw_context_create(options: *const tw_context_options_t, out_context: *mut *mut tw_context_t) -> tw_status_t;
    /// `options` may be NULL. Wherever a context is asked for, NULL means the default one.
    pub fn tw_context_retain(context: *mut tw_context_t) -> *mut tw_context_t;
    /// `options` may be NULL. Wherever a context is asked for, NULL means the default one.
    pub fn tw_context_release(context: *mut tw_context_t);
    /// What this build has and what it finds at run time, as a JSON object: version, compiler, cores, oneDNN's version, and by which of its kernels, in what order, matrix products sum here: found out on small ones, which takes some milliseconds once a process.
    pub fn tw_build_info(out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// MLIR's spelling, "f32", "i32", "ui8", "complex<f32>"; "invalid" for a value that is none.
    pub fn tw_dtype_name(dtype: tw_dtype_t) -> *const c_char;
    /// Bytes of one element as held in memory; 0 for TW_TOKEN and invalid values.
    pub fn tw_dtype_size(dtype: tw_dtype_t) -> usize;
    /// The value of one element as held in memory; *out_imaginary, which may be NULL, is 0 for types that are not complex.
    pub fn tw_dtype_decode(dtype: tw_dtype_t, element: *const c_void, out_real: *mut f64, out_imaginary: *mut f64) -> tw_status_t;
    /// Writes the element that stands for a value, tw_dtype_size bytes, as stablehlo.convert makes it: rounded to nearest, integers saturate and cut fractions off, NaN is 0 for them.
    pub fn tw_dtype_encode(dtype: tw_dtype_t, real: f64, imaginary: f64, out_element: *mut c_void) -> tw_status_t;
    // ---- tw_builder.h ----
    pub fn tw_builder_create(name: *const c_char, out_builder: *mut *mut tw_builder_t) -> tw_status_t;
    pub fn tw_builder_release(builder: *mut tw_builder_t);
    /// TW_OK, or the error that sticks: as tw_builder_finish would report it, while the builder goes on.
    pub fn tw_builder_check(builder: *const tw_builder_t) -> tw_status_t;
    /// Freezes.
    pub fn tw_builder_finish(builder: *mut tw_builder_t, out_graph: *mut *mut tw_graph_t) -> tw_status_t;
    pub fn tw_builder_argument(builder: *mut tw_builder_t, name: *const c_char, dtype: tw_dtype_t, dims: *const i64, ndims: usize) -> tw_value_t;
    /// An argument whose memory a result may take: result `result`, which is declared later, is of its type, and takes that of one argument; -1 does not say which.
    pub fn tw_builder_donated_argument(builder: *mut tw_builder_t, name: *const c_char, dtype: tw_dtype_t, dims: *const i64, ndims: usize, result: i64) -> tw_value_t;
    /// Declares a result of the program; in order.
    pub fn tw_builder_result(builder: *mut tw_builder_t, name: *const c_char, value: tw_value_t);
    /// A literal array: `data` holds the elements, dense row-major, and is copied.
    pub fn tw_builder_constant(builder: *mut tw_builder_t, dtype: tw_dtype_t, dims: *const i64, ndims: usize, data: *const c_void) -> tw_value_t;
    /// An array whose elements all equal `value`, converted to dtype as stablehlo.convert does: what an integer cannot hold saturates, NaN is 0.
    pub fn tw_builder_splat(builder: *mut tw_builder_t, dtype: tw_dtype_t, dims: *const i64, ndims: usize, value: f64) -> tw_value_t;
    /// An array whose elements are all copies of the one at `element`, bit for bit.
    pub fn tw_builder_fill(builder: *mut tw_builder_t, dtype: tw_dtype_t, dims: *const i64, ndims: usize, element: *const c_void) -> tw_value_t;
    /// Adds any registered op by name ("stablehlo.add", or just "add"), with attributes of its schema (`tw ops NAME`).
    pub fn tw_builder_add(builder: *mut tw_builder_t, op: *const c_char, operands: *const tw_value_t, num_operands: usize, attrs: *const tw_attr_t, num_attrs: usize, out_results: *mut tw_value_t, max_results: usize) -> tw_value_t;
    /// Adds one, as tw_builder_add does.
    pub fn tw_builder_op(builder: *mut tw_builder_t, spec: *const tw_op_spec_t, out_results: *mut tw_value_t, max_results: usize) -> tw_value_t;
    /// What is added from here on stands in a new region, up to tw_builder_end_region.
    pub fn tw_builder_begin_region(builder: *mut tw_builder_t, argument_types: *const tw_type_t, num_arguments: usize, out_arguments: *mut tw_value_t);
    /// Ends the innermost region, which gives back `yields`, and returns its number for tw_op_spec_t.regions; TW_NO_REGION after an error.
    pub fn tw_builder_end_region(builder: *mut tw_builder_t, yields: *const tw_value_t, num_yields: usize) -> tw_region_t;
    /// A region that combines two scalars of a type by one op, "add" or "maximum": what reduce, reduce_window, scatter and select_and_scatter take.
    pub fn tw_builder_combiner(builder: *mut tw_builder_t, op: *const c_char, dtype: tw_dtype_t) -> tw_region_t;
    pub fn tw_builder_unary(builder: *mut tw_builder_t, op: *const c_char, x: tw_value_t) -> tw_value_t;
    /// Operands of equal shape, or one a scalar which is then broadcast.
    pub fn tw_builder_binary(builder: *mut tw_builder_t, op: *const c_char, x: tw_value_t, y: tw_value_t) -> tw_value_t;
    /// Booleans: x DIRECTION y, of "EQ", "NE", "GE", "GT", "LE" and "LT".
    pub fn tw_builder_compare(builder: *mut tw_builder_t, direction: *const c_char, x: tw_value_t, y: tw_value_t) -> tw_value_t;
    /// Booleans: x DIRECTION y, of "EQ", "NE", "GE", "GT", "LE" and "LT".
    pub fn tw_builder_convert(builder: *mut tw_builder_t, x: tw_value_t, dtype: tw_dtype_t) -> tw_value_t;
    /// A contraction in Einstein's notation over two operands, "bd,df->bf": letters in both and in the result are batch dimensions, letters in both but not in the result are contracted.
    pub fn tw_builder_einsum(builder: *mut tw_builder_t, subscripts: *const c_char, x: tw_value_t, y: tw_value_t) -> tw_value_t;
    /// A contraction in Einstein's notation over two operands, "bd,df->bf": letters in both and in the result are batch dimensions, letters in both but not in the result are contracted.
    pub fn tw_builder_transpose(builder: *mut tw_builder_t, x: tw_value_t, permutation: *const i64, n: usize) -> tw_value_t;
    /// A contraction in Einstein's notation over two operands, "bd,df->bf": letters in both and in the result are batch dimensions, letters in both but not in the result are contracted.
    pub fn tw_builder_reshape(builder: *mut tw_builder_t, x: tw_value_t, dims: *const i64, ndims: usize) -> tw_value_t;
    /// Dimension i of x becomes dimension map[i] of the result; size-1 dimensions expand.
    pub fn tw_builder_broadcast(builder: *mut tw_builder_t, x: tw_value_t, dims: *const i64, ndims: usize, map: *const i64, n: usize) -> tw_value_t;
    /// The elements from starts[i] to below limits[i] of every dimension, each steps[i]-th; `steps` NULL: all.
    pub fn tw_builder_slice(builder: *mut tw_builder_t, x: tw_value_t, starts: *const i64, limits: *const i64, steps: *const i64, n: usize) -> tw_value_t;
    /// Arrays one behind the other in dimension `dim`.
    pub fn tw_builder_concatenate(builder: *mut tw_builder_t, values: *const tw_value_t, num_values: usize, dim: i64) -> tw_value_t;
    /// Reduces `dims` away with "sum", "max", "min" or "prod"; integers and booleans also with "and", "or", "xor".
    pub fn tw_builder_reduce(builder: *mut tw_builder_t, kind: *const c_char, x: tw_value_t, dims: *const i64, ndims: usize) -> tw_value_t;
    /// The custom_calls that the host knows (tw_custom.h), as they are now.
    pub fn tw_builder_custom_calls(builder: *mut tw_builder_t, calls: *const tw_custom_calls_t);
    /// A call of code that the program does not hold, with results of the stated types.
    pub fn tw_builder_custom_call(builder: *mut tw_builder_t, target: *const c_char, operands: *const tw_value_t, num_operands: usize, results: *const tw_type_t, num_results: usize, attrs: *const tw_attr_t, num_attrs: usize, out_results: *mut tw_value_t) -> tw_value_t;
    /// Calls a value "%name" in texts, reports and tw_plan_tile; the % may be left out.
    pub fn tw_builder_name(builder: *mut tw_builder_t, value: tw_value_t, name: *const c_char);
    /// Says how a value, or the result `i` that was declared, is to lie: as annotations of a text do, every plan of the graph applies it first, unless tw_plan_options_t.ignore_annotations.
    pub fn tw_builder_shard(builder: *mut tw_builder_t, value: tw_value_t, sharding: *const tw_sharding_t);
    /// Says how a value, or the result `i` that was declared, is to lie: as annotations of a text do, every plan of the graph applies it first, unless tw_plan_options_t.ignore_annotations.
    pub fn tw_builder_shard_result(builder: *mut tw_builder_t, i: usize, sharding: *const tw_sharding_t);
    /// The value again, laid out so, of which every device keeps what lies around its tile too: as shard.shard with halo_sizes says it for users.
    pub fn tw_builder_keep_halo(builder: *mut tw_builder_t, value: tw_value_t, sharding: *const tw_sharding_t) -> tw_value_t;
    // ---- tw_cuda.h ----
    /// What a GPU is and has. tw_device_count("cuda", ..) says how many there are.
    pub fn tw_cuda_describe(gpu: i32, out_facts: *mut tw_gpu_facts_t) -> tw_status_t;
    /// The library takes no more memory of the GPU than so many bytes, in this process and from now on; 0: as much as there is.
    pub fn tw_cuda_limit_memory(gpu: i32, bytes: i64) -> tw_status_t;
    /// From now on arenas, tensors and workspaces on the GPU are of this allocator; NULL: of the driver again.
    pub fn tw_cuda_set_allocator(gpu: i32, allocator: *const tw_cuda_allocator_t) -> tw_status_t;
    /// A stream of the program: `cu_stream` is a CUstream (a cudaStream_t is one), which must outlive it. 1 is the legacy default stream, 2 the default stream of a thread; NULL is TW_INVALID_ARGUMENT, since it may be meant as either.
    pub fn tw_cuda_wrap_stream(gpu: i32, cu_stream: *mut c_void, out_stream: *mut *mut tw_stream_t) -> tw_status_t;
    /// An event of the program: `cu_event` is a CUevent, which must outlive it.
    pub fn tw_cuda_wrap_event(gpu: i32, cu_event: *mut c_void, out_event: *mut *mut tw_event_t) -> tw_status_t;
    // ---- tw_custom.h ----
    /// NULL where the call has no attribute of that name.
    pub fn tw_call_attr(call: *const tw_call_t, name: *const c_char) -> *const tw_attr_t;
    pub fn tw_custom_calls_create(out_calls: *mut *mut tw_custom_calls_t) -> tw_status_t;
    pub fn tw_custom_calls_retain(calls: *mut tw_custom_calls_t) -> *mut tw_custom_calls_t;
    pub fn tw_custom_calls_release(calls: *mut tw_custom_calls_t);
    /// Adds one.
    pub fn tw_custom_calls_add(calls: *mut tw_custom_calls_t, call: *const tw_custom_call_t) -> tw_status_t;
    // ---- tw_debug.h ----
    /// The k-th pass after which form `i` (tw_form_name) can be printed, in their order.
    pub fn tw_debug_pass(i: usize, k: usize) -> *const c_char;
    /// A plan as it is after the pass `pass_name`; NULL is the last, for an unknown name the error TW-502 lists them.
    pub fn tw_debug_emit_after(plan: *const tw_plan_t, form: *const c_char, pass_name: *const c_char, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_device.h ----
    /// How many devices of a kind there are.
    pub fn tw_device_count(kind: *const c_char, out_count: *mut i32) -> tw_status_t;
    /// A new queue. tw_cuda_wrap_stream (<tilewright/tw_cuda.h>) wraps one of the program.
    pub fn tw_stream_create(kind: *const c_char, device: i32, out_stream: *mut *mut tw_stream_t) -> tw_status_t;
    /// A new queue. tw_cuda_wrap_stream (<tilewright/tw_cuda.h>) wraps one of the program.
    pub fn tw_stream_retain(stream: *mut tw_stream_t) -> *mut tw_stream_t;
    /// The last release of a queue that was created waits until it is empty.
    pub fn tw_stream_release(stream: *mut tw_stream_t);
    /// Its kind and the number of its device, where `out_device` is not NULL.
    pub fn tw_stream_device(stream: *const tw_stream_t, out_device: *mut i32) -> *const c_char;
    /// What the kind's own library calls it: a CUstream.
    pub fn tw_stream_native(stream: *const tw_stream_t) -> *mut c_void;
    /// Waits until all that was given has run.
    pub fn tw_stream_wait(stream: *mut tw_stream_t) -> tw_status_t;
    /// Not recorded yet: nobody waits for it.
    pub fn tw_event_create(kind: *const c_char, device: i32, out_event: *mut *mut tw_event_t) -> tw_status_t;
    /// Not recorded yet: nobody waits for it.
    pub fn tw_event_retain(event: *mut tw_event_t) -> *mut tw_event_t;
    /// Not recorded yet: nobody waits for it.
    pub fn tw_event_release(event: *mut tw_event_t);
    /// Stands for this place in the stream from now on.
    pub fn tw_event_record(event: *mut tw_event_t, stream: *mut tw_stream_t) -> tw_status_t;
    /// What the stream is given from now on runs behind the event's place.
    pub fn tw_event_await(event: *const tw_event_t, stream: *mut tw_stream_t) -> tw_status_t;
    /// Whether that place is reached.
    pub fn tw_event_test(event: *const tw_event_t, out_reached: *mut c_int) -> tw_status_t;
    /// An array in memory of a device, with any elements: from the program's allocator where tw_cuda_set_allocator gave one.
    pub fn tw_tensor_create_on(kind: *const c_char, device: i32, dtype: tw_dtype_t, dims: *const i64, ndims: usize, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// Wraps memory of the program on a device.
    pub fn tw_tensor_wrap_on(kind: *const c_char, device: i32, dtype: tw_dtype_t, dims: *const i64, ndims: usize, strides: *const i64, address: *mut c_void, destroy: tw_destroy_fn, user: *mut c_void, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// The kind of device on which it lies ("host" for most), and the device's number where `out_device` is not NULL.
    pub fn tw_tensor_device(tensor: *const tw_tensor_t, out_device: *mut i32) -> *const c_char;
    /// Elements from one index to the next, of each dimension; NULL: dense and row-major.
    pub fn tw_tensor_strides(tensor: *const tw_tensor_t, out_ndims: *mut usize) -> *const i64;
    /// Where the element at index 0 lies, on whatever device: for libraries that work there. tw_tensor_data and tw_tensor_const_data are NULL for an array that the host cannot read.
    pub fn tw_tensor_address(tensor: *const tw_tensor_t) -> *mut c_void;
    /// Copies elements between tensors of one type, on the host, on devices or between them; strides may differ.
    pub fn tw_tensor_copy(dst: *mut tw_tensor_t, src: *const tw_tensor_t, stream: *mut tw_stream_t) -> tw_status_t;
    /// What the stream was given so far makes the elements: whoever uses the tensor from now on waits for that.
    pub fn tw_tensor_written(tensor: *mut tw_tensor_t, stream: *mut tw_stream_t) -> tw_status_t;
    /// What the stream is given from now on finds the elements; NULL: the host waits for them.
    pub fn tw_tensor_await(tensor: *const tw_tensor_t, stream: *mut tw_stream_t) -> tw_status_t;
    /// tw_run_start with options (NULL: none).
    pub fn tw_run_start_with(executable: *mut tw_executable_t, inputs: *const *const tw_tensor_t, num_inputs: usize, outputs: *const *mut tw_tensor_t, num_outputs: usize, options: *const tw_run_options_t, out_run: *mut *mut tw_run_t) -> tw_status_t;
    // ---- tw_dlpack.h ----
    /// Wraps the memory that `managed` describes.
    pub fn tw_tensor_from_dlpack(managed: *mut DLManagedTensor, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// The same for the versioned struct; a major version other than 1 is TW_UNIMPLEMENTED.
    pub fn tw_tensor_from_dlpack_versioned(managed: *mut DLManagedTensorVersioned, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// Describes a tensor's memory.
    pub fn tw_tensor_to_dlpack(tensor: *mut tw_tensor_t, out_managed: *mut *mut DLManagedTensor) -> tw_status_t;
    /// The same as the versioned struct, version 1.1.
    pub fn tw_tensor_to_dlpack_versioned(tensor: *mut tw_tensor_t, out_managed: *mut *mut DLManagedTensorVersioned) -> tw_status_t;
    // ---- tw_environment.h ----
    /// An environment that begins with a plan; what is decided there stays, and the plan itself does not change.
    pub fn tw_environment_create(plan: *const tw_plan_t, system: *const tw_system_t, options: *const tw_environment_options_t, out_environment: *mut *mut tw_environment_t) -> tw_status_t;
    /// Another one that has taken the same steps.
    pub fn tw_environment_clone(environment: *const tw_environment_t, out_environment: *mut *mut tw_environment_t) -> tw_status_t;
    /// Another one that has taken the same steps.
    pub fn tw_environment_retain(environment: *mut tw_environment_t) -> *mut tw_environment_t;
    /// Another one that has taken the same steps.
    pub fn tw_environment_release(environment: *mut tw_environment_t);
    /// Actions are numbered from 0; the last one stops, and ends the episode. 0 of NULL.
    pub fn tw_environment_num_actions(environment: *const tw_environment_t) -> usize;
    /// One number for each action: 1 where it may be taken now, 0 where what it decides is decided, where its tiles would not be contiguous, or where the episode is over.
    pub fn tw_environment_mask(environment: *mut tw_environment_t, out_mask: *mut u8, max_mask: usize) -> tw_status_t;
    /// Takes an action, and propagates.
    pub fn tw_environment_step(environment: *mut tw_environment_t, action: usize, out_reward: *mut f64, out_done: *mut c_int) -> tw_status_t;
    /// Takes the last steps back.
    pub fn tw_environment_undo(environment: *mut tw_environment_t, steps: usize) -> tw_status_t;
    /// How many steps were taken. 0 of NULL.
    pub fn tw_environment_num_steps(environment: *const tw_environment_t) -> usize;
    /// The actions that were taken, a snapshot for tw_environment_restore, also of a clone.
    pub fn tw_environment_snapshot(environment: *const tw_environment_t, out_actions: *mut i64, max_actions: usize) -> tw_status_t;
    /// Goes where these actions lead to; none: to the beginning.
    pub fn tw_environment_restore(environment: *mut tw_environment_t, actions: *const i64, num_actions: usize) -> tw_status_t;
    /// How many floats an observation has. 0 of NULL.
    pub fn tw_environment_num_features(environment: *const tw_environment_t) -> usize;
    /// What the plan is like now, all in one array.
    pub fn tw_environment_observe(environment: *const tw_environment_t, out_features: *mut f32, max_features: usize) -> tw_status_t;
    pub fn tw_environment_price(environment: *const tw_environment_t, out_view: *mut tw_price_view_t) -> tw_status_t;
    /// The actions so far as lines of a spec, behind those of the plan that the environment began with; the cost behind each is in a comment.
    pub fn tw_environment_spec(environment: *mut tw_environment_t, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// The plan with them.
    pub fn tw_environment_plan(environment: *mut tw_environment_t, out_plan: *mut *mut tw_plan_t) -> tw_status_t;
    /// What numbers mean, which never changes: {"cap_bytes", "actions": [{"kind", "subject", "dim", "axis"}], "subjects": [{"kind", "layers", "arguments" or "value", "type"}], "features": {"plan": [name], "subject": [name]}, "conflicts": {"offsets", "actions"}}. `kind` of an action is "tile", "state" (states in tiles of their largest dimension that is whole, ZeRO 2), "storage" (weights too, ZeRO 3), "borders" (ops on both sides of what moves where each op is tiled by itself, as in the bound of a search) or "stop".
    pub fn tw_environment_json(environment: *const tw_environment_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_estimate.h ----
    /// One that comes with the library ("cpu-local", "tpuv3-core", "a100-40g", "a100-80g", "h100-sxm", "h200-sxm"), or a file.
    pub fn tw_system_load(name_or_file: *const c_char, out_system: *mut *mut tw_system_t) -> tw_status_t;
    /// The same from the text of such a file.
    pub fn tw_system_parse(text: *const c_char, size: usize, file: *const c_char, out_system: *mut *mut tw_system_t) -> tw_status_t;
    /// The same from the text of such a file.
    pub fn tw_system_retain(system: *mut tw_system_t) -> *mut tw_system_t;
    /// The same from the text of such a file.
    pub fn tw_system_release(system: *mut tw_system_t);
    /// As it was loaded: the name or the file.
    pub fn tw_system_name(system: *const tw_system_t) -> *const c_char;
    /// Steps are those that an executable would run, each on the device that has most of it.
    pub fn tw_program_estimate(program: *const tw_program_t, system: *const tw_system_t, options: *const tw_estimate_options_t, out_estimate: *mut *mut tw_estimate_t) -> tw_status_t;
    /// Steps are those that an executable would run, each on the device that has most of it.
    pub fn tw_estimate_retain(estimate: *mut tw_estimate_t) -> *mut tw_estimate_t;
    /// Steps are those that an executable would run, each on the device that has most of it.
    pub fn tw_estimate_release(estimate: *mut tw_estimate_t);
    /// JSON: {"system", "fits", "peak_bytes", "cap_bytes", "time_ms": {"serial", "overlapped"}, "compute_ms", "memory_bound_ms", "communication_ms", "by_axis_ms": {axis: ms}, "peak": {"at", "location", "top": [{"value", "bytes", "what"}]}, "steps": [{"what", "ms", "times", "bound", "flops", "bytes", "value", "location"}], "notes"}. `what` of a value is "parameter", "state", "gradient", "activation", "gathered" or "buffer", as tw_role_t.
    pub fn tw_estimate_json(estimate: *const tw_estimate_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// The same for people: tables no wider than `width` columns (0: 120).
    pub fn tw_estimate_report(estimate: *const tw_estimate_t, width: usize, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// The run as a Chrome trace, for Perfetto: {"displayTimeUnit", "otherData": {"system", "simulated": true, "ms"}, "traceEvents"}. Process 1 has a row for each device, or, of more than 64, for those whose tiles have the same sizes; process 2 one for each kind of links, as a system file calls it ("axis model", "level node"; "inside node": within the groups of the last level). "ts" and "dur" are microseconds of the first run of a step, whose "args" are {"step", "value", "location", "bound", "times", "flops", "bytes"}. The counter "memory" has the bytes that are held when a step begins.
    pub fn tw_estimate_trace(estimate: *const tw_estimate_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    pub fn tw_estimate_totals(estimate: *const tw_estimate_t, out_view: *mut tw_estimate_view_t) -> tw_status_t;
    /// Of communication_s what goes over an axis of tw_program_mesh. 0 when `axis` is too large.
    pub fn tw_estimate_axis_seconds(estimate: *const tw_estimate_t, axis: usize) -> f64;
    /// In the order of the program.
    pub fn tw_estimate_num_steps(estimate: *const tw_estimate_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_estimate_step(estimate: *const tw_estimate_t, i: usize, out_view: *mut tw_step_view_t) -> tw_status_t;
    /// What collective i of the program takes; there are tw_program_num_collectives.
    pub fn tw_estimate_collective(estimate: *const tw_estimate_t, i: usize, out_view: *mut tw_collective_cost_view_t) -> tw_status_t;
    pub fn tw_estimate_num_places(estimate: *const tw_estimate_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_estimate_place(estimate: *const tw_estimate_t, i: usize, out_view: *mut tw_place_view_t) -> tw_status_t;
    /// What the device has at peak_place, the largest first: together the bytes of that place.
    pub fn tw_estimate_num_held(estimate: *const tw_estimate_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_estimate_held(estimate: *const tw_estimate_t, i: usize, out_view: *mut tw_held_view_t) -> tw_status_t;
    // ---- tw_graph.h ----
    /// Reads StableHLO text (pretty or generic form, also with mhlo spelling, sdy and GSPMD annotations), or by its magic MLIR bytecode: a portable artifact of StableHLO, version 0.9 or later, or bytecode of its dialects, bare or as jax.export serialises it.
    pub fn tw_graph_import(text: *const c_char, size: usize, options: *const tw_import_options_t, out_graph: *mut *mut tw_graph_t) -> tw_status_t;
    pub fn tw_graph_retain(graph: *mut tw_graph_t) -> *mut tw_graph_t;
    pub fn tw_graph_release(graph: *mut tw_graph_t);
    /// of the module arguments and results not counted.
    pub fn tw_graph_name(graph: *const tw_graph_t) -> *const c_char;
    /// of the module arguments and results not counted.
    pub fn tw_graph_num_ops(graph: *const tw_graph_t) -> usize;
    /// of the module arguments and results not counted.
    pub fn tw_graph_num_arguments(graph: *const tw_graph_t) -> usize;
    /// of the module arguments and results not counted.
    pub fn tw_graph_num_results(graph: *const tw_graph_t) -> usize;
    /// The best name known (tw_import_options_t.names, else "params['wq']", else the name in the text, else "arg3"); NULL when i is too large.
    pub fn tw_graph_argument_name(graph: *const tw_graph_t, i: usize) -> *const c_char;
    /// The best name known (tw_import_options_t.names, else "params['wq']", else the name in the text, else "arg3"); NULL when i is too large.
    pub fn tw_graph_result_name(graph: *const tw_graph_t, i: usize) -> *const c_char;
    /// The best name known (tw_import_options_t.names, else "params['wq']", else the name in the text, else "arg3"); NULL when i is too large.
    pub fn tw_graph_argument_dtype(graph: *const tw_graph_t, i: usize) -> tw_dtype_t;
    /// The best name known (tw_import_options_t.names, else "params['wq']", else the name in the text, else "arg3"); NULL when i is too large.
    pub fn tw_graph_result_dtype(graph: *const tw_graph_t, i: usize) -> tw_dtype_t;
    /// Shape: borrowed pointer to *out_ndims sizes; NULL (and *out_ndims 0) when i is too large.
    pub fn tw_graph_argument_dims(graph: *const tw_graph_t, i: usize, out_ndims: *mut usize) -> *const i64;
    /// Shape: borrowed pointer to *out_ndims sizes; NULL (and *out_ndims 0) when i is too large.
    pub fn tw_graph_result_dims(graph: *const tw_graph_t, i: usize, out_ndims: *mut usize) -> *const i64;
    /// What a value of the builder that made this graph is called, for tw_plan_tile and all else that takes a name: an argument's name, else "%12".
    pub fn tw_graph_value_name(graph: *const tw_graph_t, value: tw_value_t, out_name: *mut *mut tw_blob_t) -> tw_status_t;
    /// Which result argument i may be overwritten by: tf.aliasing_output of the text, or what the builder said. -1: none; -2: it is donated without saying to which (jax.buffer_donor).
    pub fn tw_graph_donated_to(graph: *const tw_graph_t, i: usize) -> i64;
    /// Which mesh the module declares (sdy.mesh; of several the one that its shardings name first), as text for tw_mesh_parse; "" when it declares none.
    pub fn tw_graph_mesh(graph: *const tw_graph_t) -> *const c_char;
    /// Of a program that is the code of one device (collectives of the shard dialect): how many dimensions in front of every argument and result count the devices of its grid. 0: a program over whole arrays.
    pub fn tw_graph_grid_rank(graph: *const tw_graph_t) -> usize;
    /// Arguments, results, functions, op census, FLOPs, bytes, annotations found, what the module states of its arguments and results as written ("stated"), what is opaque, elided or ignored and why; with `with_values` also every value with its stable name, type and op.
    pub fn tw_graph_info(graph: *const tw_graph_t, with_values: c_int, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// sorted by name; NULL when i is too large.
    pub fn tw_op_count() -> usize;
    /// sorted by name; NULL when i is too large.
    pub fn tw_op_name(i: usize) -> *const c_char;
    /// All ops, or the one named: name, doc, operands, results, attributes, rule, kinds, kernels.
    pub fn tw_ops_info(name_or_null: *const c_char, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_mesh.h ----
    /// "data=2,model=4", or {"data": 2, "model": 4}; "" is the mesh of one device.
    pub fn tw_mesh_parse(text: *const c_char, out_mesh: *mut *mut tw_mesh_t) -> tw_status_t;
    /// "data=2,model=4", or {"data": 2, "model": 4}; "" is the mesh of one device.
    pub fn tw_mesh_create(axis_names: *const *const c_char, axis_sizes: *const i64, num_axes: usize, out_mesh: *mut *mut tw_mesh_t) -> tw_status_t;
    /// The same axes on other devices: `device_ids[p]` stands at mesh position p (positions are row-major).
    pub fn tw_mesh_with_devices(mesh: *const tw_mesh_t, device_ids: *const i64, num_devices: usize, out_mesh: *mut *mut tw_mesh_t) -> tw_status_t;
    /// The same axes on other devices: `device_ids[p]` stands at mesh position p (positions are row-major).
    pub fn tw_mesh_retain(mesh: *mut tw_mesh_t) -> *mut tw_mesh_t;
    /// The same axes on other devices: `device_ids[p]` stands at mesh position p (positions are row-major).
    pub fn tw_mesh_release(mesh: *mut tw_mesh_t);
    pub fn tw_mesh_num_axes(mesh: *const tw_mesh_t) -> usize;
    /// NULL and 0 when `axis` is too large.
    pub fn tw_mesh_axis_name(mesh: *const tw_mesh_t, axis: usize) -> *const c_char;
    /// NULL and 0 when `axis` is too large.
    pub fn tw_mesh_axis_size(mesh: *const tw_mesh_t, axis: usize) -> i64;
    /// NULL and 0 when `axis` is too large.
    pub fn tw_mesh_num_devices(mesh: *const tw_mesh_t) -> i64;
    /// TW_AXIS_SIGNED when `axis` is too large.
    pub fn tw_mesh_axis_kind(mesh: *const tw_mesh_t, axis: usize) -> tw_axis_kind_t;
    /// Places of all axes together, row-major: the devices, times the steps and threads of serial and threads axes, which only meshes of plans have.
    pub fn tw_mesh_num_positions(mesh: *const tw_mesh_t) -> i64;
    /// The id of the device at a position; -1: there is no such position.
    pub fn tw_mesh_device_id(mesh: *const tw_mesh_t, position: i64) -> i64;
    /// Plans cut axes of which shardings name parts: then each axis of their mesh is a part.
    pub fn tw_mesh_axis_part(mesh: *const tw_mesh_t, axis: usize, out_part: *mut tw_axis_part_t) -> tw_status_t;
    /// The box of an array of shape `dims` that `device` holds under a sharding, written `[{data}, {}, {model}:ceil]`: offset and extent per dimension (`ndims` values each).
    pub fn tw_mesh_box(mesh: *const tw_mesh_t, sharding: *const c_char, dims: *const i64, ndims: usize, device: i64, out_offset: *mut i64, out_extent: *mut i64) -> tw_status_t;
    // ---- tw_mpi.h ----
    /// `mpi_comm` points at an MPI_Comm of the program, all of whose processes call; a duplicate is made.
    pub fn tw_comm_create_mpi(mpi_comm: *const c_void, options: *const tw_mpi_options_t, out_comm: *mut *mut tw_comm_t) -> tw_status_t;
    /// MPI_Init_thread and MPI_Finalize, for programs that use MPI only through this library.
    pub fn tw_mpi_start(library: *const c_char) -> tw_status_t;
    /// MPI_Init_thread and MPI_Finalize, for programs that use MPI only through this library.
    pub fn tw_mpi_finish(library: *const c_char) -> tw_status_t;
    // ---- tw_observe.h ----
    /// The flight recorder, which is always on: where each device is after the last run, and the last 256 stretches that it ran without a pause, {"steps": [{"step", "name", "bytes"}], "devices": [{"device", "at", "state", "records": [{"us", "for_us", "did", "first", "last", "worker"}]}]}. `state` is "finished", "waits" (at step `at`, for others) or "stopped"; `did` is "arrived" (ran the steps before `last`, a collective), "combined" (ran the collective for its group), "finished" or "stopped".
    pub fn tw_executable_flight(executable: *const tw_executable_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// Chrome's trace events, for chrome://tracing or Perfetto: a track for each device and one for each worker, with names and bytes of the steps of all runs; 2^20 events a worker, then `otherData.complete` is false.
    pub fn tw_executable_trace(executable: *const tw_executable_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// What each step took over all runs: {"runs", "steps": [{"step", "name", "kernel", "shape", "location", "ops", "calls", "ns", "flops", "bytes"}]}. `ns` is processor time of all workers together; on devices that are not the host it is the time of the device, of all together, and steps are issued one by one, not recorded.
    pub fn tw_executable_profile(executable: *const tw_executable_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// What the host does in a run for devices that are not the host, on copies of their tiles: steps for which they have no kernel, and collectives that go through its memory: {"steps", "of", "bytes", "groups": [{"name", "steps", "bytes", "reason"}]}, by op and reason.
    pub fn tw_executable_on_host(executable: *const tw_executable_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    pub fn tw_executable_counters(executable: *const tw_executable_t, out_counters: *mut tw_counters_t) -> tw_status_t;
    /// Measures, within a second or two, what the workers of `context` (NULL: one a core) can do at most: {"cores", "workers", "fma_gflops": {"one", "all"}, "copy_gbps": {"one", "all"}, "read_gbps": {"one", "all"}, "cache_bytes": [L1, L2, L3], "gpus": [{"name", "architecture", "processors", "bytes", "gbps"}]}. Multiply-adds of f32 in registers; memory beyond the caches, copies counted as read and written, 10^9 bytes a second.
    pub fn tw_machine_limits(context: *const tw_context_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_page.h ----
    /// One HTML file with all that is known of a program: what it takes, shardings, collectives with the chain that asked for each, memory and time step by step, conflicts, the program itself, and the actions.
    pub fn tw_program_page(program: *const tw_program_t, estimate: *const tw_estimate_t, options: *const tw_page_options_t, out_html: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_picture.h ----
    /// One array.
    pub fn tw_sharding_picture(sharding: *const tw_sharding_t, name: *const c_char, element_type: *const c_char, options: *const tw_picture_options_t, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    /// Values of a plan beside and below each other.
    pub fn tw_plan_picture(plan: *const tw_plan_t, values: *const *const c_char, num_values: usize, options: *const tw_picture_options_t, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    /// The array before and after, and between them the steps of the plan, and which device sends how much to which where they are few.
    pub fn tw_redistribution_picture(plan: *const tw_redistribution_t, name: *const c_char, options: *const tw_picture_options_t, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    /// The same of a collective of a program, by its number in reports: of its first array where it moves several.
    pub fn tw_program_collective_picture(program: *const tw_program_t, collective: usize, options: *const tw_picture_options_t, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_plan.h ----
    /// `mesh` may be NULL: then it is the mesh that the module declares, else a mesh of one device, to which `arg-tile` actions add anonymous axes.
    pub fn tw_plan_create(graph: *const tw_graph_t, mesh: *const tw_mesh_t, options: *const tw_plan_options_t, out_plan: *mut *mut tw_plan_t) -> tw_status_t;
    /// A plan of its own that begins as this one is, with its actions, conflicts and stamps: to try other ways from here, also in another thread. tw_plan_on_action is not copied.
    pub fn tw_plan_clone(plan: *const tw_plan_t, out_plan: *mut *mut tw_plan_t) -> tw_status_t;
    /// A plan of its own that begins as this one is, with its actions, conflicts and stamps: to try other ways from here, also in another thread. tw_plan_on_action is not copied.
    pub fn tw_plan_retain(plan: *mut tw_plan_t) -> *mut tw_plan_t;
    /// A plan of its own that begins as this one is, with its actions, conflicts and stamps: to try other ways from here, also in another thread. tw_plan_on_action is not copied.
    pub fn tw_plan_release(plan: *mut tw_plan_t);
    /// Applies a spec: one action a line or several with `;`, in order.
    pub fn tw_plan_apply(plan: *mut tw_plan_t, spec: *const c_char, size: usize, file: *const c_char) -> tw_status_t;
    /// `callback` NULL: nobody is called.
    pub fn tw_plan_on_action(plan: *mut tw_plan_t, callback: tw_action_fn, user: *mut c_void) -> tw_status_t;
    /// The same for hosts whose `user` must end with the plan: `destroy` (NULL: nobody) is called with it once, when another callback takes its place or the plan is gone, by the thread that does so.
    pub fn tw_plan_own_action(plan: *mut tw_plan_t, callback: tw_action_fn, user: *mut c_void, destroy: tw_destroy_fn) -> tw_status_t;
    /// Tiles dimension `dim` of a value along a mesh axis.
    pub fn tw_plan_tile(plan: *mut tw_plan_t, value: *const c_char, dim: i64, axis: *const c_char) -> tw_status_t;
    /// Keeps a value whole on an axis: propagation stops there.
    pub fn tw_plan_atomic(plan: *mut tw_plan_t, value: *const c_char, axis: *const c_char) -> tw_status_t;
    /// The result depends only on graph and actions, never on the numbering of ops; what an earlier action decided is never undone.
    pub fn tw_plan_propagate(plan: *mut tw_plan_t, mode: tw_propagate_mode_t) -> tw_status_t;
    /// Undo: a stamp taken earlier brings the plan back to what it was then.
    pub fn tw_plan_stamp(plan: *const tw_plan_t) -> u64;
    /// Undo: a stamp taken earlier brings the plan back to what it was then.
    pub fn tw_plan_undo(plan: *mut tw_plan_t, stamp: u64) -> tw_status_t;
    /// The sharding of a value or result, `[{data}, {}, {model}]`; parts of an axis are `{model:(1)2}`, as actions and tw_mesh_box read them too.
    pub fn tw_plan_sharding(plan: *const tw_plan_t, value: *const c_char, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// Axes that propagation could not decide, and why.
    pub fn tw_plan_num_conflicts(plan: *const tw_plan_t) -> usize;
    /// The chain from the action to this sharding, a step a line; for an axis on which the value is whole: what stopped it.
    pub fn tw_plan_explain(plan: *const tw_plan_t, value: *const c_char, axis: *const c_char, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// Every form that plans and programs can be printed in, in the order in which `tw emit` lists them. "loops"; NULL when i is too large, as of tw_form_doc.
    pub fn tw_form_count() -> usize;
    /// Every form that plans and programs can be printed in, in the order in which `tw emit` lists them. "loops"; NULL when i is too large, as of tw_form_doc.
    pub fn tw_form_name(i: usize) -> *const c_char;
    /// What it is, in a few words.
    pub fn tw_form_doc(i: usize) -> *const c_char;
    /// Nonzero: tw_plan_emit prints it.
    pub fn tw_form_is_of_plan(i: usize) -> c_int;
    /// Nonzero: it is no text but bytes, any of which may be 0.
    pub fn tw_form_is_binary(i: usize) -> c_int;
    /// The number of a form in this list, also by a name that it had before 0.2; tw_form_count() where there is none.
    pub fn tw_form_find(name: *const c_char) -> usize;
    /// The plan as text.
    pub fn tw_plan_emit(plan: *const tw_plan_t, form: *const c_char, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_program.h ----
    /// Lowers and verifies.
    pub fn tw_program_lower(plan: *const tw_plan_t, options: *const tw_lower_options_t, out_program: *mut *mut tw_program_t) -> tw_status_t;
    /// The same graph on one device, every value whole.
    pub fn tw_program_unpartitioned(graph: *const tw_graph_t, out_program: *mut *mut tw_program_t) -> tw_status_t;
    /// The same graph on one device, every value whole.
    pub fn tw_program_retain(program: *mut tw_program_t) -> *mut tw_program_t;
    /// The same graph on one device, every value whole.
    pub fn tw_program_release(program: *mut tw_program_t);
    pub fn tw_program_num_devices(program: *const tw_program_t) -> i64;
    pub fn tw_program_num_collectives(program: *const tw_program_t) -> usize;
    /// Collectives of a kind: "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange".
    pub fn tw_program_count_kind(program: *const tw_program_t, kind: *const c_char, out_count: *mut usize) -> tw_status_t;
    /// The same as a value; SIZE_MAX where there is no such kind, and tw_error_message says so.
    pub fn tw_program_count(program: *const tw_program_t, kind: *const c_char) -> usize;
    /// Bytes that the busiest device must receive from others in one run.
    pub fn tw_program_bytes_received(program: *const tw_program_t) -> i64;
    /// Peak bytes of the device that needs most, to the byte what tw_executable_peak_bytes will say of an executable of the default options: everything gets its place as for a run, and nothing is made. 0 on an error, which tw_error_message has.
    pub fn tw_program_peak_bytes(program: *const tw_program_t) -> i64;
    /// Nonzero if result i is guaranteed to be bitwise equal to the unpartitioned run: no contraction or reduction was split on the way to it.
    pub fn tw_program_result_exact(program: *const tw_program_t, i: usize) -> c_int;
    /// `expect` lines of the plan's specs that do not hold.
    pub fn tw_program_num_failed_expectations(program: *const tw_program_t) -> usize;
    /// Everything about the plan and the program: arguments with shardings and causes, collectives with bytes and causes, peak, conflicts, disagreements (decided neighbours between whom a value moves, and what each way would cost), expectations.
    pub fn tw_program_json(program: *const tw_program_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// The same for people: tables no wider than `width` columns (0: 120), and the answer last.
    pub fn tw_program_report(program: *const tw_program_t, width: usize, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// The same with every row.
    pub fn tw_program_report_all(program: *const tw_program_t, width: usize, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// The program as text.
    pub fn tw_program_emit(program: *const tw_program_t, form: *const c_char, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    /// Why collective `id` (its "id" in the JSON) is there: the two sides that disagreed, and the chain to each.
    pub fn tw_program_explain_collective(program: *const tw_program_t, id: usize, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_redistribute.h ----
    /// The best plan for the options (NULL: all defaults): the least modelled time, then fewer steps, fewer peers.
    pub fn tw_redistribution_plan(src_mesh: *const tw_mesh_t, src_type: *const c_char, dst_mesh: *const tw_mesh_t, dst_type: *const c_char, options: *const tw_redistribution_options_t, out_plan: *mut *mut tw_redistribution_t) -> tw_status_t;
    /// The same between layouts that are at hand, as tw_program_result_sharding and tw_program_argument_sharding give them: how the state of a program on some devices becomes the state of another on others.
    pub fn tw_redistribution_between(src: *const tw_sharding_t, dst: *const tw_sharding_t, dtype: tw_dtype_t, options: *const tw_redistribution_options_t, out_plan: *mut *mut tw_redistribution_t) -> tw_status_t;
    /// The same between layouts that are at hand, as tw_program_result_sharding and tw_program_argument_sharding give them: how the state of a program on some devices becomes the state of another on others.
    pub fn tw_redistribution_retain(plan: *mut tw_redistribution_t) -> *mut tw_redistribution_t;
    /// The same between layouts that are at hand, as tw_program_result_sharding and tw_program_argument_sharding give them: how the state of a program on some devices becomes the state of another on others.
    pub fn tw_redistribution_release(plan: *mut tw_redistribution_t);
    /// Devices of both meshes, counted in the order of their ids: everything below counts devices like this.
    pub fn tw_redistribution_num_devices(plan: *const tw_redistribution_t) -> usize;
    /// -1 when `device` is too large.
    pub fn tw_redistribution_device_id(plan: *const tw_redistribution_t, device: usize) -> i64;
    /// Dimensions of the array; at least 1, a scalar counts as an array of one element.
    pub fn tw_redistribution_rank(plan: *const tw_redistribution_t) -> usize;
    /// Bytes of an element.
    pub fn tw_redistribution_item_size(plan: *const tw_redistribution_t) -> usize;
    /// The tile of a device before (`side` 0) and after (1): rank offsets and extents, halos included.
    pub fn tw_redistribution_tile(plan: *const tw_redistribution_t, side: c_int, device: usize, out_offset: *mut i64, out_extent: *mut i64) -> tw_status_t;
    /// The element of the array for which rank coordinates in tiles of a side stand: themselves, or modulo the size along a dimension whose halo wraps.
    pub fn tw_redistribution_element(plan: *const tw_redistribution_t, side: c_int, coordinates: *const i64, out_index: *mut i64) -> c_int;
    /// Where devices are lost: the parts of target tiles that no other device has, in the order of their devices.
    pub fn tw_redistribution_num_missing(plan: *const tw_redistribution_t) -> usize;
    /// `part` from 0; rank offsets and extents, in the array.
    pub fn tw_redistribution_missing(plan: *const tw_redistribution_t, part: usize, out_device: *mut usize, out_offset: *mut i64, out_extent: *mut i64) -> tw_status_t;
    /// 1 where partial values are combined on the way.
    pub fn tw_redistribution_combines(plan: *const tw_redistribution_t) -> c_int;
    /// 1 where partial values are combined on the way.
    pub fn tw_redistribution_num_steps(plan: *const tw_redistribution_t) -> usize;
    /// "direct", "level", .. Static storage.
    pub fn tw_redistribution_method(plan: *const tw_redistribution_t) -> *const c_char;
    /// Bytes that a device receives over all steps; -1 when `device` is too large.
    pub fn tw_redistribution_bytes_received(plan: *const tw_redistribution_t, device: usize) -> i64;
    /// The bytes that a device must receive at least in any plan (the most over all devices, and their mean).
    pub fn tw_redistribution_bound(plan: *const tw_redistribution_t, out_max: *mut i64, out_mean: *mut f64) -> tw_status_t;
    /// The bytes that a device must receive at least in any plan (the most over all devices, and their mean).
    pub fn tw_redistribution_scratch_bytes(plan: *const tw_redistribution_t) -> i64;
    /// The bytes that a device must receive at least in any plan (the most over all devices, and their mean).
    pub fn tw_redistribution_height_bytes(plan: *const tw_redistribution_t) -> i64;
    /// 1 where no plan of the method costs less, with a proof.
    pub fn tw_redistribution_exact(plan: *const tw_redistribution_t) -> c_int;
    /// Equal plans have equal hashes, whoever made them: compare it across processes before the first run.
    pub fn tw_redistribution_hash(plan: *const tw_redistribution_t) -> u64;
    /// The object that `tw redistribute --json` prints, and the text without --json, no wider than `width` columns (0: 120).
    pub fn tw_redistribution_json(plan: *const tw_redistribution_t, check: c_int, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// The object that `tw redistribute --json` prints, and the text without --json, no wider than `width` columns (0: 120).
    pub fn tw_redistribution_report(plan: *const tw_redistribution_t, check: c_int, width: usize, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// Plans none of which is both faster and smaller than another, as a JSON array of objects with method, steps, time and memory.
    pub fn tw_redistribution_pareto(plan: *const tw_redistribution_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    /// Replays the plan on every device with code that no planner uses: tiles, holders, cover, memory, costs, certificate; small arrays are moved element by element.
    pub fn tw_redistribution_check(plan: *const tw_redistribution_t) -> tw_status_t;
    /// A plan as bytes, and back.
    pub fn tw_redistribution_save(plan: *const tw_redistribution_t, out_bytes: *mut *mut tw_blob_t) -> tw_status_t;
    /// A plan as bytes, and back.
    pub fn tw_redistribution_load(bytes: *const c_void, size: usize, out_plan: *mut *mut tw_redistribution_t) -> tw_status_t;
    /// Several plans over the same number of devices run as one: their same-numbered steps at once.
    pub fn tw_redistributor_create(plans: *const *const tw_redistribution_t, num_plans: usize, options: *const tw_redistributor_options_t, out_redistributor: *mut *mut tw_redistributor_t) -> tw_status_t;
    /// Several plans over the same number of devices run as one: their same-numbered steps at once.
    pub fn tw_redistributor_retain(redistributor: *mut tw_redistributor_t) -> *mut tw_redistributor_t;
    /// Several plans over the same number of devices run as one: their same-numbered steps at once.
    pub fn tw_redistributor_release(redistributor: *mut tw_redistributor_t);
    /// Memory of this process for intermediate tiles of all plans, and for messages; allocated once.
    pub fn tw_redistributor_scratch_bytes(redistributor: *const tw_redistributor_t) -> i64;
    /// Whether a device is one of this process (*out_is_here 1), and the unit of the device kind on which its tiles are (tw_tensor_create_on); 0 on the host.
    pub fn tw_redistributor_device(redistributor: *const tw_redistributor_t, device: usize, out_is_here: *mut c_int, out_unit: *mut i32) -> tw_status_t;
    /// Where the target tile of a device lies: in the source tile (*out_source 1) or in the target tile (0) of *out_device, which is of the same process.
    pub fn tw_redistributor_home(redistributor: *const tw_redistributor_t, plan: usize, device: usize, out_source: *mut c_int, out_device: *mut usize) -> tw_status_t;
    /// `src` and `dst`: a pointer per plan and device (plan-major) to its tile, dense and row-major, in the caller's memory, or in that of its unit; NULL where the device holds nothing; those of other processes' devices, and target tiles that lie elsewhere, are not looked at.
    pub fn tw_redistributor_run(redistributor: *mut tw_redistributor_t, src: *const *const c_void, dst: *const *mut c_void) -> tw_status_t;
    // ---- tw_run.h ----
    /// Begins a run, with arrays as in tw_executable_run.
    pub fn tw_run_start(executable: *mut tw_executable_t, inputs: *const *const tw_tensor_t, num_inputs: usize, outputs: *const *mut tw_tensor_t, num_outputs: usize, out_run: *mut *mut tw_run_t) -> tw_status_t;
    /// Whether the run is over; waits for nothing.
    pub fn tw_run_test(run: *mut tw_run_t, out_over: *mut c_int) -> tw_status_t;
    /// Works on the run until it is over, and answers how it ended: as tw_executable_run does, or TW_CANCELLED. The same again when asked again.
    pub fn tw_run_wait(run: *mut tw_run_t) -> tw_status_t;
    /// Ends the run on every device at its next instruction; outputs keep their bytes, and the executable can run again.
    pub fn tw_run_cancel(run: *const tw_run_t) -> tw_status_t;
    /// Ends the run on every device at its next instruction; outputs keep their bytes, and the executable can run again.
    pub fn tw_run_retain(run: *mut tw_run_t) -> *mut tw_run_t;
    /// The last release of a run that is not over cancels it and waits until nobody works on it.
    pub fn tw_run_release(run: *mut tw_run_t);
    // ---- tw_runtime.h ----
    /// Zero-filled.
    pub fn tw_tensor_create(context: *const tw_context_t, dtype: tw_dtype_t, dims: *const i64, ndims: usize, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// Wraps memory of the caller (dense row-major, at least as large as the shape says), which must stay valid until `destroy` (may be NULL) is called with `user`: at the last release, from the thread that releases.
    pub fn tw_tensor_wrap(dtype: tw_dtype_t, dims: *const i64, ndims: usize, data: *mut c_void, destroy: tw_destroy_fn, user: *mut c_void, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// The same of memory that is only read, such as a file that is mapped.
    pub fn tw_tensor_wrap_const(dtype: tw_dtype_t, dims: *const i64, ndims: usize, data: *const c_void, destroy: tw_destroy_fn, user: *mut c_void, out_tensor: *mut *mut tw_tensor_t) -> tw_status_t;
    /// The same of memory that is only read, such as a file that is mapped.
    pub fn tw_tensor_retain(tensor: *mut tw_tensor_t) -> *mut tw_tensor_t;
    /// The same of memory that is only read, such as a file that is mapped.
    pub fn tw_tensor_release(tensor: *mut tw_tensor_t);
    pub fn tw_tensor_dtype(tensor: *const tw_tensor_t) -> tw_dtype_t;
    pub fn tw_tensor_dims(tensor: *const tw_tensor_t, out_ndims: *mut usize) -> *const i64;
    pub fn tw_tensor_bytes(tensor: *const tw_tensor_t) -> usize;
    /// The elements; borrowed.
    pub fn tw_tensor_data(tensor: *mut tw_tensor_t) -> *mut c_void;
    /// The elements; borrowed.
    pub fn tw_tensor_const_data(tensor: *const tw_tensor_t) -> *const c_void;
    /// Fills with a pattern: "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" (hi excluded), or "default": floats normal(0,1) scaled by 1/8 (f4E2M1FN unscaled, f8E8M0FNU uniform(0.25,4)), integers randint(0,8), booleans fair.
    pub fn tw_tensor_fill(tensor: *mut tw_tensor_t, pattern: *const c_char, seed: u64, stream: u64) -> tw_status_t;
    /// The part that begins at `offset` of an array of dimensions `whole` that is filled so; both have as many numbers as the tensor has dimensions.
    pub fn tw_tensor_fill_part(tensor: *mut tw_tensor_t, whole: *const i64, offset: *const i64, pattern: *const c_char, seed: u64, stream: u64) -> tw_status_t;
    /// b is the expectation.
    pub fn tw_tensor_compare(a: *const tw_tensor_t, b: *const tw_tensor_t, exact: c_int, out_comparison: *mut tw_comparison_t) -> tw_status_t;
    /// How the results of a run of `program` compare with those that the unpartitioned program made of the same inputs: all of its results, in order.
    pub fn tw_program_compare(program: *const tw_program_t, inputs: *const *const tw_tensor_t, num_inputs: usize, outputs: *const *const tw_tensor_t, expected: *const *const tw_tensor_t, num_outputs: usize, options: *const tw_compare_options_t, out_comparisons: *mut tw_comparison_t, out_note: *mut *mut tw_blob_t) -> tw_status_t;
    /// 0 to size - 1; without a comm 0 of 1.
    pub fn tw_comm_retain(comm: *mut tw_comm_t) -> *mut tw_comm_t;
    /// 0 to size - 1; without a comm 0 of 1.
    pub fn tw_comm_release(comm: *mut tw_comm_t);
    /// 0 to size - 1; without a comm 0 of 1.
    pub fn tw_comm_rank(comm: *const tw_comm_t) -> i32;
    /// 0 to size - 1; without a comm 0 of 1.
    pub fn tw_comm_size(comm: *const tw_comm_t) -> i32;
    /// Checks that values are equal on all processes, such as the options that each was started with: `num_facts` names and values, as many on all and in the same order.
    pub fn tw_comm_agree(comm: *mut tw_comm_t, names: *const *const c_char, values: *const *const c_char, num_facts: usize) -> tw_status_t;
    /// Gives all processes the value that process `root` has.
    pub fn tw_comm_share(comm: *mut tw_comm_t, root: i32, value: *mut i64) -> tw_status_t;
    /// On which hosts, and there in which processes, the devices of a plan's mesh will run, as text for tw_lower_options_t.levels: "host=[[0,1],[2,3]]".
    pub fn tw_comm_levels(comm: *mut tw_comm_t, plan: *const tw_plan_t, out_levels: *mut *mut tw_blob_t) -> tw_status_t;
    /// Tells all others that this process gives up, and why (one line): whatever they do together is then TW_REMOTE with that text.
    pub fn tw_comm_fail(comm: *mut tw_comm_t, status: tw_status_t, message: *const c_char) -> tw_status_t;
    /// TW_UNIMPLEMENTED names the first op that has no kernel (an opaque custom_call), with its position.
    pub fn tw_executable_create(program: *const tw_program_t, options: *const tw_executable_options_t, out_executable: *mut *mut tw_executable_t) -> tw_status_t;
    /// TW_UNIMPLEMENTED names the first op that has no kernel (an opaque custom_call), with its position.
    pub fn tw_executable_retain(executable: *mut tw_executable_t) -> *mut tw_executable_t;
    /// TW_UNIMPLEMENTED names the first op that has no kernel (an opaque custom_call), with its position.
    pub fn tw_executable_release(executable: *mut tw_executable_t);
    /// Runs on global arrays: `inputs` in the order of the graph's arguments, `outputs` of its results.
    pub fn tw_executable_run(executable: *mut tw_executable_t, inputs: *const *const tw_tensor_t, num_inputs: usize, outputs: *const *mut tw_tensor_t, num_outputs: usize) -> tw_status_t;
    /// With option `donate`: the result that is made in the memory of argument `argument`, or -1 where that is only read.
    pub fn tw_executable_donated_to(executable: *const tw_executable_t, argument: usize) -> i64;
    /// With option `tiles`: the devices of this process, and where in a whole argument, or result, the tile of the k-th begins and how large it is (as many numbers as the array has dimensions).
    pub fn tw_executable_num_devices(executable: *const tw_executable_t) -> usize;
    /// With option `tiles`: the devices of this process, and where in a whole argument, or result, the tile of the k-th begins and how large it is (as many numbers as the array has dimensions).
    pub fn tw_executable_tile(executable: *const tw_executable_t, is_result: i32, index: usize, device: usize, out_offset: *mut i64, out_extent: *mut i64) -> tw_status_t;
    /// With option `tiles`: the first device of this process which holds the same tile as `device` does, in one place; `device` itself where it has a place of its own.
    pub fn tw_executable_tile_owner(executable: *const tw_executable_t, is_result: i32, index: usize, device: usize) -> i64;
    /// allocated, over all devices of this process.
    pub fn tw_executable_arena_bytes(executable: *const tw_executable_t) -> i64;
    /// Bytes that device `device` of this process needs while it runs: its part of the arenas, tiles that it shares with other devices, and its tiles of arguments that are read in the caller's arrays. -1: no such device.
    pub fn tw_executable_peak_bytes(executable: *const tw_executable_t, device: usize) -> i64;
    /// Bytes that device `device` of this process needs while it runs: its part of the arenas, tiles that it shares with other devices, and its tiles of arguments that are read in the caller's arrays. -1: no such device.
    pub fn tw_executable_workers(executable: *const tw_executable_t) -> i32;
    /// The slow reference evaluator, op by op on global arrays: the oracle of everything else.
    pub fn tw_graph_evaluate(graph: *const tw_graph_t, inputs: *const *const tw_tensor_t, num_inputs: usize, outputs: *const *mut tw_tensor_t, num_outputs: usize) -> tw_status_t;
    /// Where the NaN of a program's results begin: the first op, in program order, that makes NaN of operands without NaN, and from which they come to a result; where no result has NaN, the same of Inf.
    pub fn tw_graph_find_nonfinite(graph: *const tw_graph_t, inputs: *const *const tw_tensor_t, num_inputs: usize, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_search.h ----
    /// A search from a plan on; what is decided there stays, and the plan itself does not change.
    pub fn tw_search_create(plan: *const tw_plan_t, system: *const tw_system_t, options: *const tw_search_options_t, out_search: *mut *mut tw_search_t) -> tw_status_t;
    /// A search from a plan on; what is decided there stays, and the plan itself does not change.
    pub fn tw_search_retain(search: *mut tw_search_t) -> *mut tw_search_t;
    /// A search from a plan on; what is decided there stays, and the plan itself does not change.
    pub fn tw_search_release(search: *mut tw_search_t);
    /// Searches until it is as near as the options want, the budget is used, nothing is left to try, or somebody cancels.
    pub fn tw_search_run(search: *mut tw_search_t) -> tw_status_t;
    /// Ends a run soon, with the best so far.
    pub fn tw_search_cancel(search: *mut tw_search_t);
    /// Of the best plan so far: seconds of a run, one thing after the other, and the most bytes of a device, as prices have them; and how many plans were priced.
    pub fn tw_search_progress(search: *const tw_search_t, out_cost_s: *mut f64, out_bound_s: *mut f64, out_peak_bytes: *mut i64, out_episodes: *mut i64) -> tw_status_t;
    /// What was found, behind the actions of the plan that the search began with: lines of a spec, with the cost behind each in a comment.
    pub fn tw_search_spec(search: *const tw_search_t, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// The plan with these actions.
    pub fn tw_search_plan(search: *const tw_search_t, out_plan: *mut *mut tw_plan_t) -> tw_status_t;
    /// How the search ended, what the plan costs, and what else was tried: {"status", "cost_ms", "bound_ms", "gap", "peak_bytes", "least_peak_bytes", "gathers", "episodes", "steps_per_s", "seconds", "seed", "threads", "groups": [{"layers", "arguments"}], "actions", "cached", "seeds_tried": [{"name", "cost_ms", "peak_bytes", "fits"}], "notes"}. `cost_ms`: one thing after the other.
    pub fn tw_search_json(search: *const tw_search_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_sharding.h ----
    /// `[{data}, {}, {model:(1)2}:ceil] +sum:x`: the text of tw_mesh_box and tw_redistribute.h.
    pub fn tw_sharding_parse(mesh: *const tw_mesh_t, text: *const c_char, dims: *const i64, ndims: usize, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// The same from structs, one for each of the `ndims` dimensions.
    pub fn tw_sharding_create(mesh: *const tw_mesh_t, dims: *const i64, ndims: usize, dim_shardings: *const tw_dim_sharding_t, partials: *const tw_partial_t, num_partials: usize, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// The same from structs, one for each of the `ndims` dimensions.
    pub fn tw_sharding_retain(sharding: *mut tw_sharding_t) -> *mut tw_sharding_t;
    /// The same from structs, one for each of the `ndims` dimensions.
    pub fn tw_sharding_release(sharding: *mut tw_sharding_t);
    /// The mesh, whose axes are cut where the sharding names parts of one (tw_mesh_axis_part).
    pub fn tw_sharding_mesh(sharding: *const tw_sharding_t, out_mesh: *mut *mut tw_mesh_t) -> tw_status_t;
    /// The shape of the whole array: *out_ndims sizes, never NULL for a sharding.
    pub fn tw_sharding_dims(sharding: *const tw_sharding_t, out_ndims: *mut usize) -> *const i64;
    /// Pointers in the struct are the sharding's.
    pub fn tw_sharding_dim(sharding: *const tw_sharding_t, dim: usize, out_dim: *mut tw_dim_sharding_t) -> tw_status_t;
    /// Pointers in the struct are the sharding's.
    pub fn tw_sharding_num_partials(sharding: *const tw_sharding_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_sharding_partial(sharding: *const tw_sharding_t, i: usize, out_partial: *mut tw_partial_t) -> tw_status_t;
    /// The text that tw_sharding_parse reads: halos without a border are spans there.
    pub fn tw_sharding_text(sharding: *const tw_sharding_t, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    /// Nonzero: every device holds all of the array, and nothing is partial.
    pub fn tw_sharding_is_whole(sharding: *const tw_sharding_t) -> c_int;
    /// Nonzero: the same mesh, shape, tiles and partial axes.
    pub fn tw_sharding_equal(a: *const tw_sharding_t, b: *const tw_sharding_t) -> c_int;
    /// Tiles of a dimension, the product of its axes; 0 when `dim` is too large.
    pub fn tw_sharding_num_tiles(sharding: *const tw_sharding_t, dim: usize) -> i64;
    /// What stands at a position of the mesh (tw_mesh_num_positions) holds: offset and extent in every dimension of the array, halos included, so that a tile may begin below 0 and end behind the array.
    pub fn tw_sharding_tile(sharding: *const tw_sharding_t, position: i64, out_offset: *mut i64, out_extent: *mut i64) -> tw_status_t;
    /// The largest tile in every dimension: the shape of memory that is large enough on every device.
    pub fn tw_sharding_local_dims(sharding: *const tw_sharding_t, out_dims: *mut i64) -> tw_status_t;
    // ---- tw_solve.h ----
    /// Takes a strategy for each node of an instance of the IOPDDL contest (ASPLOS 2025), given as its JSON text, so that usage is within the limit at each time and the sum of costs is little.
    pub fn tw_solve_iopddl(text: *const c_char, size: usize, options: *const tw_solve_options_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_store.h ----
    /// Reads what the files say of their arrays, and none of their elements.
    pub fn tw_store_open(path: *const c_char, options: *const tw_store_options_t, out_store: *mut *mut tw_store_t) -> tw_status_t;
    /// Reads what the files say of their arrays, and none of their elements.
    pub fn tw_store_retain(store: *mut tw_store_t) -> *mut tw_store_t;
    /// Reads what the files say of their arrays, and none of their elements.
    pub fn tw_store_release(store: *mut tw_store_t);
    /// "safetensors".
    pub fn tw_store_format(store: *const tw_store_t) -> *const c_char;
    /// "safetensors".
    pub fn tw_store_num_arrays(store: *const tw_store_t) -> usize;
    /// NULL when `array` is too large.
    pub fn tw_store_array_name(store: *const tw_store_t, array: usize) -> *const c_char;
    /// 0 of an array that is not read: tw_store_array_problem.
    pub fn tw_store_array_dtype(store: *const tw_store_t, array: usize) -> tw_dtype_t;
    /// out_ndims sizes; the store's.
    pub fn tw_store_array_dims(store: *const tw_store_t, array: usize, out_ndims: *mut usize) -> *const i64;
    /// Why an array is not read: a type that is none of ours, such as text, or damage. "": it is.
    pub fn tw_store_array_problem(store: *const tw_store_t, array: usize) -> *const c_char;
    /// The type of elements that is not read, as its format spells it: "<U5". "": it is read, or damaged.
    pub fn tw_store_array_foreign(store: *const tw_store_t, array: usize) -> *const c_char;
    /// Parts cover an array; equal boxes are copies of each other.
    pub fn tw_store_num_parts(store: *const tw_store_t, array: usize) -> usize;
    /// TW_OUT_OF_RANGE: there is no such array or part.
    pub fn tw_store_part(store: *const tw_store_t, array: usize, part: usize, out_part: *mut tw_store_part_t) -> tw_status_t;
    /// Reads a box into memory, with the bits that it has on disk; nothing else of the files is read.
    pub fn tw_store_read(store: *const tw_store_t, array: usize, offset: *const i64, extent: *const i64, strides: *const i64, to: *mut c_void) -> tw_status_t;
    /// The same into a tensor of the host, which has the extent of the box and the array's type of elements.
    pub fn tw_store_read_tensor(store: *const tw_store_t, array: usize, offset: *const i64, tensor: *mut tw_tensor_t) -> tw_status_t;
    /// What a redistribution with lost devices leaves open in the target tile of a device (tw_redistribution_missing), read from the same array of a checkpoint.
    pub fn tw_store_read_missing(store: *const tw_store_t, array: usize, plan: *const tw_redistribution_t, device: usize, tile: *mut tw_tensor_t, out_bytes: *mut i64) -> tw_status_t;
    /// Bytes read from the files of this store so far.
    pub fn tw_store_bytes_read(store: *const tw_store_t) -> u64;
    /// Writes whole arrays of the host; `format` NULL: as the end of the path says, ".npz", ".npy", ".safetensors", ".zarr"; else a folder of safetensors.
    pub fn tw_store_write(path: *const c_char, format: *const c_char, names: *const *const c_char, tensors: *const *const tw_tensor_t, num_arrays: usize) -> tw_status_t;
    /// Writes a tensor as a box of the array of an .npy file; whoever comes first makes the file, so that many processes write one together.
    pub fn tw_store_write_part(path: *const c_char, dims: *const i64, offset: *const i64, part: *const tw_tensor_t) -> tw_status_t;
    /// Writes all arrays of a set to `dst`: whole ones where `mesh` is NULL; else a file for each device, which has its tile of each array, `shardings[i]` of array i over that mesh (NULL: whole on every device), and an index that says which box of which array each file holds: tw_store_open reads it.
    pub fn tw_store_reshard(store: *const tw_store_t, dst: *const c_char, mesh: *const tw_mesh_t, shardings: *const *const tw_sharding_t, num_shardings: usize, options: *const tw_reshard_options_t, out_json: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_transport.h ----
    /// `deadline`: how long a process waits for another, in seconds; 0: 30.
    pub fn tw_comm_create_transport(transport: *const tw_transport_t, deadline: f64, out_comm: *mut *mut tw_comm_t) -> tw_status_t;
    // ---- tw_walk.h ----
    /// One more than the largest number in use.
    pub fn tw_graph_op_end(graph: *const tw_graph_t) -> usize;
    /// One more than the largest number in use.
    pub fn tw_graph_value_end(graph: *const tw_graph_t) -> usize;
    /// One more than the largest number in use.
    pub fn tw_graph_region_end(graph: *const tw_graph_t) -> usize;
    /// TW_OUT_OF_RANGE: the graph has no such op.
    pub fn tw_graph_op(graph: *const tw_graph_t, op: tw_op_t, out_view: *mut tw_op_view_t) -> tw_status_t;
    /// Attribute i of an op, those that are absent left out, in the order of the op's schema (`tw ops NAME`).
    pub fn tw_graph_attr(graph: *const tw_graph_t, op: tw_op_t, i: usize, out_attr: *mut tw_attr_t) -> tw_status_t;
    /// The elements of a constant, dense row-major as tensors have them.
    pub fn tw_graph_constant(graph: *const tw_graph_t, op: tw_op_t, out_data: *mut *const c_void, out_bytes: *mut usize, out_is_splat: *mut c_int) -> tw_status_t;
    /// TW_OUT_OF_RANGE: the graph has no such value.
    pub fn tw_graph_value(graph: *const tw_graph_t, value: tw_value_t, out_view: *mut tw_value_view_t) -> tw_status_t;
    /// TW_OUT_OF_RANGE: the graph has no such region.
    pub fn tw_graph_region(graph: *const tw_graph_t, region: tw_region_t, out_view: *mut tw_region_view_t) -> tw_status_t;
    /// The value of argument i, and that which result i is; TW_NO_VALUE when i is too large.
    pub fn tw_graph_argument(graph: *const tw_graph_t, i: usize) -> tw_value_t;
    /// The value of argument i, and that which result i is; TW_NO_VALUE when i is too large.
    pub fn tw_graph_result(graph: *const tw_graph_t, i: usize) -> tw_value_t;
    /// The one value of a name: of an argument, "%12" as texts and reports have it, or of a result, which is the value that it returns.
    pub fn tw_graph_find_value(graph: *const tw_graph_t, name: *const c_char, out_value: *mut tw_value_t) -> tw_status_t;
    /// How texts spell a value, "%x" or "%12": of an argument this may be another name than tw_graph_argument_name, which is the one to act on.
    pub fn tw_graph_symbol(graph: *const tw_graph_t, value: tw_value_t, out_symbol: *mut *mut tw_blob_t) -> tw_status_t;
    /// Where an op comes from as reports say it: "model.py:12", else "file.mlir:40:5", else "".
    pub fn tw_graph_op_location(graph: *const tw_graph_t, op: tw_op_t, out_text: *mut *mut tw_blob_t) -> tw_status_t;
    // ---- tw_walk_plan.h ----
    /// The mesh as it is now: with the axes that actions added, and parts of axes of which they name some.
    pub fn tw_plan_mesh(plan: *const tw_plan_t, out_mesh: *mut *mut tw_mesh_t) -> tw_status_t;
    /// How a value lies as its users get it.
    pub fn tw_plan_value_sharding(plan: *const tw_plan_t, value: tw_value_t, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// How argument i is given, and how result i is handed out.
    pub fn tw_plan_argument_sharding(plan: *const tw_plan_t, i: usize, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// How argument i is given, and how result i is handed out.
    pub fn tw_plan_result_sharding(plan: *const tw_plan_t, i: usize, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// Action 0 stands for the annotations of the module as a whole.
    pub fn tw_plan_num_actions(plan: *const tw_plan_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_plan_action(plan: *const tw_plan_t, i: usize, out_view: *mut tw_action_view_t) -> tw_status_t;
    /// The loops around an op, outermost first.
    pub fn tw_plan_num_loops(plan: *const tw_plan_t, op: tw_op_t) -> usize;
    /// TW_OUT_OF_RANGE: the graph has no such op, or the op no such loop.
    pub fn tw_plan_loop(plan: *const tw_plan_t, op: tw_op_t, i: usize, out_view: *mut tw_loop_view_t) -> tw_status_t;
    /// The dimension of each operand, and of each result, that the loop tiles; -1: none.
    pub fn tw_plan_loop_dims(plan: *const tw_plan_t, op: tw_op_t, i: usize, out_operand_dims: *mut i32, out_result_dims: *mut i32) -> tw_status_t;
    /// What propagation could not decide: the tw_plan_num_conflicts of the plan.
    pub fn tw_plan_conflicts(plan: *const tw_plan_t, out_conflicts: *mut *mut tw_conflicts_t) -> tw_status_t;
    /// Decided neighbours that do not agree: mismatches, and what must stay whole.
    pub fn tw_plan_disagreements(plan: *const tw_plan_t, out_conflicts: *mut *mut tw_conflicts_t) -> tw_status_t;
    /// Decided neighbours that do not agree: mismatches, and what must stay whole.
    pub fn tw_conflicts_retain(conflicts: *mut tw_conflicts_t) -> *mut tw_conflicts_t;
    /// Decided neighbours that do not agree: mismatches, and what must stay whole.
    pub fn tw_conflicts_release(conflicts: *mut tw_conflicts_t);
    /// Decided neighbours that do not agree: mismatches, and what must stay whole.
    pub fn tw_conflicts_count(conflicts: *const tw_conflicts_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_conflicts_view(conflicts: *const tw_conflicts_t, i: usize, out_view: *mut tw_conflict_view_t) -> tw_status_t;
    /// TW_OUT_OF_RANGE: i or `way` is too large.
    pub fn tw_conflicts_way(conflicts: *const tw_conflicts_t, i: usize, way: usize, out_view: *mut tw_way_view_t) -> tw_status_t;
    // ---- tw_walk_program.h ----
    /// The mesh on which the program runs.
    pub fn tw_program_mesh(program: *const tw_program_t, out_mesh: *mut *mut tw_mesh_t) -> tw_status_t;
    /// How argument i is given, and how result i is handed out: which tile each device takes or gives (tw_sharding_tile).
    pub fn tw_program_argument_sharding(program: *const tw_program_t, i: usize, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// How argument i is given, and how result i is handed out: which tile each device takes or gives (tw_sharding_tile).
    pub fn tw_program_result_sharding(program: *const tw_program_t, i: usize, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    /// The actions that the program follows, as tw_plan_action.
    pub fn tw_program_num_actions(program: *const tw_program_t) -> usize;
    /// The actions that the program follows, as tw_plan_action.
    pub fn tw_program_action(program: *const tw_program_t, i: usize, out_view: *mut tw_action_view_t) -> tw_status_t;
    pub fn tw_program_num_locals(program: *const tw_program_t) -> usize;
    /// TW_OUT_OF_RANGE: the program has no such value.
    pub fn tw_program_local(program: *const tw_program_t, local_value: tw_local_t, out_view: *mut tw_local_view_t) -> tw_status_t;
    /// TW_OUT_OF_RANGE: the program has no such value.
    pub fn tw_program_local_sharding(program: *const tw_program_t, local_value: tw_local_t, out_sharding: *mut *mut tw_sharding_t) -> tw_status_t;
    pub fn tw_program_num_instrs(program: *const tw_program_t) -> usize;
    /// TW_OUT_OF_RANGE: i is too large.
    pub fn tw_program_instr(program: *const tw_program_t, i: usize, out_view: *mut tw_instr_view_t) -> tw_status_t;
    /// A collective by its number, which is the "id" of the JSON and of tw_program_explain_collective; there are tw_program_num_collectives.
    pub fn tw_program_collective(program: *const tw_program_t, i: usize, out_view: *mut tw_collective_view_t) -> tw_status_t;
    /// As tw_plan_conflicts and tw_plan_disagreements, of the plan that was lowered, with the bytes that the program would receive with each way decided.
    pub fn tw_program_conflicts(program: *const tw_program_t, out_conflicts: *mut *mut tw_conflicts_t) -> tw_status_t;
    /// As tw_plan_conflicts and tw_plan_disagreements, of the plan that was lowered, with the bytes that the program would receive with each way decided.
    pub fn tw_program_disagreements(program: *const tw_program_t, out_conflicts: *mut *mut tw_conflicts_t) -> tw_status_t;
}
