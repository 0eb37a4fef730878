/* SPDX-License-Identifier: Apache-2.0 */
/* Array programs: imported and looked at; the registry of ops. tw_builder.h builds them, tw_walk.h walks
 * them. Part of <tilewright/tw.h>. */
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
  const char *file;  /* name used in error positions; NULL: "<text>" */
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

/* Reads StableHLO text (pretty or generic form, also with mhlo spelling, sdy and GSPMD annotations), or by
 * its magic MLIR bytecode: a portable artifact of StableHLO, version 0.9 or later, or bytecode of its
 * dialects, bare or as jax.export serialises it. `text` need not end in NUL and is not kept.
 * TW_INVALID_ARGUMENT carries file, line, column, the line with a caret and what was expected, or of an
 * artifact the byte and the section; unknown ops are listed together. A file that is neither (ONNX, HLO
 * protos, gzip) is named for what it is, with the conversion that helps. */
TW_API tw_status_t tw_graph_import(const char *text, size_t size, const tw_import_options_t *options,
                                   tw_graph_t **out_graph);

TW_API tw_graph_t *tw_graph_retain(tw_graph_t *graph);
TW_API void tw_graph_release(tw_graph_t *graph);

/* A value of the graph, or of the builder that made it. */
typedef uint32_t tw_value_t;
#define TW_NO_VALUE 0xffffffffu

/* One array's type. */
typedef struct tw_type {
  tw_dtype_t dtype;
  const int64_t *dims;
  size_t ndims;
  uint64_t reserved[2];
} tw_type_t;

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

/* Which result argument i may be overwritten by: tf.aliasing_output of the text, or what the builder said.
 * -1: none; -2: it is donated without saying to which (jax.buffer_donor). */
TW_API int64_t tw_graph_donated_to(const tw_graph_t *graph, size_t i);

/* Which mesh the module declares (sdy.mesh; of several the one that its shardings name first), as text for
 * tw_mesh_parse; "" when it declares none. It is the mesh of a plan that is given none. */
TW_API const char *tw_graph_mesh(const tw_graph_t *graph);
/* Of a program that is the code of one device (collectives of the shard dialect): how many dimensions in
 * front of every argument and result count the devices of its grid. 0: a program over whole arrays. */
TW_API size_t tw_graph_grid_rank(const tw_graph_t *graph);

/* Arguments, results, functions, op census, FLOPs, bytes, annotations found, what the module states of its
 * arguments and results as written ("stated"), what is opaque, elided or ignored and why; with `with_values`
 * also every value with its stable name, type and op. JSON as `tw info --json` prints it. */
TW_API tw_status_t tw_graph_info(const tw_graph_t *graph, int with_values, tw_blob_t **out_json);

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
