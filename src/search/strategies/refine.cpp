// SPDX-License-Identifier: Apache-2.0
// Around the best plan: without a decision, with another in its place, and in another order.
#include <algorithm>

#include "search/strategy.hpp"

namespace tw::search::refine_strategy {

namespace {

constexpr size_t kOthers = 6; // decisions that are tried in the place of one
constexpr size_t kLong = 16;  // each try of a long plan takes long: fewer of them

std::vector<Sequence> around(const Sequence &best, const std::vector<uint32_t> &decisions) {
  std::vector<Sequence> all;
  const std::vector<Sequence> without = without_each(best);
  for (size_t i = 0; i < best.size(); ++i) {
    all.push_back(without[i]);
    if (i > 0 && best.size() <= kLong) {
      Sequence swapped = best;
      std::swap(swapped[i - 1], swapped[i]);
      all.push_back(std::move(swapped));
    }
  }
  for (size_t i = 0; i < best.size(); ++i)
    for (size_t d = 0; d < std::min(decisions.size(), best.size() <= kLong ? kOthers : 1); ++d) {
      Sequence other = best;
      if (std::ranges::find(best, decisions[d]) != best.end())
        continue;
      other[i] = decisions[d];
      all.push_back(std::move(other));
    }
  return all;
}

void run(Driver &driver) {
  const std::vector<uint32_t> decisions = driver.first_decisions();
  for (double last = driver.first().score; !driver.is_over();) {
    // Half of what is left is for the tree.
    std::vector<Sequence> tries = around(driver.first().sequence, decisions);
    if (std::ssize(tries) > driver.left() / 2)
      tries.resize(static_cast<size_t>(driver.left() / 2));
    driver.evaluate(tries);
    const double now = driver.first().score;
    if (now >= last || tries.empty())
      return;
    last = now;
  }
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{
      "refine", "The best plan without a decision, with another one, in another order.", run};
  return strategy;
}

} // namespace tw::search::refine_strategy
