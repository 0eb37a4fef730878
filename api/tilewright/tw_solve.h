/* SPDX-License-Identifier: Apache-2.0 */
/* Solves instances of the IOPDDL contest with what `tw search` takes bounds from. Part of
 * <tilewright/tw.h>. */
#ifndef TW_SOLVE_H
#define TW_SOLVE_H

#include <tilewright/tw_base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_solve_options {
  size_t struct_size;
  /* Rounds of messages, moves and nodes of a tree, together at most. 0: 2000, or no limit where `seconds` is
   * given. */
  int64_t rounds;
  double seconds; /* the same in time; 0: no limit. What is found then depends on the machine */
  uint64_t seed;  /* of what is drawn */
  /* NULL, or asked now and then, by the thread that made the call: what the best so far costs, below which
   * nothing costs, and rounds so far. Infinite: nothing was found, or bounded, yet. Nonzero: end with the
   * best so far. It must not throw. */
  int (*progress)(void *user, double cost, double bound, int64_t rounds);
  void *user;
} tw_solve_options_t;

/* Takes a strategy for each node of an instance of the IOPDDL contest (ASPLOS 2025), given as its JSON
 * text, so that usage is within the limit at each time and the sum of costs is little. Costs of 1e18 and
 * more must not be taken. Given rounds, what is found depends on the text, the options and the rounds
 * alone. The answer is {"name", "nodes", "edges", "status", "cost", "bound", "gap", "rounds", "seconds",
 * "seed", "choices"}: `choices` has the number of a strategy for each node; nothing costs less than
 * `bound`; `gap` is (cost - bound) / cost. `status`: "optimal" where nothing costs less, "budget" where
 * something might, "infeasible" where nothing fits, "unknown" where nothing was found; `cost`, `gap` and
 * `choices` then are null, and `bound` where there is none. TW_INVALID_ARGUMENT: the text is no such
 * instance, and the message says where. A host that watches the call (tw_watch_calls) and gives it up gets
 * the best so far, too. options: NULL for defaults. */
TW_API tw_status_t tw_solve_iopddl(const char *text, size_t size, const tw_solve_options_t *options,
                                   tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
