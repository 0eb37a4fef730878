/* SPDX-License-Identifier: Apache-2.0 */
/* Walking a plan: shardings, loop nests, actions and conflicts as objects and structs. Part of
 * <tilewright/tw.h>.
 *
 *   for (size_t i = 0; i < tw_plan_num_loops(plan, op); ++i) {
 *     tw_loop_view_t loop = {.struct_size = sizeof loop};
 *     tw_plan_loop(plan, op, i, &loop);
 *     printf("axis %s: action %zu\n", loop.axis, loop.action);
 *   }
 *
 * Ops and values are those of the graph (tw_walk.h). Strings in views of a plan are valid until the plan
 * changes; objects that are handed out stay what the plan was then.
 */
#ifndef TW_WALK_PLAN_H
#define TW_WALK_PLAN_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_graph.h>
#include <tilewright/tw_plan.h>
#include <tilewright/tw_sharding.h>
#include <tilewright/tw_walk.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shardings ---- */

/* The mesh as it is now: with the axes that actions added, and parts of axes of which they name some. */
TW_API tw_status_t tw_plan_mesh(const tw_plan_t *plan, tw_mesh_t **out_mesh);

/* How a value lies as its users get it. A dimension of it is open where propagation may still tile it.
 * TW_OUT_OF_RANGE: the graph has no such value; TW_FAILED_PRECONDITION: it is inside a region that combines
 * elements, whose op speaks for it. */
TW_API tw_status_t tw_plan_value_sharding(const tw_plan_t *plan, tw_value_t value,
                                          tw_sharding_t **out_sharding);
/* How argument i is given, and how result i is handed out. TW_OUT_OF_RANGE: there is none. */
TW_API tw_status_t tw_plan_argument_sharding(const tw_plan_t *plan, size_t i, tw_sharding_t **out_sharding);
TW_API tw_status_t tw_plan_result_sharding(const tw_plan_t *plan, size_t i, tw_sharding_t **out_sharding);

/* ---- actions ---- */

/* One step that was applied: a line of a spec, an annotation of the module, a call such as tw_plan_tile. */
typedef struct tw_action_view {
  size_t struct_size; /* set by the caller, here and in the other views */
  const char *text;   /* as written */
  const char *file;   /* "" where it stands in no text */
  uint32_t line;      /* from 1; 0: it stands in no line */
  uint32_t column;
} tw_action_view_t;

#define TW_NO_ACTION 0xffffffffu

/* Action 0 stands for the annotations of the module as a whole. */
TW_API size_t tw_plan_num_actions(const tw_plan_t *plan);
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_plan_action(const tw_plan_t *plan, size_t i, tw_action_view_t *out_view);

/* ---- nests ---- */

/* What a loop over an axis does to its op. */
typedef int32_t tw_loop_kind_t;
enum tw_loop_kind {
  TW_LOOP_SIGNED = -1,
  TW_LOOP_TILE = 0,   /* tiles results */
  TW_LOOP_REDUCE = 1, /* reduces: each turn makes a partial value */
  TW_LOOP_WHOLE = 2   /* nothing: the op is kept whole on the axis on purpose */
};

/* One loop around an op. */
typedef struct tw_loop_view {
  size_t struct_size;
  const char *axis; /* in the plan's mesh */
  tw_loop_kind_t kind;
  int32_t dim;              /* of the first result, or the first operand, that it tiles; -1: none */
  tw_reduction_t reduction; /* of TW_LOOP_REDUCE */
  size_t action;            /* from which it follows */
  tw_op_t cause;            /* the neighbour whose loop it follows; TW_NO_OP: an action put it here */
} tw_loop_view_t;

/* The loops around an op, outermost first. None where nothing was decided; a while, an if and a case have
 * none: what they carry is tiled (tw_plan_value_sharding). */
TW_API size_t tw_plan_num_loops(const tw_plan_t *plan, tw_op_t op);
/* TW_OUT_OF_RANGE: the graph has no such op, or the op no such loop. */
TW_API tw_status_t tw_plan_loop(const tw_plan_t *plan, tw_op_t op, size_t i, tw_loop_view_t *out_view);
/* The dimension of each operand, and of each result, that the loop tiles; -1: none. As many numbers as the op
 * has operands and results; either may be NULL. */
TW_API tw_status_t tw_plan_loop_dims(const tw_plan_t *plan, tw_op_t op, size_t i, int32_t *out_operand_dims,
                                     int32_t *out_result_dims);

/* ---- conflicts ---- */

/* Why an axis was not given to an op, or a value moves. */
typedef int32_t tw_conflict_kind_t;
enum tw_conflict_kind {
  TW_CONFLICT_SIGNED = -1,
  TW_CONFLICT_TIE = 0,      /* neighbours offer different things, equally near */
  TW_CONFLICT_GATE = 1,     /* TW_PROPAGATE: not every operand is tiled; TW_INFER_PROPAGATE would go on */
  TW_CONFLICT_UNEVEN = 2,   /* a reshape would cut inside blocks that stay together */
  TW_CONFLICT_STRIDED = 3,  /* a tile inside a reshaped dimension would not be contiguous */
  TW_CONFLICT_MISMATCH = 4, /* decided, and a neighbour is tiled another way: the value between them moves */
  TW_CONFLICT_ILLEGAL = 5   /* what a neighbour offers must stay whole in the op */
};

/* A list of them, as they were when it was made. Immutable; the strings of its views are its own. */
typedef struct tw_conflicts tw_conflicts_t;

/* What propagation could not decide: the tw_plan_num_conflicts of the plan. Costs are not known (-1). */
TW_API tw_status_t tw_plan_conflicts(const tw_plan_t *plan, tw_conflicts_t **out_conflicts);
/* Decided neighbours that do not agree: mismatches, and what must stay whole. Costs are not known (-1). */
TW_API tw_status_t tw_plan_disagreements(const tw_plan_t *plan, tw_conflicts_t **out_conflicts);
TW_API tw_conflicts_t *tw_conflicts_retain(tw_conflicts_t *conflicts);
TW_API void tw_conflicts_release(tw_conflicts_t *conflicts);
TW_API size_t tw_conflicts_count(const tw_conflicts_t *conflicts);

typedef struct tw_conflict_view {
  size_t struct_size;
  tw_conflict_kind_t kind;
  const char *axis;
  tw_op_t op;       /* where; for a value on which an action was, the op that makes it */
  tw_value_t value; /* its first result; TW_NO_VALUE: it has none */
  const char *text; /* all of it in a line, for people */
  size_t num_ways;
} tw_conflict_view_t;
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_conflicts_view(const tw_conflicts_t *conflicts, size_t i, tw_conflict_view_t *out_view);

/* One way to decide a conflict. Of a disagreement the first one is what the op does now. */
typedef struct tw_way_view {
  size_t struct_size;
  tw_loop_kind_t kind;
  int32_t dim; /* as in tw_loop_view_t */
  tw_reduction_t reduction;
  const char *text;   /* "tile 0"; with the order of axes where that is at stake, "tile 0 {b,a}" */
  tw_op_t source;     /* the neighbour that offers it; TW_NO_OP: none */
  size_t action;      /* from which that follows; 0 with TW_NO_OP */
  int64_t bytes;      /* that the busiest device receives in the program with this decided; -1: not known */
  int64_t more_bytes; /* than in the program as it stands; meaningless where `bytes` is -1 */
} tw_way_view_t;
/* TW_OUT_OF_RANGE: i or `way` is too large. */
TW_API tw_status_t tw_conflicts_way(const tw_conflicts_t *conflicts, size_t i, size_t way,
                                    tw_way_view_t *out_view);

#ifdef __cplusplus
}
#endif
#endif
