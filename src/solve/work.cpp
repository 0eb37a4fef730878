// SPDX-License-Identifier: Apache-2.0
// Counts rounds and time, and keeps the best answer and the best bound.
#include "solve/work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tw::solve {
namespace {

bool are_whole(std::span<const Cost> costs) {
  return std::ranges::all_of(costs, [](Cost cost) {
    return cost == kNever || (cost == std::floor(cost) && std::abs(cost) < 0x1p40);
  });
}

} // namespace

Work::Work(const Problem &given, Cost paid_before, const Effort &how,
           std::chrono::steady_clock::time_point begun)
    : problem(given), paid(paid_before), effort(how), begin(begun), flat(given.model), memory(given, flat),
      messages(given.model, flat), sweep(given.model, flat), random(how.seed), prices(given.limits.size(), 0),
      all_(given.model.costs.size()) {
  std::iota(all_.begin(), all_.end(), 0);
  whole = are_whole(flat.costs) &&
          std::ranges::all_of(given.model.tables, [](const Table &table) { return are_whole(table.costs); });
}

bool Work::is_over(double part) {
  if (stopped_ || is_proven() || static_cast<double>(rounds) >= part * static_cast<double>(effort.rounds))
    return true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return passed.count() >= part * effort.seconds;
}

void Work::count() {
  ++rounds;
  if (effort.stop && effort.stop({best.cost + paid, bound + paid, rounds}))
    stopped_ = true;
}

bool Work::offer(const State &state) {
  if (state.cost >= best.cost || !memory.fits(state.usage))
    return false;
  best = state;
  return true;
}

void Work::bound_by(Cost other) { bound = std::max(bound, other); }

Cost Work::enough() const {
  if (best.cost == kNever)
    return kNever;
  const Cost slack = 1e-9 * std::abs(best.cost);
  return whole ? best.cost - 1 + std::min<Cost>(slack + 1e-3, 0.5) : best.cost - slack;
}

void Work::set(State &state, std::span<const uint32_t> choices) {
  if (state.choices.empty()) {
    state.choices.assign(choices.begin(), choices.end());
    state.usage = usage_of(problem, choices);
  } else {
    memory.change(all_, state.choices, choices, state.usage);
    state.choices.assign(choices.begin(), choices.end());
  }
  state.cost = problem.model.cost_of(choices);
}

} // namespace tw::solve
