/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: sharding actions on a graph, propagated. Part of <tilewright/tw.h>. */
#ifndef TW_PLAN_H
#define TW_PLAN_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_graph.h>
#include <tilewright/tw_mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A graph, a mesh, and one loop nest per op (PartIR): which mesh axis runs over which factor of the op.
 * One thread at a time. */
typedef struct tw_plan tw_plan_t;

typedef struct tw_plan_options {
  size_t struct_size;
  int32_t
      ignore_annotations; /* nonzero: the module's own sdy and GSPMD annotations, or loops, are not applied */
  /* What propagation does where it has a choice.
   * NULL or "conservative": a tie stays undecided and is reported. ("seeds", its name before 0.2, is read for
   * one more release.)
   * "shardy": ops that pass a sharding on decide first, as in Shardy. A tie is decided by the bytes that the
   * program moves.
   * "cheapest": bytes alone decide. Other orders of the actions are tried as well.
   * "cheapest on SYSTEM": so does the time that a run takes there, by tw_estimate.h; SYSTEM is what
   * tw_system_load takes.
   * "explicit": propagation runs forward only. tw_program_lower refuses what is neither stated nor follows: a
   * tie, partial values without a layout, a move. */
  const char *policy;
} tw_plan_options_t;

/* `mesh` may be NULL: then it is the mesh that the module declares, else a mesh of one device, to which
 * `arg-tile` actions add anonymous axes. Annotations of the module are applied and propagated first. */
TW_API tw_status_t tw_plan_create(const tw_graph_t *graph, const tw_mesh_t *mesh,
                                  const tw_plan_options_t *options, tw_plan_t **out_plan);
/* A plan of its own that begins as this one is, with its actions, conflicts and stamps: to try other ways
 * from here, also in another thread. tw_plan_on_action is not copied. */
TW_API tw_status_t tw_plan_clone(const tw_plan_t *plan, tw_plan_t **out_plan);
TW_API tw_plan_t *tw_plan_retain(tw_plan_t *plan);
TW_API void tw_plan_release(tw_plan_t *plan);

/* Applies a spec: one action a line or several with `;`, in order. `file` names it in error positions (may be
 * NULL). On an error the actions before the failing line stay applied, it and those after it are not. */
TW_API tw_status_t tw_plan_apply(tw_plan_t *plan, const char *spec, size_t size, const char *file);

/* Called by tw_plan_apply after each action, with its text and position. It may read the plan, as
 * tw_plan_emit does, but not change it. */
typedef void (*tw_action_fn)(const tw_plan_t *plan, const char *action, const char *file, uint32_t line,
                             void *user);
/* `callback` NULL: nobody is called. */
TW_API tw_status_t tw_plan_on_action(tw_plan_t *plan, tw_action_fn callback, void *user);
/* The same for hosts whose `user` must end with the plan: `destroy` (NULL: nobody) is called with it once,
 * when another callback takes its place or the plan is gone, by the thread that does so. Not called where
 * this fails. */
TW_API tw_status_t tw_plan_own_action(tw_plan_t *plan, tw_action_fn callback, void *user,
                                      tw_destroy_fn destroy);

/* Tiles dimension `dim` of a value along a mesh axis. `value` is an argument ("x", "params['w*']", "arg3"), a
 * result ("y", "out0") or any value by the name that tw_graph_info and tw_graph_value_name give ("%12"). A
 * value that is tiled so already does not change. TW_INVALID_ARGUMENT names value, dimension, sizes and axes.
 * Other values follow at tw_plan_propagate. */
TW_API tw_status_t tw_plan_tile(tw_plan_t *plan, const char *value, int64_t dim, const char *axis);
/* Keeps a value whole on an axis: propagation stops there. `axis` NULL: on every axis on which nothing is
 * decided of it. */
TW_API tw_status_t tw_plan_atomic(tw_plan_t *plan, const char *value, const char *axis);

/* How far propagation goes: `propagate` and `infer-propagate` of a spec. */
typedef int32_t tw_propagate_mode_t;
enum tw_propagate_mode {
  TW_PROPAGATE_SIGNED = -1,
  TW_PROPAGATE = 0,      /* forms a sum only where every operand that carries the factor is tiled already */
  TW_INFER_PROPAGATE = 1 /* one tiled operand is enough; the others are tiled by inference */
};
/* The result depends only on graph and actions, never on the numbering of ops; what an earlier action
 * decided is never undone. */
TW_API tw_status_t tw_plan_propagate(tw_plan_t *plan, tw_propagate_mode_t mode);

/* Undo: a stamp taken earlier brings the plan back to what it was then. */
TW_API uint64_t tw_plan_stamp(const tw_plan_t *plan);
TW_API tw_status_t tw_plan_undo(tw_plan_t *plan, uint64_t stamp);

/* The sharding of a value or result, `[{data}, {}, {model}]`; parts of an axis are `{model:(1)2}`, as
 * actions and tw_mesh_box read them too. */
TW_API tw_status_t tw_plan_sharding(const tw_plan_t *plan, const char *value, tw_blob_t **out_text);
/* Axes that propagation could not decide, and why. */
TW_API size_t tw_plan_num_conflicts(const tw_plan_t *plan);
/* The chain from the action to this sharding, a step a line; for an axis on which the value is whole: what
 * stopped it. `axis` NULL: all. */
TW_API tw_status_t tw_plan_explain(const tw_plan_t *plan, const char *value, const char *axis,
                                   tw_blob_t **out_text);

/* ---- forms of text ---- */

/* Every form that plans and programs can be printed in, in the order in which `tw emit` lists them. */
TW_API size_t tw_form_count(void);
TW_API const char *tw_form_name(size_t i); /* "loops"; NULL when i is too large, as of tw_form_doc */
/* What it is, in a few words. Empty where the form before it tells of this one too. */
TW_API const char *tw_form_doc(size_t i);
/* Nonzero: tw_plan_emit prints it. Zero: tw_program_emit does. */
TW_API int tw_form_is_of_plan(size_t i);
/* Nonzero: it is no text but bytes, any of which may be 0. */
TW_API int tw_form_is_binary(size_t i);
/* The number of a form in this list, also by a name that it had before 0.2; tw_form_count() where there is
 * none. */
TW_API size_t tw_form_find(const char *name);

/* The plan as text. `form` is one of:
 * "loops": the program with PartIR's loops around its ops. A range counts its tiles, range<2>.
 * "loops-extents": the same; a range has extent and width, range<16,8>. tw_graph_import reads both forms of
 * loops. A plan of that graph starts with these loops, and prints the same text again.
 * "stablehlo+sdy": the whole program in StableHLO's generic form with Shardy annotations of the plan, for JAX
 * and for tw_graph_import. What Shardy cannot express, such as cuts that are not balanced, is left out; a
 * comment in the first line then counts the ops that differ.
 * "stablehlo+sdy-all": the same with the sharding of every value, for tools that must not propagate.
 * "stablehlo+sdy-bytecode": what "stablehlo+sdy" says as a portable artifact of StableHLO, which is no text.
 * Its version is the oldest, from 1.0 on, that has all of it. An op that StableHLO does not have is an error.
 * "shard": the whole program with annotations of MLIR's shard dialect: shard.grid, shard.sharding and
 * shard.shard. tw_graph_import reads it, and a plan of that graph has the same shardings and collectives, or
 * leads to the same program. Where its program moves otherwise, a comment in the first line says what.
 * An error where no annotations give this plan.
 * "spmd-naive", "spmd-naive-extents", "spmd-naive-paper": the last of the steps of tw_debug.h.
 * Names of before 0.2, "loops-002" and "spmd-naive-002", are read for one more release. */
TW_API tw_status_t tw_plan_emit(const tw_plan_t *plan, const char *form, tw_blob_t **out_bytes);

#ifdef __cplusplus
}
#endif
#endif
