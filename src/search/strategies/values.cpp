// SPDX-License-Identifier: Apache-2.0
// What is between arguments and results, from the best plan on: each value alone, then the best of these
// together, then arguments once more.
#include <algorithm>
#include <utility>

#include "search/beam.hpp"
#include "search/strategy.hpp"

namespace tw::search::values_strategy {

namespace {

constexpr size_t kKept = 6;

void run(Driver &driver) {
  const Space &space = driver.space();
  const Driver::Candidate best = driver.first();
  std::vector<Sequence> tries;
  for (uint32_t d = 0; d < space.decisions.size(); ++d)
    if (space.decisions[d].kind == Decision::Kind::value) {
      tries.push_back(best.sequence);
      tries.back().push_back(d);
    }
  // Half of what is left is for what comes behind.
  tries.resize(std::min(tries.size(), static_cast<size_t>(std::max<int64_t>(driver.left() / 2, 0))));
  const auto outcomes = driver.evaluate(tries);
  std::vector<std::pair<double, uint32_t>> found;
  for (size_t i = 0; i < outcomes.size(); ++i)
    if (!outcomes[i].back().lines.empty())
      found.emplace_back(driver.score(outcomes[i].back().price), tries[i].back());
  std::ranges::sort(found);
  std::vector<uint32_t> kept;
  for (const auto &[score, decision] : found)
    if (kept.size() < kKept)
      kept.push_back(decision);
  Beam beam(driver);
  beam.run({{best.sequence, best.score}}, kept);
  const Driver::Candidate now = driver.first();
  if (now.score < best.score)
    beam.run({{now.sequence, now.score}}, driver.first_decisions());
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{"values", "Values between arguments and results, from the best plan on.",
                                 run};
  return strategy;
}

} // namespace tw::search::values_strategy
