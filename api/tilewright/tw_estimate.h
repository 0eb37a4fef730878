/* SPDX-License-Identifier: Apache-2.0 */
/* What a program takes on a machine, before anything runs. Part of <tilewright/tw.h>. */
#ifndef TW_ESTIMATE_H
#define TW_ESTIMATE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_estimate_options {
  size_t struct_size;
  int64_t cap_bytes;  /* that a device may need at most; 0: what the system's devices have */
  int64_t trip_count; /* turns of loops that data end; 0: the system's guess */
  int donate;         /* nonzero: results may be written over donated arguments */
} tw_estimate_options_t;

/* Seconds and bytes of one run on the machine that `system` describes: the name of one that comes with the
 * library ("cpu-local", "tpuv3-core", "a100-40g", "a100-80g", "h100-sxm", "h200-sxm") or a file of this form
 * (docs/estimate.md). Steps are those that an executable would run, each on the device that has most of it.
 * JSON: {"system", "fits", "peak_bytes", "cap_bytes", "time_ms": {"serial", "overlapped"}, "compute_ms",
 * "memory_bound_ms", "communication_ms", "by_axis_ms": {axis: ms}, "peak": {"at", "location", "top":
 * [{"value", "bytes", "what"}]}, "steps": [{"what", "ms", "times", "bound", "flops", "bytes", "value",
 * "location"}], "notes"}. `what` of a value is "parameter", "state", "gradient", "activation", "gathered" or
 * "buffer". The three parts add up to "serial". `steps`: the ten dearest, alike ones as one; `ms` of each.
 * `notes`: what is guessed or not counted.
 * TW_NOT_FOUND: no such system, or an axis of the mesh of which it says nothing; TW_INVALID_ARGUMENT: the
 * file is wrong, with line and column. options: NULL for defaults. */
TW_API tw_status_t tw_program_estimate(const tw_program_t *program, const char *system,
                                       const tw_estimate_options_t *options, tw_blob_t **out_json);
/* The same for people: tables no wider than `width` columns (0: 120). */
TW_API tw_status_t tw_program_estimate_report(const tw_program_t *program, const char *system,
                                              const tw_estimate_options_t *options, size_t width,
                                              tw_blob_t **out_text);
/* The estimated run as a Chrome trace, for Perfetto: {"displayTimeUnit", "otherData": {"system", "simulated":
 * true, "ms"}, "traceEvents"}. One row computes, one for each mesh axis moves; "ts" and "dur" are
 * microseconds of the first run of a step, whose "args" are {"value", "location", "bound", "times", "flops",
 * "bytes"}. */
TW_API tw_status_t tw_program_estimate_trace(const tw_program_t *program, const char *system,
                                             const tw_estimate_options_t *options, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
