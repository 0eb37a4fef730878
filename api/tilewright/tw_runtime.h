/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors, and programs bound to kernels and memory. Part of <tilewright/tw.h>. */
#ifndef TW_RUNTIME_H
#define TW_RUNTIME_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tensors ---- */

/* An array: in host memory dense and row-major. Those on other devices are made by the calls of tw_device.h,
 * and what reads or writes elements on the host refuses them: TW_FAILED_PRECONDITION. */
typedef struct tw_tensor tw_tensor_t;

/* Zero-filled. `context` may be NULL. TW_TOKEN without dimensions: what stands for a token among inputs and
 * outputs. */
TW_API tw_status_t tw_tensor_create(const tw_context_t *context, tw_dtype_t dtype, const int64_t *dims,
                                    size_t ndims, tw_tensor_t **out_tensor);
/* Wraps memory of the caller (dense row-major, at least as large as the shape says), which must stay valid
 * until `destroy` (may be NULL) is called with `user`: at the last release, from the thread that releases.
 * Not called when this fails. TW_INVALID_ARGUMENT: `data` is not aligned to the size of an element, or to 8
 * where that is 16. */
TW_API tw_status_t tw_tensor_wrap(tw_dtype_t dtype, const int64_t *dims, size_t ndims, void *data,
                                  tw_destroy_fn destroy, void *user, tw_tensor_t **out_tensor);
/* The same of memory that is only read, such as a file that is mapped. The tensor is an input like any other;
 * tw_tensor_data is NULL, and filling it, giving it as an output or donating it is TW_FAILED_PRECONDITION. */
TW_API tw_status_t tw_tensor_wrap_const(tw_dtype_t dtype, const int64_t *dims, size_t ndims, const void *data,
                                        tw_destroy_fn destroy, void *user, tw_tensor_t **out_tensor);
TW_API tw_tensor_t *tw_tensor_retain(tw_tensor_t *tensor);
TW_API void tw_tensor_release(tw_tensor_t *tensor);

TW_API tw_dtype_t tw_tensor_dtype(const tw_tensor_t *tensor);
TW_API const int64_t *tw_tensor_dims(const tw_tensor_t *tensor, size_t *out_ndims);
TW_API size_t tw_tensor_bytes(const tw_tensor_t *tensor);
/* The elements; borrowed. Writing them while a run reads them is the caller's mistake. NULL for memory that
 * is only read, and for that of a device. */
TW_API void *tw_tensor_data(tw_tensor_t *tensor);
TW_API const void *tw_tensor_const_data(const tw_tensor_t *tensor);

/* Fills with a pattern: "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" (hi
 * excluded), or "default": floats normal(0,1) scaled by 1/8 (f4E2M1FN unscaled, f8E8M0FNU uniform(0.25,4)),
 * integers randint(0,8), booleans fair. Complex numbers are normal in both parts; of other patterns the
 * imaginary part is 0. The stream depends only on seed and `stream`. */
TW_API tw_status_t tw_tensor_fill(tw_tensor_t *tensor, const char *pattern, uint64_t seed, uint64_t stream);

/* The part that begins at `offset` of an array of dimensions `whole` that is filled so; both have as many
 * numbers as the tensor has dimensions. */
TW_API tw_status_t tw_tensor_fill_part(tw_tensor_t *tensor, const int64_t *whole, const int64_t *offset,
                                       const char *pattern, uint64_t seed, uint64_t stream);

/* The rule that decided a comparison. */
typedef int32_t tw_judged_by_t;
enum tw_judged_by {
  TW_JUDGED_BY_SIGNED = -1,
  TW_JUDGED_BY_BITS = 0,      /* every element has the same bits; any NaN equals any other */
  TW_JUDGED_BY_TOLERANCE = 1, /* max_rel is at most `tolerance` */
  TW_JUDGED_BY_DOUBLE = 2 /* a is no more than 4 times as far from the program in double precision as b is */
};

/* How two tensors of one type compare. */
typedef struct tw_comparison {
  size_t struct_size; /* set by the caller */
  double max_abs;     /* largest |a-b| */
  double max_rel;     /* max|a-b| / max(max|b|, tiny) */
  int32_t bit_equal;  /* every element has the same bits */
  int32_t passes;     /* by the rule `judged_by` */
  /* Passing says little: over 30 % of b is NaN or Inf; or b has 16 elements or more, is not i1, and over 30 %
   * of it is one value (real parts; a NaN or Inf counts as 0; above 65536 elements every n/65536th is
   * looked at); or b equals an argument (`equal_argument`). */
  int32_t mistrusted;
  int64_t nonfinite; /* elements of b that are NaN or Inf */
  tw_judged_by_t judged_by;
  double tolerance; /* the bound on max_rel; 0 where bits decide */
  /* Largest distances of a and of b from the program in double precision, infinite where one of two is NaN or
   * infinite; -1 where it was not evaluated. */
  double from_double, expected_from_double;
  /* tw_program_compare with inputs: the first argument that b equals within the tolerance of b, and of 16
   * elements or more where it has no floats; else -1. */
  int32_t equal_argument;
} tw_comparison_t;
/* b is the expectation. NaN equals NaN, infinities equal themselves. Integers, booleans and with `exact`
 * floats are judged by bits, other floats by a tolerance: f64 1e-10, f32 1e-4, f16 1e-2, bf16 1e-1,
 * narrower ones 0.25. */
TW_API tw_status_t tw_tensor_compare(const tw_tensor_t *a, const tw_tensor_t *b, int exact,
                                     tw_comparison_t *out_comparison);

typedef struct tw_compare_options {
  size_t struct_size;
  /* Nonzero: `expected` is of some other run, such as tw_graph_evaluate's, so that no bits of floats are
   * promised. */
  int32_t other_run;
  double seconds; /* the evaluation in double precision is given up after so long; 0: 600 */
  /* Called now and then while it runs, by the caller's thread; nonzero gives it up. NULL: nobody asks. */
  int (*progress)(void *user, double seconds);
  void *user;
} tw_compare_options_t;
/* How the results of a run of `program` compare with those that the unpartitioned program made of the same
 * inputs: all of its results, in order. Bits decide where tw_program_result_exact says so, and for integers
 * and booleans; else the tolerance above of the least precise float type on any way from an argument to that
 * result. Results that miss it get a second opinion: the program is evaluated in double precision
 * (expectations left out, conversions between floats and reduce_precision keep what they are given). `inputs`
 * may be NULL with num_inputs 0: then there is none. `out_comparisons` are num_outputs structs,
 * struct_size set in the first. `out_note` (may be NULL) says why there was no second opinion where one
 * was due, else nothing. */
TW_API tw_status_t tw_program_compare(const tw_program_t *program, const tw_tensor_t *const *inputs,
                                      size_t num_inputs, const tw_tensor_t *const *outputs,
                                      const tw_tensor_t *const *expected, size_t num_outputs,
                                      const tw_compare_options_t *options, tw_comparison_t *out_comparisons,
                                      tw_blob_t **out_note);

/* ---- several processes ---- */

/* Processes that run programs together, made by tw_comm_create_mpi (<tilewright/tw_mpi.h>). Of D devices and
 * P processes each has a block of about D/P. The first failure on any of them, an error of a call included,
 * is an error on all (TW_REMOTE where it was another's) and the end of the communicator: later calls say
 * so at once. Executables and runs on it are made by all processes in the same order. */
typedef struct tw_comm tw_comm_t;
TW_API tw_comm_t *tw_comm_retain(tw_comm_t *comm);
TW_API void tw_comm_release(tw_comm_t *comm);
TW_API int32_t tw_comm_rank(const tw_comm_t *comm); /* 0 to size - 1; without a comm 0 of 1 */
TW_API int32_t tw_comm_size(const tw_comm_t *comm);

/* Checks that values are equal on all processes, such as the options that each was started with: `num_facts`
 * names and values, as many on all and in the same order. TW_INVALID_ARGUMENT on all processes if one
 * differs; the message names the fact, the process and both values. */
TW_API tw_status_t tw_comm_agree(tw_comm_t *comm, const char *const *names, const char *const *values,
                                 size_t num_facts);
/* Gives all processes the value that process `root` has. The others wait for as long as it takes root to
 * come here, or until one fails. */
TW_API tw_status_t tw_comm_share(tw_comm_t *comm, int32_t root, int64_t *value);
/* On which hosts, and there in which processes, the devices of a plan's mesh will run, as text for
 * tw_lower_options_t.levels: "host=[[0,1],[2,3]]". Lower with it and with keep_sum_order: data that a host
 * wants then enters it once, and results keep the bits of one process. "" where all processes are on one
 * host, where nothing is gained. All processes call. */
TW_API tw_status_t tw_comm_levels(tw_comm_t *comm, const tw_plan_t *plan, tw_blob_t **out_levels);
/* Tells all others that this process gives up, and why (one line): whatever they do together is then
 * TW_REMOTE with that text. TW_OK, unless there is no other process. */
TW_API tw_status_t tw_comm_fail(tw_comm_t *comm, tw_status_t status, const char *message);

/* ---- executables ---- */

/* A program bound to kernels, with its arenas allocated. Keep it and run it many times: a run allocates
 * nothing. One run at a time. */
typedef struct tw_executable tw_executable_t;

/* What executables note while they run. */
typedef int32_t tw_observe_t;
enum tw_observe {
  TW_OBSERVE_SIGNED = -1,
  TW_OBSERVE_NOTHING = 0,
  TW_OBSERVE_PROFILE = 1, /* processor time of each step; costs two looks at the clock a part of a step */
  TW_OBSERVE_TRACE = 2    /* every part of every step; costs the same, and memory */
};

typedef struct tw_executable_options {
  size_t struct_size;
  const tw_context_t *context; /* NULL: the default one */
  /* Threads of its own, the caller of run being one of them; 0: those that all executables of `context`
   * share; without a context, one a core. Results do not depend on it. */
  int32_t workers;
  /* Bytes over all devices of this process; 0: none. A program that needs more is refused:
   * TW_RESOURCE_EXHAUSTED. */
  int64_t memory_limit;
  tw_comm_t *comm; /* NULL: all devices are in this process */
  /* With a comm: process 0 gets whole outputs. Otherwise each process writes that part of its outputs that
   * its devices hold. */
  int32_t whole_outputs;
  tw_observe_t observe; /* several are added up; see tw_observe.h */
  /* Nonzero: runs take and give tiles, so that a process needs memory for what its devices hold only. Of
   * argument or result i, what the k-th of this process's n devices holds is tensor i * n + k, of the
   * shape that tw_executable_tile tells. */
  int32_t tiles;
  /* Nonzero: runs may overwrite inputs that the program marks as donated (tf.aliasing_output,
   * jax.buffer_donor), and make a result in the memory of its argument. tw_executable_donated_to tells which.
   * All other arguments are read-only; with 0, all are. A run that begins consumes donated inputs, whether it
   * succeeds or not. A donated input shares memory with no other array of the call, except that the output of
   * its result may be the same tensor: then nothing is copied. With `tiles` that is
   * so of each tile by itself, and tiles with one owner (tw_executable_tile_owner) count as one; on devices
   * that are not the host it has no effect then. */
  int32_t donate;
  /* The kind of the mesh's devices; NULL: "host". Devices of another kind have memory and queues of their
   * own: a run copies tensors of the host there and back, and takes and gives those that lie there
   * (tw_device.h). "cuda": GPUs, see `gpus`. "detached" is for tests of the library and its hosts: its
   * commands run later on threads of their own, and its memory faults where the host touches it. Any other
   * word is TW_NOT_FOUND, and the message lists the kinds of this build. */
  const char *device;
  /* Seconds that a run may take on devices that are not the host; 0: any time. A run that takes longer is
   * TW_DEADLINE_EXCEEDED and names the step. While a device still runs that step, later runs are
   * TW_UNAVAILABLE. */
  double deadline;
  /* Not 0, for tests on detached devices: draws when they run their commands, and which of them share memory.
   * Results do not depend on it. */
  uint64_t delays;
  /* On which GPUs devices of the kind "cuda" are, as numbers: "0,1". Blocks of devices, as equal as can be,
   * are on one GPU each. NULL: those that TW_CUDA_GPUS lists in the environment; else GPU 0, and all of its
   * name that it reaches and that reach it. With a comm the n-th process of a host has all its devices on the
   * n-th GPU. Devices on "detached" share memory only where they have one number. Of the host it is
   * TW_INVALID_ARGUMENT. */
  const char *gpus;
  /* Not 0, for devices that are not the host: arrays that lie on them (tw_device.h) are read there, without a
   * copy, where a tile is one run of a dense array on its device's own unit and begins at a multiple of 64
   * bytes; with `donate`, results are made there. Others are copied to memory that the first such run
   * allocates. 0: all arrays are copied, on the device or from the host, to where the executable has its
   * memory. */
  int32_t in_place;
  /* With a comm, for devices that are not the host: how what they send each other goes from process to
   * process. "host": through memory of the host, by messages of the comm. "direct": as their kind does it
   * itself; GPUs over NCCL, which wants a GPU for each process (TW-653) and its library in every one
   * (TW-654). NULL or "auto": directly where that is possible for all processes, else through memory of the
   * host; tw_executable_flight says which. All processes ask for the same. */
  const char *exchange;
  /* Not 0: where devices exchange directly, sums and products of floats may add in any order, which is faster
   * for large ones; then runs on other GPUs, or of another number of processes, may give other bits. All
   * processes ask for the same. */
  int32_t fast_sums;
  /* Nonzero: products of f32 on GPUs may round their factors to TF32, with 10 bits behind the point, which is
   * several times as fast. With 0 only those do whose `algorithm` names it. Without effect on devices of
   * other kinds, and on other types. */
  int32_t tf32;
  /* Nonzero: functions such as exp have the bits of the host on GPUs too. Those of f32 and narrower floats
   * that the host computes by polynomials (exp, expm1, log, log1p, logistic, tanh, power) are computed so
   * there. Steps with any other function run on the host (tw_executable_on_host). Says nothing of products,
   * convolutions and transforms, which libraries sum in an order of their own. Without effect on devices of
   * other kinds, which have those bits. */
  int32_t same_bits;
} tw_executable_options_t;

/* TW_UNIMPLEMENTED names the first op that has no kernel (an opaque custom_call), with its position. With a
 * comm an error, of giving up too (tw_watch_calls), ends that. */
TW_API tw_status_t tw_executable_create(const tw_program_t *program, const tw_executable_options_t *options,
                                        tw_executable_t **out_executable);
TW_API tw_executable_t *tw_executable_retain(tw_executable_t *executable);
TW_API void tw_executable_release(tw_executable_t *executable);

/* Runs on global arrays: `inputs` in the order of the graph's arguments, `outputs` of its results. Types must
 * agree, and no two outputs share memory. Inputs are read-only, except those that option `donate` gives
 * away. Of tensors of the host an output may share memory with inputs that are not given away, also partly:
 * outputs are written when inputs have been read. On an error, outputs that are not donated inputs keep
 * their old bytes, the message names device, op and location, and the executable can run again. Calls from
 * several threads wait for each other. TW_FAILED_PRECONDITION: a run begun by tw_run_start is in progress. */
TW_API tw_status_t tw_executable_run(tw_executable_t *executable, const tw_tensor_t *const *inputs,
                                     size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs);

/* With option `donate`: the result that is made in the memory of argument `argument`, or -1 where that is
 * only read. */
TW_API int64_t tw_executable_donated_to(const tw_executable_t *executable, size_t argument);

/* With option `tiles`: the devices of this process, and where in a whole argument, or result, the tile of the
 * k-th begins and how large it is (as many numbers as the array has dimensions). TW_FAILED_PRECONDITION: the
 * executable was made without it. */
TW_API size_t tw_executable_num_devices(const tw_executable_t *executable);
TW_API tw_status_t tw_executable_tile(const tw_executable_t *executable, int32_t is_result, size_t index,
                                      size_t device, int64_t *out_offset, int64_t *out_extent);
/* With option `tiles`: the first device of this process which holds the same tile as `device` does, in one
 * place; `device` itself where it has a place of its own. A run reads that owner's input only. Outputs of
 * devices with one owner may be one tensor: then it is written once. So may their inputs, donated ones too.
 * -1: there is no such array or device, or the executable was made without the option. */
TW_API int64_t tw_executable_tile_owner(const tw_executable_t *executable, int32_t is_result, size_t index,
                                        size_t device);

TW_API int64_t tw_executable_arena_bytes(
    const tw_executable_t *executable); /* allocated, over all devices of this process */
/* Bytes that device `device` of this process needs while it runs: its part of the arenas, tiles that it
 * shares with other devices, and its tiles of arguments that are read in the caller's arrays. -1: no such
 * device. */
TW_API int64_t tw_executable_peak_bytes(const tw_executable_t *executable, size_t device);
TW_API int32_t tw_executable_workers(const tw_executable_t *executable);

/* The slow reference evaluator, op by op on global arrays: the oracle of everything else. `outputs` as in
 * tw_executable_run. */
TW_API tw_status_t tw_graph_evaluate(const tw_graph_t *graph, const tw_tensor_t *const *inputs,
                                     size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs);
/* Where the NaN of a program's results begin: the first op, in program order, that makes NaN of operands
 * without NaN, and from which they come to a result; where no result has NaN, the same of Inf. Runs the
 * evaluator, op by op; tw_watch_calls may give it up. `out_json`: "null" where results are finite or hold
 * what a constant holds, else {"op", "value", "location", "kind": "NaN" | "Inf", "elements", "of",
 * "arguments"}: of an argument that holds them itself "func.argument"; how many elements of the value the
 * first time that it had some; and the numbers of the arguments that the op's operands are computed from, the
 * nearest first. */
TW_API tw_status_t tw_graph_find_nonfinite(const tw_graph_t *graph, const tw_tensor_t *const *inputs,
                                           size_t num_inputs, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
