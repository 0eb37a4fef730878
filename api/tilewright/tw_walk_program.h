/* SPDX-License-Identifier: Apache-2.0 */
/* Walking a program: instructions, values and collectives as structs. Part of <tilewright/tw.h>.
 *
 *   for (size_t i = 0; i < tw_program_num_instrs(program); ++i) {
 *     tw_instr_view_t instr = {.struct_size = sizeof instr};
 *     tw_program_instr(program, i, &instr);
 *     if (instr.kind == TW_INSTR_COLLECTIVE) printf("collective %u\n", instr.collective);
 *   }
 *
 * Instructions, local values and collectives are numbers that begin at 0. All pointers are the program's and
 * valid as long as it lives. Sets of axes are bits: bit a is axis a of tw_program_mesh.
 */
#ifndef TW_WALK_PROGRAM_H
#define TW_WALK_PROGRAM_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_program.h>
#include <tilewright/tw_sharding.h>
#include <tilewright/tw_walk.h>
#include <tilewright/tw_walk_plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mesh on which the program runs. */
TW_API tw_status_t tw_program_mesh(const tw_program_t *program, tw_mesh_t **out_mesh);

/* How argument i is given, and how result i is handed out: which tile each device takes or gives
 * (tw_sharding_tile). TW_OUT_OF_RANGE: there is none. */
TW_API tw_status_t tw_program_argument_sharding(const tw_program_t *program, size_t i,
                                                tw_sharding_t **out_sharding);
TW_API tw_status_t tw_program_result_sharding(const tw_program_t *program, size_t i,
                                              tw_sharding_t **out_sharding);

/* The actions that the program follows, as tw_plan_action. */
TW_API size_t tw_program_num_actions(const tw_program_t *program);
TW_API tw_status_t tw_program_action(const tw_program_t *program, size_t i, tw_action_view_t *out_view);

/* ---- values ---- */

/* A value of the graph as the devices hold it in one layout. A value has several where it moves. Lowering
 * adds values and ops of its own where less moves then ("fold_tiles" of tw_lower_options_t). */
typedef uint32_t tw_local_t;

typedef struct tw_local_view {
  size_t struct_size; /* set by the caller, here and in the other views */
  tw_value_t origin;  /* in the graph, whose type it has; TW_NO_VALUE: lowering added it */
  uint32_t instr;     /* that makes it */
} tw_local_view_t;

TW_API size_t tw_program_num_locals(const tw_program_t *program);
/* TW_OUT_OF_RANGE: the program has no such value. */
TW_API tw_status_t tw_program_local(const tw_program_t *program, tw_local_t local_value,
                                    tw_local_view_t *out_view);
TW_API tw_status_t tw_program_local_sharding(const tw_program_t *program, tw_local_t local_value,
                                             tw_sharding_t **out_sharding);

/* ---- instructions ---- */

typedef int32_t tw_instr_kind_t;
enum tw_instr_kind {
  TW_INSTR_SIGNED = -1,
  TW_INSTR_ARGUMENT = 0,   /* the caller's tile of argument `index` */
  TW_INSTR_COMPUTE = 1,    /* runs `op` on tiles */
  TW_INSTR_COLLECTIVE = 2, /* devices exchange or combine what they hold: `collective` */
  TW_INSTR_RESULT = 3,     /* its operand is the caller's tile of result `index` */
  /* A while, if or case: its regions follow each other, with such an instruction before each and one behind
   * the last, numbered by `index`. Number 0 takes the operands of `op`, any other what the region before it
   * yields; the last makes the results of `op`, any other the arguments of the region behind it. */
  TW_INSTR_REGION = 4,
  TW_INSTR_LOOP = 5,     /* what follows runs once for each place along the serial or threads axis `index` */
  TW_INSTR_END_LOOP = 6, /* up to here */
  TW_INSTR_ACCUMULATE = 7, /* a step of such loops puts its tile into the result, or adds its partial value */
  TW_INSTR_SLICE = 8       /* each device takes a part of what it holds itself */
};

typedef struct tw_instr_view {
  size_t struct_size;
  tw_instr_kind_t kind;
  tw_op_t
      op; /* of the graph: what it runs; of a collective the op whose operand or result moves; or TW_NO_OP, also
           * of a computation that lowering added */
  const tw_local_t *operands;
  uint32_t num_operands;
  tw_local_t first_result; /* results are consecutive */
  uint32_t num_results;
  uint32_t index;       /* as the kind says */
  uint32_t collective;  /* for tw_program_collective; TW_NO_COLLECTIVE: it is none */
  uint64_t reduce_axes; /* over which this compute leaves partial values */
} tw_instr_view_t;
#define TW_NO_COLLECTIVE 0xffffffffu

TW_API size_t tw_program_num_instrs(const tw_program_t *program);
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_program_instr(const tw_program_t *program, size_t i, tw_instr_view_t *out_view);

/* ---- collectives ---- */

typedef int32_t tw_collective_kind_t;
enum tw_collective_kind {
  TW_COLLECTIVE_SIGNED = -1,
  TW_COLLECTIVE_ALL_GATHER = 1,
  TW_COLLECTIVE_ALL_REDUCE = 2,
  TW_COLLECTIVE_REDUCE_SCATTER = 3,
  TW_COLLECTIVE_ALL_TO_ALL = 4,
  TW_COLLECTIVE_PERMUTE = 5,
  TW_COLLECTIVE_EXCHANGE = 6 /* none of these: every device gets what it lacks from who holds it */
};

typedef struct tw_collective_view {
  size_t struct_size;
  tw_collective_kind_t kind;
  tw_reduction_t reduction; /* by which partial values combine; TW_REDUCTION_NONE: there are none */
  uint64_t axes;            /* over which data moves */
  uint32_t instr;           /* whose operands and results are what moves, before and after */
  tw_value_t value;         /* of the graph: the first that moves */
  tw_op_t producer;         /* the two ops whose layouts differ; TW_NO_OP: there is none */
  tw_op_t consumer;
  size_t action;                 /* whose decision asks for it: tw_program_action; TW_NO_ACTION: not known */
  int64_t times;                 /* how often it runs; 1 in a loop whose turns depend on data */
  int64_t bytes_received;        /* by the device that receives most, each time */
  double mean_bytes_received;    /* over all devices */
  const char *method;            /* "direct": straight from the holders; else as tw_redistribution_method */
  uint32_t num_steps;            /* of that method */
  const int64_t *bytes_by_level; /* see tw_lower_options_t.levels: what the group, and at last the device, */
  size_t num_levels;             /* that receives most gets from others, outermost first; 0: not planned */
  int64_t scratch_bytes;         /* of intermediate tiles, on the device that needs most */
} tw_collective_view_t;

/* A collective by its number, which is the "id" of the JSON and of tw_program_explain_collective; there are
 * tw_program_num_collectives. TW_OUT_OF_RANGE: there is none. */
TW_API tw_status_t tw_program_collective(const tw_program_t *program, size_t i,
                                         tw_collective_view_t *out_view);

/* ---- conflicts ---- */

/* As tw_plan_conflicts and tw_plan_disagreements, of the plan that was lowered, with the bytes that the
 * program would receive with each way decided. That lowers parts of the plan again: for large programs it
 * takes seconds. */
TW_API tw_status_t tw_program_conflicts(const tw_program_t *program, tw_conflicts_t **out_conflicts);
TW_API tw_status_t tw_program_disagreements(const tw_program_t *program, tw_conflicts_t **out_conflicts);

#ifdef __cplusplus
}
#endif
#endif
