/* SPDX-License-Identifier: Apache-2.0 */
/* SPMD programs: what every device runs, with explicit collectives. Part of <tilewright/tw.h>. */
#ifndef TW_PROGRAM_H
#define TW_PROGRAM_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The device-local program of a plan: local shapes, distributed types, collectives. Immutable; later
 * changes of the plan do not touch it. */
typedef struct tw_program tw_program_t;

typedef struct tw_lower_options {
  size_t struct_size;
  /* Optimisations to leave out, by name; NULL: none. Programs stay correct, but move or hold more.
   * TW_NOT_FOUND: an unknown name; the message lists all:
   *   "combine_all_reduces"  what bucket_bytes asks for
   *   "defer_sums"    partial values pass linear ops before they are combined: x@a + y@b + z@c moves one sum
   *   "fold_tiles"    the best of each tile moves for top_k and cut sorts, a fold of it for cumulative ops
   *   "fuse_moves"    a consumer reuses an existing tile; two adjacent all_to_alls are merged
   *   "gather_picks"  an array that a loop slices is gathered before the loop, where that moves less
   *   "hoist_invariant" before the loop moves also what it computes of what it does not change, or hands on
   *   "hoist_moves"   what a loop does not change moves before it
   *   "join_slices"   a roll, shift or permutation that is written as slices of one array moves once
   *   "scatter_sums"  a sum is scattered where all its uses want the same tiles, not reduced to every device
   *   "make_again"    what only moves elements is made in each of the wider tiles that its readers want
   *   "reorder_sums"  terms of a sum that are reduced alike are added first: the order of addition changes
   *   "share_equal"   values that are equal move once, and what is there already does not move again
   *   "share_moves"   what several uses want in one layout moves once
   *   "simplify"      two sums that are added are one, a sum that is sliced is scattered, two moves are one
   * For the program's executables:
   *   "form_chains"   adjacent steps over the same rows (a softmax) are one, which takes a few rows at a time
   *   "fuse_sums"     the one step that reads a sum over devices of its process adds up their parts itself
   *   "join_products" a GPU adds to a product, or converts it, while it stores it
   *   "overlap_messages"    steps run while messages between processes are under way
   *   "pack_constants"      constant matrices lie in the order in which products read them fastest
   *   "pair_donations"      results are written over donated arguments
   *   "record_runs"   devices with queues keep what a run does between decisions, and later runs replay it
   *   "recompute"     cheap values are computed again where that lowers memory
   *   "reorder_for_memory"  steps that free memory run as soon as they can
   *   "share_replicated"    what is equal on devices of a process is computed and held once;
   *                         "fuse_sums" needs it
   *   "split_groups"  of steps that wait for much a part that frees memory runs earlier */
  const char *const *without;
  size_t num_without;
  /* Nonzero: an argument that is gathered from its tiles, such as a parameter under ZeRO-3, is gathered again
   * for each use, in a loop in every iteration. That keeps the peak low. 0: it is gathered once for all uses,
   * before loops. */
  int gather_per_use;
  /* Small all_reduces (the gradients of biases and norms) over the same axes, by the same reduction and of
   * the same element type are combined into one, of at most so many bytes a device: fewer messages, the same
   * bytes and bits. 0: none are. Each stands where the first of its results is wanted; it takes only what
   * is there by then. Reports count the combined ones, and as "uncombined" what they were made of. */
  int64_t bucket_bytes;
  /* Which devices are near each other, outermost level first: "node=2" (devices in the order of their ids,
   * cut into 2 groups), "node=2,socket=2", "node=[[0,1,4,5],[2,3,6,7]]". Collectives are then planned for
   * these levels: data that a node wants enters it once, and a node sends one value of a sum. Partial values
   * add in an order that follows from the program and these levels alone, so results have the same bits
   * whatever the processes. In a loop over a serial or threads axis each step is planned for itself. What a
   * region combines (a reduction by several arrays together) goes straight all the same. NULL or "": every
   * device receives what it lacks straight from a holder. */
  const char *levels;
  /* Nonzero: levels change no bits; sums go straight, in the order of the devices. */
  int keep_sum_order;
  /* Bytes that a planned collective may hold at once on a device, beside its operand and its result; 0: no
   * limit. */
  int64_t scratch_bytes;
  /* A value that a loop does not change moves before it only where it then takes at most so many bytes on a
   * device while the loop runs; else it moves in every iteration. 0: no limit. */
  int64_t hoist_limit;
} tw_lower_options_t;

/* Lowers and verifies. Uneven and empty tiles keep their true local shapes: nothing is padded. */
TW_API tw_status_t tw_program_lower(const tw_plan_t *plan, const tw_lower_options_t *options,
                                    tw_program_t **out_program);
/* The same graph on one device, every value whole. */
TW_API tw_status_t tw_program_unpartitioned(const tw_graph_t *graph, tw_program_t **out_program);
TW_API tw_program_t *tw_program_retain(tw_program_t *program);
TW_API void tw_program_release(tw_program_t *program);

TW_API int64_t tw_program_num_devices(const tw_program_t *program);
TW_API size_t tw_program_num_collectives(const tw_program_t *program);
/* Collectives of a kind: "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange".
 * TW_NOT_FOUND where there is no such kind; the message has the nearest. */
TW_API tw_status_t tw_program_count_kind(const tw_program_t *program, const char *kind, size_t *out_count);
/* The same as a value; SIZE_MAX where there is no such kind, and tw_error_message says so. */
TW_API size_t tw_program_count(const tw_program_t *program, const char *kind);
/* Bytes that the busiest device must receive from others in one run. */
TW_API int64_t tw_program_bytes_received(const tw_program_t *program);
/* Peak bytes of the device that needs most, to the byte what tw_executable_peak_bytes will say of an
 * executable of the default options: everything gets its place as for a run, and nothing is made. 0 on an
 * error, which tw_error_message has. */
TW_API int64_t tw_program_peak_bytes(const tw_program_t *program);
/* Nonzero if result i is guaranteed to be bitwise equal to the unpartitioned run: no contraction or reduction
 * was split on the way to it. Not on GPUs, whose libraries have other algorithms for products of other
 * sizes. */
TW_API int tw_program_result_exact(const tw_program_t *program, size_t i);
/* `expect` lines of the plan's specs that do not hold. */
TW_API size_t tw_program_num_failed_expectations(const tw_program_t *program);

/* Everything about the plan and the program: arguments with shardings and causes, collectives with bytes and
 * causes, peak, conflicts, disagreements (decided neighbours between whom a value moves, and what each way
 * would cost), expectations. JSON as `tw plan --json` prints it. */
TW_API tw_status_t tw_program_json(const tw_program_t *program, tw_blob_t **out_json);
/* The same for people: tables no wider than `width` columns (0: 120), and the answer last. Rows that are
 * alike are one. Of a table of more than 16 rows those with most bytes are shown, and one for each action. */
TW_API tw_status_t tw_program_report(const tw_program_t *program, size_t width, tw_blob_t **out_text);
/* The same with every row. */
TW_API tw_status_t tw_program_report_all(const tw_program_t *program, size_t width, tw_blob_t **out_text);
/* The program as text. `form`: "spmd", the instruction list; "stablehlo", a StableHLO module that every
 * device runs, with explicit collectives, for JAX and XLA: compiled for a replica a device, replica r being
 * mesh position r (the first axis is the slowest), one partition each. Arguments and results are tiles, whose
 * layout `tw.sharding` says; where they differ in size all are stored in the largest one's, and what a
 * smaller one has behind its end means nothing. "shard-local": the same with the collectives of MLIR's shard
 * dialect over a grid, whose device r is mesh position r; tw_graph_import reads it. "stablehlo-bytecode":
 * "stablehlo" as a portable artifact, as tw_plan_emit writes "stablehlo+sdy-bytecode". "model-explorer": the
 * instructions as a graph in Model Explorer's JSON, with shardings and local types as metadata of outputs and
 * collectives as edge overlays; "model-explorer-data": the bytes that each collective brings to the busiest
 * device in a run, as its node data. */
TW_API tw_status_t tw_program_emit(const tw_program_t *program, const char *form, tw_blob_t **out_bytes);
/* Why collective `id` (its "id" in the JSON) is there: the two sides that disagreed, and the chain to
 * each. */
TW_API tw_status_t tw_program_explain_collective(const tw_program_t *program, size_t id,
                                                 tw_blob_t **out_text);

#ifdef __cplusplus
}
#endif
#endif
