/* SPDX-License-Identifier: Apache-2.0 */
/* What a program takes on a machine, before anything runs. Part of <tilewright/tw.h>.
 *
 *   tw_system_load("a100-80g", &system);
 *   tw_program_estimate(program, system, NULL, &estimate);
 *   for (size_t i = 0; i < tw_estimate_num_steps(estimate); ++i) {
 *     tw_step_view_t step = {.struct_size = sizeof step};
 *     tw_estimate_step(estimate, i, &step);
 *     printf("%g s: %s\n", step.seconds * step.times, step.what);
 *   }
 *
 * Steps, places and what is held are numbers that begin at 0. All pointers are the estimate's and valid as
 * long as it lives.
 */
#ifndef TW_ESTIMATE_H
#define TW_ESTIMATE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_program.h>
#include <tilewright/tw_walk_program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- systems ---- */

/* A machine: what its devices compute and hold, and how they reach each other (docs/estimate.md). */
typedef struct tw_system tw_system_t;

/* One that comes with the library ("cpu-local", "tpuv3-core", "a100-40g", "a100-80g", "h100-sxm",
 * "h200-sxm"), or a file. TW_NOT_FOUND: neither; TW_INVALID_ARGUMENT: the file is wrong, with line and
 * column; TW_RESOURCE_EXHAUSTED: it is far too large to be one. */
TW_API tw_status_t tw_system_load(const char *name_or_file, tw_system_t **out_system);
/* The same from the text of such a file. `file` is what errors and reports call it; NULL: "<system>". */
TW_API tw_status_t tw_system_parse(const char *text, size_t size, const char *file, tw_system_t **out_system);
TW_API tw_system_t *tw_system_retain(tw_system_t *system);
TW_API void tw_system_release(tw_system_t *system);
/* As it was loaded: the name or the file. NULL for a NULL system. */
TW_API const char *tw_system_name(const tw_system_t *system);

/* ---- estimates ---- */

/* What one run of a program takes on a system. Immutable. */
typedef struct tw_estimate tw_estimate_t;

typedef struct tw_estimate_options {
  size_t struct_size;
  int64_t cap_bytes;  /* that a device may need at most; 0: what the system's devices have */
  int64_t trip_count; /* turns of loops that data end; 0: the system's guess */
  int donate;         /* nonzero: results may be written over donated arguments */
} tw_estimate_options_t;

/* Steps are those that an executable would run, each on the device that has most of it. TW_NOT_FOUND: an
 * axis of the mesh of which the system says nothing. options: NULL for defaults. */
TW_API tw_status_t tw_program_estimate(const tw_program_t *program, const tw_system_t *system,
                                       const tw_estimate_options_t *options, tw_estimate_t **out_estimate);
TW_API tw_estimate_t *tw_estimate_retain(tw_estimate_t *estimate);
TW_API void tw_estimate_release(tw_estimate_t *estimate);

/* JSON: {"system", "fits", "peak_bytes", "cap_bytes", "time_ms": {"serial", "overlapped"}, "compute_ms",
 * "memory_bound_ms", "communication_ms", "by_axis_ms": {axis: ms}, "peak": {"at", "location", "top":
 * [{"value", "bytes", "what"}]}, "steps": [{"what", "ms", "times", "bound", "flops", "bytes", "value",
 * "location"}], "notes"}. `what` of a value is "parameter", "state", "gradient", "activation", "gathered" or
 * "buffer", as tw_role_t. `steps`: the ten dearest, alike ones as one; `ms` of each. `notes`: what is guessed
 * or not counted. */
TW_API tw_status_t tw_estimate_json(const tw_estimate_t *estimate, tw_blob_t **out_json);
/* The same for people: tables no wider than `width` columns (0: 120). */
TW_API tw_status_t tw_estimate_report(const tw_estimate_t *estimate, size_t width, tw_blob_t **out_text);
/* The run as a Chrome trace, for Perfetto: {"displayTimeUnit", "otherData": {"system", "simulated": true,
 * "ms"}, "traceEvents"}. Process 1 has a row for each device, or, of more than 64, for those whose tiles have
 * the same sizes; process 2 one for each kind of links, as a system file calls it ("axis model", "level
 * node"; "inside node": within the groups of the last level). "ts" and "dur" are microseconds of the
 * first run of a step, whose "args" are {"step", "value", "location", "bound", "times", "flops", "bytes"}.
 * The counter "memory" has the bytes that are held when a step begins. */
TW_API tw_status_t tw_estimate_trace(const tw_estimate_t *estimate, tw_blob_t **out_json);

/* ---- totals ---- */

typedef struct tw_estimate_view {
  size_t struct_size; /* set by the caller, here and in the other views */
  double serial_s;    /* one thing after the other: the sum of the next three */
  double compute_s;   /* of steps that operations bound */
  double memory_s;    /* of steps that bytes bound */
  double communication_s;
  double overlapped_s; /* collectives beside what does not need them */
  int64_t peak_bytes;  /* of the device that needs most: with what lies between its arrays, what its libraries
                        * hold and what its allocator adds */
  int64_t cap_bytes;   /* that it may need */
  int fits;            /* nonzero: it does not need more */
  size_t peak_place;   /* where its arrays take most: tw_estimate_place */
} tw_estimate_view_t;
TW_API tw_status_t tw_estimate_totals(const tw_estimate_t *estimate, tw_estimate_view_t *out_view);
/* Of communication_s what goes over an axis of tw_program_mesh. 0 when `axis` is too large. */
TW_API double tw_estimate_axis_seconds(const tw_estimate_t *estimate, size_t axis);

/* ---- steps ---- */

/* What decides how long a step takes. */
typedef int32_t tw_bound_t;
enum tw_bound {
  TW_BOUND_SIGNED = -1,
  TW_BOUND_COMPUTE = 0, /* its operations */
  TW_BOUND_MEMORY = 1,  /* what it reads and writes */
  TW_BOUND_LINK = 2     /* what moves between devices */
};

typedef struct tw_step_view {
  size_t struct_size;
  const char *what;     /* "dot_general", "add and 7 more", "all_reduce over model" */
  const char *value;    /* that it makes first, as tw_graph_value_name; "": none */
  const char *location; /* of its first op, as tw_graph_op_location */
  uint32_t instr;       /* the first that it runs, for tw_program_instr; TW_NO_INSTR: it only copies */
  uint32_t num_ops;
  uint32_t collective; /* for tw_program_collective; TW_NO_COLLECTIVE: it is none */
  tw_bound_t bound;
  int64_t times;  /* that it runs */
  double seconds; /* of one run of it, and so are the next two */
  double flops;
  double bytes;   /* read and written; of a collective as docs/estimate.md counts them */
  double begin_s; /* of its first run, where collectives run beside what does not need them */
  double lasts_s; /* there: `seconds`, and more where something moves meanwhile */
} tw_step_view_t;
#define TW_NO_INSTR 0xffffffffu

/* In the order of the program. `seconds` times `times` add up to serial_s, and those of each bound to its
 * part. */
TW_API size_t tw_estimate_num_steps(const tw_estimate_t *estimate);
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_estimate_step(const tw_estimate_t *estimate, size_t i, tw_step_view_t *out_view);

/* ---- collectives ---- */

typedef struct tw_collective_cost_view {
  size_t struct_size;
  tw_collective_kind_t kind;
  uint64_t axes;  /* bit a is axis a of tw_program_mesh */
  uint32_t step;  /* for tw_estimate_step; TW_NO_STEP: who reads it adds it up, or nothing reads it */
  int64_t times;  /* as of its step, and so are the next two; 0 with TW_NO_STEP */
  double seconds; /* of one run of it */
  double bytes;
} tw_collective_cost_view_t;
#define TW_NO_STEP 0xffffffffu

/* What collective i of the program takes; there are tw_program_num_collectives. `seconds` times `times` add
 * up to communication_s. TW_OUT_OF_RANGE: there is none. */
TW_API tw_status_t tw_estimate_collective(const tw_estimate_t *estimate, size_t i,
                                          tw_collective_cost_view_t *out_view);

/* ---- memory over time ---- */

/* A place of the program: before the first step, at one of them, or behind the last. */
typedef struct tw_place_view {
  size_t struct_size;
  int64_t bytes;  /* of the arrays that the device which needs most has then, the caller's among them */
  uint32_t instr; /* the first that runs then; TW_NO_INSTR: none */
  uint32_t step;  /* for tw_estimate_step; TW_NO_STEP: what runs then takes no time, as a jump */
} tw_place_view_t;

TW_API size_t tw_estimate_num_places(const tw_estimate_t *estimate);
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_estimate_place(const tw_estimate_t *estimate, size_t i, tw_place_view_t *out_view);

/* What an array is for. */
typedef int32_t tw_role_t;
enum tw_role {
  TW_ROLE_SIGNED = -1,
  TW_ROLE_PARAMETER = 0,  /* an argument */
  TW_ROLE_STATE = 1,      /* an argument that only an update reads, as the moments of Adam */
  TW_ROLE_GRADIENT = 2,   /* of the type of a parameter that is updated */
  TW_ROLE_ACTIVATION = 3, /* none of the others */
  TW_ROLE_GATHERED = 4,   /* by an all_gather */
  TW_ROLE_BUFFER = 5      /* of a collective that neither gathers nor adds */
};

typedef struct tw_held_view {
  size_t struct_size;
  const char *value; /* as tw_graph_value_name */
  tw_local_t local_value;
  int64_t bytes;
  tw_role_t role;
} tw_held_view_t;

/* What the device has at peak_place, the largest first: together the bytes of that place. */
TW_API size_t tw_estimate_num_held(const tw_estimate_t *estimate);
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_estimate_held(const tw_estimate_t *estimate, size_t i, tw_held_view_t *out_view);

#ifdef __cplusplus
}
#endif
#endif
