/* SPDX-License-Identifier: Apache-2.0 */
/* The lowering step by step, for those who study it or look for a mistake of it. Opt-in: <tilewright/tw.h>
 * does not include it. */
#ifndef TW_DEBUG_H
#define TW_DEBUG_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The k-th pass after which form `i` (tw_form_name) can be printed, in their order. NULL when `k` is too
 * large: other forms than "spmd-naive" and its spellings, "shard" and "shard-local" have none. */
TW_API const char *tw_debug_pass(size_t i, size_t k);

/* A plan as it is after the pass `pass_name`; NULL is the last, for an unknown name the error TW-502 lists
 * them. Of "spmd-naive" these are the steps from the loops of a plan to the program of a device: global
 * tensors, distribute, spmd, tile_stacked_tensor, undistribute and redistribute. The text is the program
 * after "lift", "distribute", "fuse_undistribute", "fuse_distribute", "fuse_redistribute", "scatter_sums" or
 * "signature". `form` says how types are written:
 * "spmd-naive": dist_tensor<["x":range<2>],[32{0},8]>
 * "spmd-naive-extents": distributed_tensor<(%x:range(32,16)) -> [%x,8]>
 * "spmd-naive-paper": [16{"x"}32, 8], as in arXiv 2112.01075.
 * "shard": "sharding-propagation-forward" is what actions and annotations state, propagated from makers to
 * users alone, "sharding-propagation-backward" the other way alone; "sharding-propagation" is the plan. All
 * values are annotated. "partition" is the code of one device.
 * "shard-local": the code of one device after "partition" and after "simplify", which makes collectives
 * fewer: an all_reduce of a sum in place of two, a reduce_scatter in place of an all_reduce and a slice. */
TW_API tw_status_t tw_debug_emit_after(const tw_plan_t *plan, const char *form, const char *pass_name,
                                       tw_blob_t **out_text);

#ifdef __cplusplus
}
#endif
#endif
