// SPDX-License-Identifier: Apache-2.0
// First memory gets a price at each point; with these, messages bound what anything costs, and suggest
// choices. Small problems are then proven where that is possible. In what effort is left, dives find
// other choices, and moves improve these and the best.
#include "solve/solve.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/watch.hpp"
#include "solve/reduce.hpp"
#include "solve/work.hpp"

namespace tw::solve {
namespace {

// Parts of the effort, after which the next begins.
constexpr double kGuessing = 0.05, kPricing = 0.3, kProving = 0.6;
constexpr size_t kSmall = 400;          // variables up to which proving is tried
constexpr int64_t kMoves = 300;         // between two dives
constexpr Cost kNear = 0.05;            // more than the best: a dive's answer that is worth improving
constexpr double kSoft[] = {0, 3, 0.3}; // of dives, one after the other

void run(Work &work) {
  if (work.problem.model.costs.empty()) {
    work.offer({{}, {}, 0});
    work.bound_by(0);
    return;
  }
  // Prices aim better where an answer is known.
  find_prices(work, kGuessing);
  dive(work, kSoft[0], 1);
  find_prices(work, kPricing);
  for (const double soft : kSoft)
    dive(work, soft, 1);
  if (work.best.cost < kNever) {
    State state = work.best;
    improve(work, state, kMoves, 1);
  }
  if (work.problem.model.costs.size() <= kSmall)
    branch(work, kProving);
  for (size_t n = 0; !work.is_over(); ++n) {
    const int64_t before = work.rounds;
    State state = dive(work, kSoft[n % std::size(kSoft)], 1);
    if (state.cost - work.best.cost < kNear * std::abs(work.best.cost) && work.memory.fits(state.usage))
      improve(work, state, kMoves, 1);
    if (work.best.cost < kNever) {
      state = work.best;
      improve(work, state, kMoves + work.rounds - before, 1);
    }
  }
}

} // namespace

Solved solve(const Problem &problem, const Effort &effort) {
  const auto begin = std::chrono::steady_clock::now();
  const auto reduced = reduce(problem, gives_up);
  if (!reduced)
    return {};
  if (!reduced->possible)
    return {.bound = kNever};
  Work work(reduced->problem, reduced->paid, effort, begin);
  run(work);
  Solved solved;
  solved.rounds = work.rounds;
  solved.bound = work.bound + reduced->paid;
  if (work.best.cost < kNever) {
    solved.choices = reduced->expand(work.best.choices);
    solved.cost = problem.model.cost_of(*solved.choices);
    solved.bound = work.is_proven() ? solved.cost : std::min(solved.bound, solved.cost);
  }
  return solved;
}

} // namespace tw::solve
