/* SPDX-License-Identifier: Apache-2.0 */
/* Building a graph call by call: ops, regions, names and shardings. Part of <tilewright/tw.h>.
 *
 *   tw_builder_create("mlp", &b);
 *   tw_value_t x = tw_builder_argument(b, "x", TW_F32, (int64_t[]){16, 256}, 2);
 *   tw_builder_result(b, "y", tw_builder_unary(b, "tanh", x));
 *   if (tw_builder_finish(b, &graph) != TW_OK) die(tw_error_message());
 *   tw_builder_release(b);
 *
 * Errors are sticky: the first call that fails says why and which call of the builder it was; all later ones
 * do nothing and return TW_NO_VALUE, and tw_builder_finish reports that error. So one check is enough.
 */
#ifndef TW_BUILDER_H
#define TW_BUILDER_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_custom.h>
#include <tilewright/tw_graph.h>
#include <tilewright/tw_sharding.h>
#include <tilewright/tw_walk.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A graph that is being built. One thread at a time. */
typedef struct tw_builder tw_builder_t;

TW_API tw_status_t tw_builder_create(const char *name, tw_builder_t **out_builder);
TW_API void tw_builder_release(tw_builder_t *builder);
/* TW_OK, or the error that sticks: as tw_builder_finish would report it, while the builder goes on. */
TW_API tw_status_t tw_builder_check(const tw_builder_t *builder);
/* Freezes. The values of the builder are those of the graph (tw_graph_value_name). The builder is empty
 * afterwards, whatever the outcome; release it. */
TW_API tw_status_t tw_builder_finish(tw_builder_t *builder, tw_graph_t **out_graph);

/* ---- the signature ---- */

TW_API tw_value_t tw_builder_argument(tw_builder_t *builder, const char *name, tw_dtype_t dtype,
                                      const int64_t *dims, size_t ndims);
/* An argument whose memory a result may take: result `result`, which is declared later, is of its type, and
 * takes that of one argument; -1 does not say which. See tw_executable_options_t.donate. */
TW_API tw_value_t tw_builder_donated_argument(tw_builder_t *builder, const char *name, tw_dtype_t dtype,
                                              const int64_t *dims, size_t ndims, int64_t result);
/* Declares a result of the program; in order. */
TW_API void tw_builder_result(tw_builder_t *builder, const char *name, tw_value_t value);

/* ---- constants ---- */

/* A literal array: `data` holds the elements, dense row-major, and is copied. */
TW_API tw_value_t tw_builder_constant(tw_builder_t *builder, tw_dtype_t dtype, const int64_t *dims,
                                      size_t ndims, const void *data);
/* An array whose elements all equal `value`, converted to dtype as stablehlo.convert does: what an integer
 * cannot hold saturates, NaN is 0. */
TW_API tw_value_t tw_builder_splat(tw_builder_t *builder, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                                   double value);
/* An array whose elements are all copies of the one at `element`, bit for bit. */
TW_API tw_value_t tw_builder_fill(tw_builder_t *builder, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                                  const void *element);

/* ---- ops ---- */

/* Adds any registered op by name ("stablehlo.add", or just "add"), with attributes of its schema
 * (`tw ops NAME`). Result types are inferred; a misfit is an error naming op, operand and sizes. Writes the
 * results to out_results (as many as the op has, at most max_results) and returns the first. Where operands
 * and attributes do not fix the result type (reshape, broadcast_in_dim, convert, iota, ...), two more
 * attributes state it: "result_dims" (ints; default: those of the first operand) and "result_dtype" (an
 * integer TW_ dtype; default: the first operand's). Ops that own regions are added by tw_builder_op, and
 * the signature (func.argument, func.result) by its own calls: TW_INVALID_ARGUMENT here. */
TW_API tw_value_t tw_builder_add(tw_builder_t *builder, const char *op, const tw_value_t *operands,
                                 size_t num_operands, const tw_attr_t *attrs, size_t num_attrs,
                                 tw_value_t *out_results, size_t max_results);

/* An op with all that it can have: what tw_graph_op and its neighbours say of one. */
typedef struct tw_op_spec {
  size_t struct_size;
  const char *name; /* "stablehlo.while", or just "while" */
  const tw_value_t *operands;
  size_t num_operands;
  const tw_region_t *regions; /* of tw_builder_end_region, each given to one op; the builder's numbers */
  size_t num_regions;
  const tw_attr_t *attrs; /* of its schema */
  size_t num_attrs;
  const tw_type_t *result_types; /* they must fit; NULL: inferred */
  size_t num_result_types;
  const char *location; /* where it comes from, "model.py:12"; NULL or "": `line` and `column` of a text */
  uint32_t line;
  uint32_t column;
} tw_op_spec_t;
/* Adds one, as tw_builder_add does. Constants and the signature have their own calls: TW_INVALID_ARGUMENT. */
TW_API tw_value_t tw_builder_op(tw_builder_t *builder, const tw_op_spec_t *spec, tw_value_t *out_results,
                                size_t max_results);

/* ---- regions ----
 *
 * Bodies of while, if and case, and what reduce, scatter, sort and others combine or compare elements with,
 * are built before their op, one after the other, and may hold others:
 *
 *   tw_builder_begin_region(b, types, 1, &i);                      // the condition of a while over one i32
 *   less = tw_builder_compare(b, "LT", i, tw_builder_splat(b, TW_S32, NULL, 0, 10));
 *   regions[0] = tw_builder_end_region(b, &less, 1);
 *   tw_builder_begin_region(b, types, 1, &i);                      // its body
 *   next = tw_builder_binary(b, "add", i, tw_builder_splat(b, TW_S32, NULL, 0, 1));
 *   regions[1] = tw_builder_end_region(b, &next, 1);
 *   spec = (tw_op_spec_t){.struct_size = sizeof spec, .name = "while", .operands = &zero, .num_operands = 1,
 *                         .regions = regions, .num_regions = 2};
 *   last = tw_builder_op(b, &spec, NULL, 0);
 */

/* What is added from here on stands in a new region, up to tw_builder_end_region. Its arguments, of the
 * stated types, are written to out_arguments, which may be NULL where there are none. */
TW_API void tw_builder_begin_region(tw_builder_t *builder, const tw_type_t *argument_types,
                                    size_t num_arguments, tw_value_t *out_arguments);
/* Ends the innermost region, which gives back `yields`, and returns its number for tw_op_spec_t.regions;
 * TW_NO_REGION after an error. The op that takes it is added where the region began. Its values are not seen
 * from outside: using one later is TW_INVALID_ARGUMENT. */
TW_API tw_region_t tw_builder_end_region(tw_builder_t *builder, const tw_value_t *yields, size_t num_yields);
/* A region that combines two scalars of a type by one op, "add" or "maximum": what reduce, reduce_window,
 * scatter and select_and_scatter take. */
TW_API tw_region_t tw_builder_combiner(tw_builder_t *builder, const char *op, tw_dtype_t dtype);

/* ---- conveniences ---- */

TW_API tw_value_t tw_builder_unary(tw_builder_t *builder, const char *op, tw_value_t x);
/* Operands of equal shape, or one a scalar which is then broadcast. */
TW_API tw_value_t tw_builder_binary(tw_builder_t *builder, const char *op, tw_value_t x, tw_value_t y);
/* Booleans: x DIRECTION y, of "EQ", "NE", "GE", "GT", "LE" and "LT". Operands as of tw_builder_binary. */
TW_API tw_value_t tw_builder_compare(tw_builder_t *builder, const char *direction, tw_value_t x,
                                     tw_value_t y);
TW_API tw_value_t tw_builder_convert(tw_builder_t *builder, tw_value_t x, tw_dtype_t dtype);
/* A contraction in Einstein's notation over two operands, "bd,df->bf": letters in both and in the result are
 * batch dimensions, letters in both but not in the result are contracted. Becomes dot_general (and a
 * transpose where the result order needs one). */
TW_API tw_value_t tw_builder_einsum(tw_builder_t *builder, const char *subscripts, tw_value_t x,
                                    tw_value_t y);
TW_API tw_value_t tw_builder_transpose(tw_builder_t *builder, tw_value_t x, const int64_t *permutation,
                                       size_t n);
TW_API tw_value_t tw_builder_reshape(tw_builder_t *builder, tw_value_t x, const int64_t *dims, size_t ndims);
/* Dimension i of x becomes dimension map[i] of the result; size-1 dimensions expand. */
TW_API tw_value_t tw_builder_broadcast(tw_builder_t *builder, tw_value_t x, const int64_t *dims, size_t ndims,
                                       const int64_t *map, size_t n);
/* The elements from starts[i] to below limits[i] of every dimension, each steps[i]-th; `steps` NULL: all. */
TW_API tw_value_t tw_builder_slice(tw_builder_t *builder, tw_value_t x, const int64_t *starts,
                                   const int64_t *limits, const int64_t *steps, size_t n);
/* Arrays one behind the other in dimension `dim`. */
TW_API tw_value_t tw_builder_concatenate(tw_builder_t *builder, const tw_value_t *values, size_t num_values,
                                         int64_t dim);
/* Reduces `dims` away with "sum", "max", "min" or "prod"; integers and booleans also with "and", "or", "xor".
 */
TW_API tw_value_t tw_builder_reduce(tw_builder_t *builder, const char *kind, tw_value_t x,
                                    const int64_t *dims, size_t ndims);

/* ---- custom calls ---- */

/* The custom_calls that the host knows (tw_custom.h), as they are now. Their rules, checks and kernels go
 * with the graph into its plans, programs and executables; every call is checked by tw_builder_finish. */
TW_API void tw_builder_custom_calls(tw_builder_t *builder, const tw_custom_calls_t *calls);
/* A call of code that the program does not hold, with results of the stated types. Attributes have any names
 * (tw_call_t.attrs); those that custom_call itself has ("has_side_effect", a boolean) are taken as such.
 * Writes num_results values to out_results (NULL: nowhere) and returns the first. */
TW_API tw_value_t tw_builder_custom_call(tw_builder_t *builder, const char *target,
                                         const tw_value_t *operands, size_t num_operands,
                                         const tw_type_t *results, size_t num_results, const tw_attr_t *attrs,
                                         size_t num_attrs, tw_value_t *out_results);

/* ---- names and shardings ---- */

/* Calls a value "%name" in texts, reports and tw_plan_tile; the % may be left out. What tw_graph_symbol
 * says of a value will do. tw_graph_find_value finds it again. Letters, digits and the signs _ $ . - # and %.
 * TW_INVALID_ARGUMENT, at the latest in tw_builder_finish: another value is called so. */
TW_API void tw_builder_name(tw_builder_t *builder, tw_value_t value, const char *name);

/* Says how a value, or the result `i` that was declared, is to lie: as annotations of a text do, every plan
 * of the graph applies it first, unless tw_plan_options_t.ignore_annotations. Dimensions that are not open
 * take no further axes; those of lower priority are propagated first. All shardings of a builder are over one
 * mesh, which is then that of a plan that is given none (tw_graph_mesh). TW_INVALID_ARGUMENT: the shape is
 * another, the mesh is, or the value has a sharding. TW_UNIMPLEMENTED names what annotations cannot say:
 * tiles that overlap, halos, values that are partial other than by a sum, arguments and results that are
 * partial. */
TW_API void tw_builder_shard(tw_builder_t *builder, tw_value_t value, const tw_sharding_t *sharding);
TW_API void tw_builder_shard_result(tw_builder_t *builder, size_t i, const tw_sharding_t *sharding);
/* The value again, laid out so, of which every device keeps what lies around its tile too: as shard.shard
 * with halo_sizes says it for users. One exchange brings that, elementwise ops keep it, and what reads around
 * a tile finds it there. Around the array there is nothing. Errors as above, and TW_INVALID_ARGUMENT: the
 * sharding has no halo; TW_UNIMPLEMENTED: a halo wraps. */
TW_API tw_value_t tw_builder_keep_halo(tw_builder_t *builder, tw_value_t value,
                                       const tw_sharding_t *sharding);

#ifdef __cplusplus
}
#endif
#endif
