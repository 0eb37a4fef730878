/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the actions after which a program takes the least time on a machine. Part of <tilewright/tw.h>. */
#ifndef TW_SEARCH_H
#define TW_SEARCH_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_estimate.h>
#include <tilewright/tw_plan.h>
#include <tilewright/tw_program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A search, and what it found. */
typedef struct tw_search tw_search_t;

typedef struct tw_search_options {
  size_t struct_size;
  int64_t cap_bytes; /* that a device may need at most; 0: what the system's devices have */
  /* Plans to price at most, and as many again each time (up to five) that what was found does not fit, and
   * once where much may be left to save in a small program. 0: 1000, or no limit where `seconds` is given. */
  int64_t episodes;
  double seconds;  /* the same in time; 0: no limit. What is found then depends on the machine */
  uint64_t seed;   /* of what is drawn */
  int32_t threads; /* the caller of run being one of them; 0: one a core. Results do not depend on it */
  const tw_lower_options_t *lower; /* how plans are lowered; NULL: all defaults */
  const char *axes;                /* the axes to decide about, "data,model"; NULL: all of devices */
  int32_t even_only;               /* nonzero: no argument is cut in tiles of more than one size */
  /* A folder in which answers are kept, and made where it is not there: who asks the same of a program that
   * differs in names, in the order of arguments or in unused ones alone finds the answer there. Its price is
   * worked out again, and has to be the same. NULL: none. Several processes may use one. */
  const char *cache;
  /* Nonzero: behind the search the bound is raised as far as can be proven, at most to the least that choices
   * of ops by themselves cost. With `seconds`, in as many again. */
  int32_t exact;
  /* Ends the search once what fits may be dearer than the cheapest plan by this part of its cost at most:
   * 0.02 is 2 %. Where that is not reached it ends as without. 0: it is not asked for. */
  double gap;
} tw_search_options_t;

/* A search from a plan on; what is decided there stays, and the plan itself does not change. It decides which
 * dimensions of which arguments are tiled over which axes of devices, layers alike, without regard to names.
 * TW_NOT_FOUND: an axis of the mesh of which the system says nothing, or no axis of a name in `axes`.
 * TW_UNIMPLEMENTED: the plan has axes of steps or threads. TW_UNAVAILABLE: the folder of the cache cannot be
 * made or written. options: NULL for defaults. */
TW_API tw_status_t tw_search_create(const tw_plan_t *plan, const tw_system_t *system,
                                    const tw_search_options_t *options, tw_search_t **out_search);
TW_API tw_search_t *tw_search_retain(tw_search_t *search);
TW_API void tw_search_release(tw_search_t *search);

/* Searches until it is as near as the options want, the budget is used, nothing is left to try, or somebody
 * cancels. Given episodes, what is found depends on the program, the plan, the system, the options and the
 * seed alone, never on threads or time. Once a search; TW_FAILED_PRECONDITION the second time. Where it is
 * watched (tw_watch_calls) and the host gives it up, it ends as by tw_search_cancel. */
TW_API tw_status_t tw_search_run(tw_search_t *search);
/* Ends a run soon, with the best so far. From any thread, and from a signal handler. */
TW_API void tw_search_cancel(tw_search_t *search);
/* Of the best plan so far: seconds of a run, one thing after the other, and the most bytes of a device, as
 * prices have them; and how many plans were priced. All 0 before the first was. The bound: no plan takes less
 * seconds; 0 before it is known, which is before the first plan is priced. While it runs, and after, then of
 * what was found; from any thread. */
TW_API tw_status_t tw_search_progress(const tw_search_t *search, double *out_cost_s, double *out_bound_s,
                                      int64_t *out_peak_bytes, int64_t *out_episodes);

/* What was found, behind the actions of the plan that the search began with: lines of a spec, with the cost
 * behind each in a comment. TW_FAILED_PRECONDITION before the run has ended, here and below. Where nothing
 * better was found it is a comment that says so. */
TW_API tw_status_t tw_search_spec(const tw_search_t *search, tw_blob_t **out_text);
/* The plan with these actions. */
TW_API tw_status_t tw_search_plan(const tw_search_t *search, tw_plan_t **out_plan);
/* How the search ended, what the plan costs, and what else was tried: {"status", "cost_ms", "bound_ms",
 * "gap", "peak_bytes", "least_peak_bytes", "gathers", "episodes", "steps_per_s", "seconds", "seed",
 * "threads", "groups": [{"layers", "arguments"}], "actions", "cached", "seeds_tried": [{"name", "cost_ms",
 * "peak_bytes", "fits"}], "notes"}. `cost_ms`: one thing after the other. `bound_ms`: no plan takes less,
 * since there each op is tiled by itself and each value moves for one reader alone; `gap`: (cost - bound) /
 * cost. `peak_bytes`: of a device, as tw_program_estimate has it; `least_peak_bytes`: no plan needs less,
 * since each device has its part of the arguments. `gathers`: "per-use" where the plan needs
 * tw_lower_options_t.gather_per_use to fit, which is tried where nothing fits without. `status`: "optimal"
 * where the bound is reached, "gap" where it is as near as wanted, "exhausted" where nothing was left to try,
 * "budget", "cancelled", or "infeasible" where no plan that was found fits. `seeds_tried`: what everybody
 * would try first. `cached`: an earlier search found it, whose the episodes are, the bound and what it tried;
 * then no steps were taken. `notes`: what was wrong with files of the cache. */
TW_API tw_status_t tw_search_json(const tw_search_t *search, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
