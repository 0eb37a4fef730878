// SPDX-License-Identifier: Apache-2.0
// All that a level tries is one batch.
#include "search/beam.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tw::search {

namespace {

constexpr size_t kWidth = 4;

void keep_best(std::vector<Beam::Plan> &plans) {
  std::ranges::stable_sort(plans, {}, [](const Beam::Plan &p) { return std::pair(p.score, p.sequence); });
  if (plans.size() > kWidth)
    plans.resize(kWidth);
}

} // namespace

std::vector<Beam::Plan> Beam::run(std::vector<Plan> from, const std::vector<uint32_t> &decisions) {
  std::vector<Plan> best = from;
  std::set<Sequence> tried;
  for (bool cheaper = true; cheaper;) {
    std::vector<Sequence> batch;
    std::vector<double> before; // by sequence of the batch
    for (const Plan &plan : from)
      for (const uint32_t d : decisions) {
        if (std::ranges::find(plan.sequence, d) != plan.sequence.end())
          continue;
        Sequence next = plan.sequence;
        next.push_back(d);
        Sequence sorted = next;
        std::ranges::sort(sorted);
        if (!tried.insert(std::move(sorted)).second)
          continue;
        batch.push_back(std::move(next));
        before.push_back(plan.score);
      }
    const auto outcomes = driver_.evaluate(batch);
    from.clear();
    cheaper = false;
    std::set<uint64_t> states;
    for (size_t i = 0; i < outcomes.size(); ++i) {
      const Engine::Step &last = outcomes[i].back();
      if (last.lines.empty() || !states.insert(last.state).second)
        continue;
      from.push_back({batch[i], driver_.score(last.price)});
      cheaper = cheaper || from.back().score < before[i];
    }
    keep_best(from);
    best.insert(best.end(), from.begin(), from.end());
    keep_best(best);
    if (outcomes.size() < batch.size())
      break;
  }
  return best;
}

} // namespace tw::search
