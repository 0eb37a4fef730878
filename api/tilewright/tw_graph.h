/* SPDX-License-Identifier: Apache-2.0 */
/* Array programs: imported, built, looked at; the registry of ops. Part of <tilewright/tw.h>. */
#ifndef TW_GRAPH_H
#define TW_GRAPH_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_custom.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An SSA program of n-d array ops with static shapes. Immutable. */
typedef struct tw_graph tw_graph_t;

/* ---- import ---- */

typedef struct tw_import_options {
  size_t struct_size;
  const char *file;  /* name used in error positions; NULL: "<input>" */
  const char *entry; /* function to import; NULL: "main", else the only public one */
  /* Names for arguments 0, 1, 2, .., one a line of this text, before all others that are known; NULL: none. A
   * blank line keeps the name that the module gives, and so does every argument after the last line; blanks
   * around a name are not part of it. TW_INVALID_ARGUMENT, with the line: more names than arguments, a
   * name that another argument has, a number, or "argN" for another argument than N. */
  const char *names;
  const char *names_file; /* name used in error positions of names; NULL: "<names>" */
  /* What is known of custom_calls: as tw_builder_custom_calls. NULL: nothing */
  const tw_custom_calls_t *custom_calls;
  /* 1: an unknown operation becomes a custom_call of that name, with the operands and types that the text
   * states. Such a program can be inspected and planned; running it is TW_UNIMPLEMENTED. 0: it is an
   * error. */
  int allow_unknown;
  /* "rows=2,columns=4": the mesh to plan on. A grid of the shard dialect with as many axes takes their names,
   * and sizes that are `?` in its shape. NULL: axes are called after the grid, "grid0.0" */
  const char *mesh;
} tw_import_options_t;

/* Reads StableHLO text (pretty or generic form, also with mhlo spelling, sdy and GSPMD annotations). `text`
 * need not end in NUL and is not kept. TW_INVALID_ARGUMENT carries file, line, column, the line with a caret
 * and what was expected; unknown ops are listed together. A file that is no text (MLIR bytecode, ONNX, HLO
 * protos, gzip) is named for what it is, with the conversion that helps. */
TW_API tw_status_t tw_graph_import(const char *text, size_t size, const tw_import_options_t *options,
                                   tw_graph_t **out_graph);

TW_API tw_graph_t *tw_graph_retain(tw_graph_t *graph);
TW_API void tw_graph_release(tw_graph_t *graph);

/* A value of the builder that made it. */
typedef uint32_t tw_value_t;
#define TW_NO_VALUE 0xffffffffu

/* ---- looking at a graph ---- */

TW_API const char *tw_graph_name(const tw_graph_t *graph); /* of the module */
TW_API size_t tw_graph_num_ops(const tw_graph_t *graph);   /* arguments and results not counted */
TW_API size_t tw_graph_num_arguments(const tw_graph_t *graph);
TW_API size_t tw_graph_num_results(const tw_graph_t *graph);
/* The best name known (tw_import_options_t.names, else "params['wq']", else the name in the text, else
 * "arg3"); NULL when i is too large. */
TW_API const char *tw_graph_argument_name(const tw_graph_t *graph, size_t i);
TW_API const char *tw_graph_result_name(const tw_graph_t *graph, size_t i);
TW_API tw_dtype_t tw_graph_argument_dtype(const tw_graph_t *graph, size_t i);
TW_API tw_dtype_t tw_graph_result_dtype(const tw_graph_t *graph, size_t i);
/* Shape: borrowed pointer to *out_ndims sizes; NULL (and *out_ndims 0) when i is too large. A scalar has 0
 * dimensions. */
TW_API const int64_t *tw_graph_argument_dims(const tw_graph_t *graph, size_t i, size_t *out_ndims);
TW_API const int64_t *tw_graph_result_dims(const tw_graph_t *graph, size_t i, size_t *out_ndims);

/* What a value of the builder that made this graph is called, for tw_plan_tile and all else that takes a
 * name: an argument's name, else "%12". TW_OUT_OF_RANGE: the graph has no such value. */
TW_API tw_status_t tw_graph_value_name(const tw_graph_t *graph, tw_value_t value, tw_blob_t **out_name);

/* Which mesh the module declares (sdy.mesh; of several the one that its shardings name first), as text for
 * tw_mesh_parse; "" when it declares none. It is the mesh of a plan that is given none. */
TW_API const char *tw_graph_mesh(const tw_graph_t *graph);

/* Arguments, results, functions, op census, FLOPs, bytes, annotations found, what is opaque, elided or
 * ignored and why; with `with_values` also every value with its stable name, type and op. JSON as
 * `tw info --json` prints it. */
TW_API tw_status_t tw_graph_info(const tw_graph_t *graph, int with_values, tw_blob_t **out_json);

/* ---- building a graph ---- */

/* Builds a graph call by call. Errors are sticky: after the first one every call is a no-op that returns
 * TW_NO_VALUE, and tw_builder_finish reports it. One thread at a time. */
typedef struct tw_builder tw_builder_t;

TW_API tw_status_t tw_builder_create(const char *name, tw_builder_t **out_builder);
TW_API void tw_builder_release(tw_builder_t *builder);

TW_API tw_value_t tw_builder_argument(tw_builder_t *builder, const char *name, tw_dtype_t dtype,
                                      const int64_t *dims, size_t ndims);
/* A literal array: `data` holds the elements, dense row-major, and is copied. */
TW_API tw_value_t tw_builder_constant(tw_builder_t *builder, tw_dtype_t dtype, const int64_t *dims,
                                      size_t ndims, const void *data);
/* An array whose elements all equal `value`, converted to dtype as stablehlo.convert does: what an integer
 * cannot hold saturates, NaN is 0. */
TW_API tw_value_t tw_builder_splat(tw_builder_t *builder, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                                   double value);

/* Adds any registered op by name ("stablehlo.add", or just "add"), with attributes of its schema
 * (`tw ops NAME`). Result types are inferred; a misfit is an error naming op, operand and sizes. Writes the
 * results to out_results (as many as the op has, at most max_results) and returns the first. Where operands
 * and attributes do not fix the result type (reshape, broadcast_in_dim, convert, iota, ...), two more
 * attributes state it: "result_dims" (ints; default: those of the first operand) and "result_dtype" (an
 * integer TW_ dtype; default: the first operand's). Ops that own regions (reduce, while) are built by the
 * conveniences below or imported, and the signature (func.argument, func.result) by its own calls:
 * TW_INVALID_ARGUMENT here. */
TW_API tw_value_t tw_builder_add(tw_builder_t *builder, const char *op, const tw_value_t *operands,
                                 size_t num_operands, const tw_attr_t *attrs, size_t num_attrs,
                                 tw_value_t *out_results, size_t max_results);

TW_API tw_value_t tw_builder_unary(tw_builder_t *builder, const char *op, tw_value_t x);
/* Operands of equal shape, or one a scalar which is then broadcast. */
TW_API tw_value_t tw_builder_binary(tw_builder_t *builder, const char *op, tw_value_t x, tw_value_t y);
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
/* Reduces `dims` away with "sum", "max", "min" or "prod". */
TW_API tw_value_t tw_builder_reduce(tw_builder_t *builder, const char *kind, tw_value_t x,
                                    const int64_t *dims, size_t ndims);

/* The custom_calls that the host knows (tw_custom.h), as they are now. Their rules, checks and kernels go
 * with the graph into its plans, programs and executables; every call is checked by tw_builder_finish. */
TW_API void tw_builder_custom_calls(tw_builder_t *builder, const tw_custom_calls_t *calls);
/* One array's type. */
typedef struct tw_type {
  tw_dtype_t dtype;
  const int64_t *dims;
  size_t ndims;
  uint64_t reserved[2];
} tw_type_t;
/* A call of code that the program does not hold, with results of the stated types. Attributes have any names
 * (tw_call_t.attrs); those that custom_call itself has ("has_side_effect", a boolean) are taken as such.
 * Writes num_results values to out_results and returns the first. */
TW_API tw_value_t tw_builder_custom_call(tw_builder_t *builder, const char *target,
                                         const tw_value_t *operands, size_t num_operands,
                                         const tw_type_t *results, size_t num_results, const tw_attr_t *attrs,
                                         size_t num_attrs, tw_value_t *out_results);

/* Declares a result of the program; in order. */
TW_API void tw_builder_result(tw_builder_t *builder, const char *name, tw_value_t value);

/* Freezes. The values of the builder are those of the graph (tw_graph_value_name). The builder is empty
 * afterwards, whatever the outcome; release it. */
TW_API tw_status_t tw_builder_finish(tw_builder_t *builder, tw_graph_t **out_graph);

/* ---- the registry of ops ---- */

TW_API size_t tw_op_count(void);
TW_API const char *tw_op_name(size_t i); /* sorted by name; NULL when i is too large */
/* All ops, or the one named: name, doc, operands, results, attributes, rule, kinds, kernels. JSON as
 * `tw ops --json` prints it. */
TW_API tw_status_t tw_ops_info(const char *name_or_null, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
