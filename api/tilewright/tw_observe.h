/* SPDX-License-Identifier: Apache-2.0 */
/* What executables do, and what the machine could do at most. Part of <tilewright/tw.h>. */
#ifndef TW_OBSERVE_H
#define TW_OBSERVE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The documents below are JSON, of an executable that is not running: TW_FAILED_PRECONDITION else. */

/* The flight recorder, which is always on: where each device is after the last run, and the last 256
 * stretches that it ran without a pause, {"steps": [{"step", "name", "bytes"}], "devices": [{"device", "at",
 * "state", "records": [{"us", "for_us", "did", "first", "last", "worker"}]}]}. `state` is "finished", "waits"
 * (at step `at`, for others) or "stopped"; `did` is "arrived" (ran the steps before `last`, a collective),
 * "combined" (ran the collective for its group), "finished" or "stopped". Times of stretches below a few
 * microseconds are coarse. With a comm "exchange" is how processes exchange: "messages"; devices that are not
 * the host by "NCCL 2.28.9" or "memory of the host: .." with the reason. */
TW_API tw_status_t tw_executable_flight(const tw_executable_t *executable, tw_blob_t **out_json);

/* Chrome's trace events, for chrome://tracing or Perfetto: a track for each device and one for each worker,
 * with names and bytes of the steps of all runs; 2^20 events a worker, then `otherData.complete` is false.
 * Devices that are not the host have tracks alone; their times are those of their own clock, between events
 * around what a step does, and 2^20 of all together are kept.
 * TW_FAILED_PRECONDITION: not made with TW_OBSERVE_TRACE. */
TW_API tw_status_t tw_executable_trace(const tw_executable_t *executable, tw_blob_t **out_json);

/* What each step took over all runs: {"runs", "steps": [{"step", "name", "kernel", "shape", "location",
 * "ops", "calls", "ns", "flops", "bytes"}]}. `ns` is processor time of all workers together; on devices that
 * are not the host it is the time of the device, of all together, and steps are issued one by one, not
 * recorded. Flops and bytes are of all devices. "exchange" as in tw_executable_flight.
 * TW_FAILED_PRECONDITION: not made with TW_OBSERVE_PROFILE. */
TW_API tw_status_t tw_executable_profile(const tw_executable_t *executable, tw_blob_t **out_json);

/* What the host does in a run for devices that are not the host, on copies of their tiles: steps for
 * which they have no kernel, and collectives that go through its memory: {"steps", "of", "bytes", "groups":
 * [{"name", "steps", "bytes", "reason"}]}, by op and reason. `of`: all steps; `bytes`: copied by one run for
 * the devices of this process, bodies of loops once. Arguments and results of the run are not counted. On the
 * host there are none. */
TW_API tw_status_t tw_executable_on_host(const tw_executable_t *executable, tw_blob_t **out_json);

typedef struct tw_counters {
  size_t struct_size;               /* set by the caller */
  int64_t runs, failed_runs;        /* that are over; cancelled ones have failed */
  int64_t steps;                    /* of the program that every device runs */
  int64_t collectives;              /* of these */
  int64_t bytes;                    /* read and written by one run on all devices, bodies of loops once */
  int64_t kernel_ns, collective_ns; /* processor time over all runs; 0 without TW_OBSERVE_PROFILE */
} tw_counters_t;
TW_API tw_status_t tw_executable_counters(const tw_executable_t *executable, tw_counters_t *out_counters);

/* Measures, within a second or two, what the workers of `context` (NULL: one a core) can do at most:
 * {"cores", "workers", "fma_gflops": {"one", "all"}, "copy_gbps": {"one", "all"}, "read_gbps": {"one",
 * "all"}, "cache_bytes": [L1, L2, L3], "gpus": [{"name", "architecture", "processors", "bytes", "gbps"}]}.
 * Multiply-adds of f32 in registers; memory beyond the caches, copies counted as read and written, 10^9 bytes
 * a second. The GPUs that CUDA finds, with what their driver states, not measured. */
TW_API tw_status_t tw_machine_limits(const tw_context_t *context, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
