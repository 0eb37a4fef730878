/* SPDX-License-Identifier: Apache-2.0 */
/* Walking a graph: its ops, values, regions and attributes as arrays and structs. Part of <tilewright/tw.h>.
 *
 *   for (tw_op_t op = 0; op < tw_graph_op_end(graph); ++op) {
 *     tw_op_view_t view = {.struct_size = sizeof view};
 *     tw_graph_op(graph, op, &view);
 *     printf("%s with %u operands\n", view.name, view.num_operands);
 *   }
 *
 * Ops, values and regions are numbers that begin at 0 and never change. An op stands behind those whose
 * results it reads. All pointers are the graph's and valid as long as it lives. Nothing here allocates, but
 * for the calls that give a blob; a graph of 300,000 ops is walked in less than 10 ms.
 */
#ifndef TW_WALK_H
#define TW_WALK_H

#include <tilewright/tw_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t tw_op_t;
typedef uint32_t tw_region_t;
#define TW_NO_OP 0xffffffffu
#define TW_NO_REGION 0xffffffffu

/* One more than the largest number in use. Ops count func.argument and func.result, one for each argument and
 * result of the program, which tw_graph_num_ops does not. 0 for a NULL graph. */
TW_API size_t tw_graph_op_end(const tw_graph_t *graph);
TW_API size_t tw_graph_value_end(const tw_graph_t *graph);
TW_API size_t tw_graph_region_end(const tw_graph_t *graph);

/* One op. Its results, and its regions, have consecutive numbers. */
typedef struct tw_op_view {
  size_t struct_size; /* set by the caller, here and in the other views */
  const char *name;   /* "stablehlo.add" */
  const tw_value_t *operands;
  uint32_t num_operands;
  uint32_t num_results;
  tw_value_t first_result;
  uint32_t num_regions;
  tw_region_t first_region; /* TW_NO_REGION where there are none */
  tw_region_t parent;       /* the region that holds the op; 0 is the body of the program */
  uint32_t num_attrs;       /* see tw_graph_attr */
  uint32_t line, column;    /* in the imported text, from 1; 0: not known */
} tw_op_view_t;
/* TW_OUT_OF_RANGE: the graph has no such op. */
TW_API tw_status_t tw_graph_op(const tw_graph_t *graph, tw_op_t op, tw_op_view_t *out_view);

/* Attribute i of an op, those that are absent left out, in the order of the op's schema (`tw ops NAME`). The
 * literal of a constant is no attribute: see tw_graph_constant. TW_OUT_OF_RANGE: no such op or attribute. */
TW_API tw_status_t tw_graph_attr(const tw_graph_t *graph, tw_op_t op, size_t i, tw_attr_t *out_attr);

/* The elements of a constant, dense row-major as tensors have them. A splat has one element that stands for
 * all; it sets *out_is_splat. TW_INVALID_ARGUMENT: the op is no constant. */
TW_API tw_status_t tw_graph_constant(const tw_graph_t *graph, tw_op_t op, const void **out_data,
                                     size_t *out_bytes, int *out_is_splat);

/* Where a value is read: operand `operand` of op `op`. */
typedef struct tw_use {
  tw_op_t op;
  uint32_t operand;
} tw_use_t;

/* One value: a result of an op, or an argument of a region. */
typedef struct tw_value_view {
  size_t struct_size;
  tw_dtype_t dtype;
  const int64_t *dims; /* not NULL, also where there are none */
  size_t ndims;
  tw_op_t op;         /* that makes it; TW_NO_OP: it is an argument of `region` */
  uint32_t index;     /* which result of the op, or which argument of the region */
  tw_region_t region; /* in which it is made */
  uint32_t num_uses;
  const tw_use_t *uses; /* in the order of the ops; what a region yields is no use */
} tw_value_view_t;
/* TW_OUT_OF_RANGE: the graph has no such value. */
TW_API tw_status_t tw_graph_value(const tw_graph_t *graph, tw_value_t value, tw_value_view_t *out_view);

/* A region: the body of the program (0), or of a while, a reduction, .. */
typedef struct tw_region_view {
  size_t struct_size;
  tw_op_t parent; /* the op that owns it; TW_NO_OP of region 0 */
  uint32_t num_arguments;
  const tw_value_t *arguments;
  const tw_op_t *ops; /* in order */
  size_t num_ops;
  const tw_value_t *yields; /* what it gives back; none of region 0, whose func.result ops say it */
  size_t num_yields;
} tw_region_view_t;
/* TW_OUT_OF_RANGE: the graph has no such region. */
TW_API tw_status_t tw_graph_region(const tw_graph_t *graph, tw_region_t region, tw_region_view_t *out_view);

/* The value of argument i, and that which result i is; TW_NO_VALUE when i is too large. */
TW_API tw_value_t tw_graph_argument(const tw_graph_t *graph, size_t i);
TW_API tw_value_t tw_graph_result(const tw_graph_t *graph, size_t i);

/* The one value of a name: of an argument, "%12" as texts and reports have it, or of a result, which is the
 * value that it returns. The inverse of tw_graph_value_name. TW_NOT_FOUND lists the nearest names;
 * TW_INVALID_ARGUMENT: the name is a pattern of several. */
TW_API tw_status_t tw_graph_find_value(const tw_graph_t *graph, const char *name, tw_value_t *out_value);

/* How texts spell a value, "%x" or "%12": of an argument this may be another name than
 * tw_graph_argument_name, which is the one to act on. TW_OUT_OF_RANGE: the graph has no such value. */
TW_API tw_status_t tw_graph_symbol(const tw_graph_t *graph, tw_value_t value, tw_blob_t **out_symbol);

/* Where an op comes from as reports say it: "model.py:12", else "file.mlir:40:5", else "". */
TW_API tw_status_t tw_graph_op_location(const tw_graph_t *graph, tw_op_t op, tw_blob_t **out_text);

#ifdef __cplusplus
}
#endif
#endif
