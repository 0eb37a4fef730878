/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as an environment for who learns to choose actions: legal ones, steps and their rewards, steps back,
 * observations. Part of <tilewright/tw.h>. */
#ifndef TW_ENVIRONMENT_H
#define TW_ENVIRONMENT_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_estimate.h>
#include <tilewright/tw_plan.h>
#include <tilewright/tw_program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thread at a time; threads have a clone each. */
typedef struct tw_environment tw_environment_t;

typedef struct tw_environment_options {
  size_t struct_size;
  int64_t cap_bytes;               /* that a device may need at most; 0: what the system's devices have */
  const tw_lower_options_t *lower; /* how plans are lowered; NULL: all defaults */
  const char *axes;                /* the axes to decide about, "data,model"; NULL: all of devices */
  int32_t even_only;               /* nonzero: no argument is cut in tiles of more than one size */
} tw_environment_options_t;

/* An environment that begins with a plan; what is decided there stays, and the plan itself does not change.
 * What actions decide about, and errors: as for tw_search_create. options: NULL for defaults. */
TW_API tw_status_t tw_environment_create(const tw_plan_t *plan, const tw_system_t *system,
                                         const tw_environment_options_t *options,
                                         tw_environment_t **out_environment);
/* Another one that has taken the same steps. They share what never changes, and may be used at once. */
TW_API tw_status_t tw_environment_clone(const tw_environment_t *environment,
                                        tw_environment_t **out_environment);
TW_API tw_environment_t *tw_environment_retain(tw_environment_t *environment);
TW_API void tw_environment_release(tw_environment_t *environment);

/* Actions are numbered from 0; the last one stops, and ends the episode. 0 of NULL. */
TW_API size_t tw_environment_num_actions(const tw_environment_t *environment);
/* One number for each action: 1 where it may be taken now, 0 where what it decides is decided, where its
 * tiles would not be contiguous, or where the episode is over. `max_mask`: how many numbers there is room
 * for; TW_INVALID_ARGUMENT where that is too little. */
TW_API tw_status_t tw_environment_mask(tw_environment_t *environment, uint8_t *out_mask, size_t max_mask);

/* Takes an action, and propagates. The reward is ln(cost before / cost behind), the cost being that of
 * tw_environment_price: those of an episode add up to the logarithm of how much faster the program is.
 * *out_done: 1 where it stopped. TW_FAILED_PRECONDITION: the action would change nothing, or the episode is
 * over. Nothing has changed then, and the message says why. A few actions are known to change nothing only
 * when they were tried, since what they make cannot be lowered, or cuts unevenly; then the mask has them no
 * more. TW_OUT_OF_RANGE: there is no such action. A step that was taken before after the same actions takes
 * less than a microsecond, and allocates nothing. */
TW_API tw_status_t tw_environment_step(tw_environment_t *environment, size_t action, double *out_reward,
                                       int *out_done);
/* Takes the last steps back. TW_OUT_OF_RANGE: there are not as many. */
TW_API tw_status_t tw_environment_undo(tw_environment_t *environment, size_t steps);
/* How many steps were taken. 0 of NULL. */
TW_API size_t tw_environment_num_steps(const tw_environment_t *environment);
/* The actions that were taken, a snapshot for tw_environment_restore, also of a clone. `max_actions`: how
 * many there is room for, as above. */
TW_API tw_status_t tw_environment_snapshot(const tw_environment_t *environment, int64_t *out_actions,
                                           size_t max_actions);
/* Goes where these actions lead to; none: to the beginning. What they begin alike with stays as it is. After
 * an error, which is that of a step, all is as before. */
TW_API tw_status_t tw_environment_restore(tw_environment_t *environment, const int64_t *actions,
                                          size_t num_actions);

/* How many floats an observation has. 0 of NULL. */
TW_API size_t tw_environment_num_features(const tw_environment_t *environment);
/* What the plan is like now, all in one array. First of the plan: what was saved, as rewards add up;
 * seconds computing and moving, as parts of what a run takes in the beginning; the peak as a part of the
 * cap; 1 where it fits; 1 where the episode is over; ln(1 + bytes received); and of each axis of the mesh
 * ln(its size). Then of each subject, which is what actions tile: four of which one is 1 (a weight, a
 * state, another argument, a value between); ln(1 + bytes), ln(1 + layers) and ln(1 + operations of what
 * reads it), whole; which part of it a device has; and of each axis as many as the dimensions of the
 * subject that has most, and one more: 1 for the dimension that is over the axis, the last one 1 where it
 * stays whole there, and all 0 where nothing is decided. tw_environment_json names each. `max_features`: as
 * `max_mask` above. */
TW_API tw_status_t tw_environment_observe(const tw_environment_t *environment, float *out_features,
                                          size_t max_features);

/* What a run costs by the plan as it is now, one thing after the other. */
typedef struct tw_price_view {
  size_t struct_size;
  double cost_s; /* both times; where it does not fit (2 + 10 * (peak / cap - 1)) times as much */
  double computing_s, moving_s;
  int64_t received_bytes;        /* of all devices together */
  int64_t peak_bytes, cap_bytes; /* of a device */
  int32_t fits;                  /* 1 or 0 */
} tw_price_view_t;
TW_API tw_status_t tw_environment_price(const tw_environment_t *environment, tw_price_view_t *out_view);

/* The actions so far as lines of a spec, behind those of the plan that the environment began with; the cost
 * behind each is in a comment. They are those of all layers. An error in the rare case that the whole program
 * does not take what the layers took that steps are tried on. */
TW_API tw_status_t tw_environment_spec(tw_environment_t *environment, tw_blob_t **out_text);
/* The plan with them. */
TW_API tw_status_t tw_environment_plan(tw_environment_t *environment, tw_plan_t **out_plan);
/* What numbers mean, which never changes: {"cap_bytes", "actions": [{"kind", "subject", "dim", "axis"}],
 * "subjects": [{"kind", "layers", "arguments" or "value", "type"}], "features": {"plan": [name], "subject":
 * [name]}, "conflicts": {"offsets", "actions"}}. `kind` of an action is "tile", "state" (states in tiles of
 * their largest dimension that is whole, ZeRO 2), "storage" (weights too, ZeRO 3), "borders" (ops on both
 * sides of what moves where each op is tiled by itself, as in the bound of a search) or "stop".
 * `conflicts`: of action a those from actions[offsets[a]] to actions[offsets[a + 1] - 1] leave it no room, or
 * it leaves them none, where one of both is the first step. They are found by taking each step. */
TW_API tw_status_t tw_environment_json(const tw_environment_t *environment, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
