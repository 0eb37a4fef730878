// SPDX-License-Identifier: Apache-2.0
// Prices follow what suggested choices need too much of, which jumps: so with what came before, and shorter
// steps where the bound no longer grows.
#include "solve/prices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tw::solve {
namespace {

constexpr double kKept = 0.8;                // of the direction before: what messages suggest jumps
constexpr int kPatience = 50;                // rounds in which the bound may grow by less than
constexpr Cost kGrowth = 1e-3;               // this part of itself
constexpr double kFirst = 0.5, kLast = 1e-3; // parts of the way to the aim

} // namespace

Cost Ascent::step(Cost aim, double part, double kept) {
  const std::vector<Cost> &limits = work_.problem.limits;
  charged_ = open;
  work_.memory.charge(prices, charged_);
  Cost bound = work_.messages.pass(charged_);
  if (bound == kNever)
    return kNever;
  for (size_t p = 0; p < prices.size(); ++p)
    bound -= prices[p] * limits[p];
  work_.messages.decide(charged_, choices_);
  work_.set(state, choices_);
  work_.offer(state);
  need(bound);
  Cost norm = 0;
  direction_.resize(prices.size(), 0);
  for (size_t p = 0; p < prices.size(); ++p) {
    direction_[p] = kept * direction_[p] + (1 - kept) * (needed_[p] - limits[p]);
    if (direction_[p] > 0 || prices[p] > 0)
      norm += direction_[p] * direction_[p];
  }
  if (norm == 0)
    return bound;
  const Cost length = part * std::max<Cost>(aim - bound, 0) / norm;
  for (size_t p = 0; p < prices.size(); ++p)
    prices[p] = std::max<Cost>(0, prices[p] + length * direction_[p]);
  return bound;
}

// What prices go by.
void Ascent::need(Cost bound) {
  if (soft_ == 0) {
    needed_ = state.usage;
    return;
  }
  const Problem &problem = work_.problem;
  needed_.assign(prices.size() + 1, 0);
  const Cost heat = soft_ * (std::abs(bound) + 1) / static_cast<Cost>(problem.uses.size());
  std::vector<Cost> weights;
  for (uint32_t v = 0; v < problem.uses.size(); ++v) {
    if (problem.uses[v].empty())
      continue;
    const std::span<const Cost> known = work_.messages.gather(v, charged_);
    const Cost least = std::ranges::min(known);
    weights.assign(known.size(), 0);
    Cost sum = 0;
    for (size_t k = 0; k < known.size(); ++k)
      if (known[k] < kNever)
        sum += weights[k] = std::exp((least - known[k]) / heat);
    for (const Use &use : problem.uses[v]) {
      Cost amount = 0;
      for (size_t k = 0; k < weights.size(); ++k)
        amount += weights[k] * use.amounts[k];
      needed_[use.begin] += amount / sum;
      needed_[use.end] -= amount / sum;
    }
  }
  Cost sum = 0;
  for (Cost &at : needed_)
    at = sum += at;
}

bool Ascent::can_fit() const {
  const Problem &problem = work_.problem;
  std::vector<Cost> least(problem.limits.size() + 1, 0);
  for (uint32_t v = 0; v < problem.uses.size(); ++v) {
    const std::span<const Cost> left = work_.flat.of(open, v);
    for (const Use &use : problem.uses[v]) {
      Cost amount = kNever;
      for (size_t k = 0; k < left.size(); ++k)
        if (left[k] < kNever)
          amount = std::min(amount, use.amounts[k]);
      if (amount == kNever)
        return false;
      least[use.begin] += amount;
      least[use.end] -= amount;
    }
  }
  Cost sum = 0;
  for (size_t p = 0; p < problem.limits.size(); ++p)
    if ((sum += least[p]) > problem.limits[p])
      return false;
  return true;
}

std::vector<Ascent::Certain> Ascent::undecided() {
  std::vector<Certain> found;
  for (uint32_t v = 0; v + 1 < work_.flat.begins.size(); ++v) {
    const std::span<const Cost> left = work_.flat.of(std::as_const(open), v);
    if (std::ranges::count_if(left, [](Cost cost) { return cost < kNever; }) < 2)
      continue;
    const std::span<const Cost> known = work_.messages.gather(v, charged_);
    uint32_t first = 0;
    Cost second = kNever;
    for (uint32_t k = 1; k < known.size(); ++k)
      if (known[k] < known[first]) {
        second = known[first];
        first = k;
      } else {
        second = std::min(second, known[k]);
      }
    if (known[first] < kNever)
      found.push_back({v, first, second - known[first]});
  }
  return found;
}

void Ascent::decide(uint32_t variable, uint32_t choice) {
  const std::span<Cost> left = work_.flat.of(open, variable);
  const Cost cost = left[choice];
  std::ranges::fill(left, kNever);
  left[choice] = cost;
}

void find_prices(Work &work, double until) {
  Ascent ascent(work);
  Cost mark = -kNever;
  double part = kFirst;
  for (int quiet = 0; part > kLast && !work.is_over(until);) {
    work.count();
    const std::vector<Cost> prices = ascent.prices;
    // An answer that costs much more than the bound says nothing of what is possible.
    const Cost near = work.bound + 0.1 * std::abs(work.bound) + 1;
    const Cost aim = std::min(work.best.cost, near);
    const Cost bound = ascent.step(work.bound == -kNever ? 1 : aim, part, kKept);
    if (bound > work.bound) {
      work.bound_by(bound);
      work.prices = prices;
    }
    if (bound == kNever)
      return;
    if (work.bound > mark + kGrowth * std::abs(mark) || mark == -kNever) {
      mark = work.bound;
      quiet = 0;
    } else if (++quiet >= kPatience) {
      mark = work.bound;
      quiet = 0;
      part *= 0.7;
      ascent.prices = work.prices;
    }
  }
}

} // namespace tw::solve
