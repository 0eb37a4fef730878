/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous runs: start, test, wait, cancel. Part of <tilewright/tw.h>.
 *
 *   tw_run_start(exe, inputs, 3, outputs, 1, &run);      // returns at once
 *   ...
 *   tw_run_wait(run);                                    // helps, then says how it ended
 *   tw_run_release(run);
 *
 * Who does the work: idle threads of the executable's pool, and whoever waits. Executables of one context
 * share its pool, so that any number of runs of different executables share its threads; runs begun earlier
 * are served first. With one worker, or with threads of the host (tw_context_options_t.parallel_for), nobody
 * is idle: then work happens inside tw_run_wait, and each call of tw_run_test runs one device to its next
 * collective, so that a program without threads drives several runs by testing them in turn.
 */
#ifndef TW_RUN_H
#define TW_RUN_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One run of an executable. It keeps the executable and the tensors alive. */
typedef struct tw_run tw_run_t;

/* Begins a run, with arrays as in tw_executable_run. Inputs must not be written, and outputs neither read nor
 * written, until it is over. TW_FAILED_PRECONDITION: a run of this executable is in progress. It is until
 * tw_run_test or tw_run_wait said that it is over, or it was released. */
TW_API tw_status_t tw_run_start(tw_executable_t *executable, const tw_tensor_t *const *inputs,
                                size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs,
                                tw_run_t **out_run);
/* Whether the run is over; waits for nothing. How it ended is what tw_run_wait then returns at once. */
TW_API tw_status_t tw_run_test(tw_run_t *run, int *out_over);
/* Works on the run until it is over, and answers how it ended: as tw_executable_run does, or TW_CANCELLED.
 * The same again when asked again. */
TW_API tw_status_t tw_run_wait(tw_run_t *run);
/* Ends the run on every device at its next instruction; outputs keep their bytes, and the executable can run
 * again. Changes nothing where the run is over or has begun to write outputs: then it succeeds. Returns at
 * once; may be called from any thread, also during tw_run_test and tw_run_wait. */
TW_API tw_status_t tw_run_cancel(const tw_run_t *run);
TW_API tw_run_t *tw_run_retain(tw_run_t *run);
/* The last release of a run that is not over cancels it and waits until nobody works on it. */
TW_API void tw_run_release(tw_run_t *run);

#ifdef __cplusplus
}
#endif
#endif
