/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls: the host's own code for calls that a program names but does not hold. Part of
 * <tilewright/tw.h>.
 *
 * A program says `stablehlo.custom_call @my.norm(%x, %scale)`. The host says how such calls may be split,
 * what they take, and what computes them; then they are partitioned and run as any other op
 * (examples/04_custom_call.c):
 *
 *   tw_custom_calls_create(&calls);
 *   tw_custom_calls_add(calls, &(tw_custom_call_t){.struct_size = sizeof(tw_custom_call_t), .target =
 *                                                  "my.norm", .rule = "... *, * -> ... *", .kernel =
 *                                                  my_norm});
 *   tw_graph_import(text, size, &(tw_import_options_t){.struct_size = .., .custom_calls = calls}, &graph);
 *
 * A call of a target that nobody added is imported and kept whole on every device; running it is
 * TW_UNIMPLEMENTED. */
#ifndef TW_CUSTOM_H
#define TW_CUSTOM_H

#include <tilewright/tw_base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what the host's code gets ---- */

/* One operand or result: the part of it that a device holds. A part is a box: `extent` elements from `offset`
 * on in every dimension of the whole array. The arrays of a box have `ndims` elements. */
typedef struct tw_tile {
  size_t struct_size; /* as the library has it: fields that it does not reach are not there */
  tw_dtype_t dtype;
  size_t ndims;
  const int64_t *whole;   /* sizes of the whole array */
  const int64_t *offset;  /* where the part begins in it */
  const int64_t *extent;  /* sizes of the part: uneven, and 0 where a device has nothing */
  const int64_t *strides; /* of the part, in elements; dense row-major in this version */
  /* Its first element, aligned to its type; NULL where no elements are looked at. Operands are only read.
   * Results hold anything, and do not overlap operands. */
  void *data;
} tw_tile_t;

/* One call. Borrowed for the time of the callback. */
typedef struct tw_call {
  size_t struct_size; /* as the library has it */
  const char *target;
  const tw_tile_t *const *operands;
  size_t num_operands;
  const tw_tile_t *const *results;
  size_t num_results;
  /* What the program says besides: `{epsilon = 1.0e-05 : f64}` is the real "epsilon"; what stands in a
   * dictionary has its name before it, "byteir_attrs.axis"; so has a backend_config that is one, else it is
   * the string "backend_config". Lists of integers are ints, anything else is a string with the text as
   * written. tw_call_attr finds one. In a call of device-local code the integer "tw.dims_in_front" says how
   * many dimensions stand in front of those that the program writes, one for each axis along which devices
   * call with different values: the results of a device follow from its own operands, one index of these
   * dimensions after the other. */
  const tw_attr_t *attrs;
  size_t num_attrs;
} tw_call_t;

/* NULL where the call has no attribute of that name. */
TW_API const tw_attr_t *tw_call_attr(const tw_call_t *call, const char *name);

/* ---- what the host says ---- */

/* Callbacks answer TW_OK, or what tw_error_set returned: that status and text then end what the library was
 * doing. They must not throw, and must not use the executable or plan that calls them. */
typedef tw_status_t (*tw_call_fn)(const tw_call_t *call, void *user);
/* Gives a rule's text as a blob, which the library releases. */
typedef tw_status_t (*tw_call_rule_fn)(const tw_call_t *call, void *user, tw_blob_t **out_rule);

typedef struct tw_custom_call {
  size_t struct_size;
  const char *target; /* call_target_name. Copied, as `rule` is */
  /* Which dimensions go together, "b s h, h -> b s h": a word for each dimension, operands and results by
   * commas. Dimensions of one word have one size and are split together where a result has the word; those of
   * a word that no result has, and those written `*`, stay whole on every device. `...` stands for the
   * leading dimensions, as many as a call has. So a kernel must compute every part of the results from the
   * parts of the operands that the words pair with it, with the same bits however they are cut. Where a call
   * has no results, words of its operands do for those of results. NULL: rule_fn is asked, for each call as
   * it stands in the program (whole arrays, no data); where that is NULL too, all stays whole. */
  const char *rule;
  tw_call_rule_fn rule_fn;
  /* Asked once for each call in a graph while that is made (whole arrays, no data): whether operands, results
   * and attributes fit together. The error gets the call's position. NULL: they do. */
  tw_call_fn check;
  /* Computes the results of one device from its operands. Called at the same time by several workers, for
   * different devices, and again in every run; not for a device that has no elements of any result. What
   * several devices of a process hold alike is computed by one of them; a call with has_side_effect is made
   * by each, unless it has the attribute "tw.once". An error ends the run on all devices; outputs keep their
   * old bytes. NULL: such calls may be planned, not run. */
  tw_call_fn kernel;
  void *user; /* given to every callback */
  /* NULL, or called with `user` when the last object that may call back has been released, by the thread that
   * does so. Not called where tw_custom_calls_add fails. */
  tw_destroy_fn destroy;
} tw_custom_call_t;

/* What the host knows of custom_calls, by target. */
typedef struct tw_custom_calls tw_custom_calls_t;

TW_API tw_status_t tw_custom_calls_create(tw_custom_calls_t **out_calls);
TW_API tw_custom_calls_t *tw_custom_calls_retain(tw_custom_calls_t *calls);
TW_API void tw_custom_calls_release(tw_custom_calls_t *calls);

/* Adds one. Graphs keep what was there when they were made: what is added afterwards is for later ones.
 * TW_INVALID_ARGUMENT: no target, one that is there already, or a rule that no call could have. */
TW_API tw_status_t tw_custom_calls_add(tw_custom_calls_t *calls, const tw_custom_call_t *call);

#ifdef __cplusplus
}
#endif
#endif
