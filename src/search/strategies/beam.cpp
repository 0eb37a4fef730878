// SPDX-License-Identifier: Apache-2.0
// Beam search: the best few plans, with each decision more, and of these again the best few, as long as one
// gets cheaper. What is decided in another order is not tried again. Storage, which leaves less to save to
// all others, comes behind them, and once more all.
#include <algorithm>
#include <set>
#include <utility>

#include "search/strategy.hpp"

namespace tw::search::beam_strategy {

namespace {

constexpr size_t kWidth = 4;

class Beam {
public:
  struct Plan {
    Sequence sequence;
    double score;
  };

  explicit Beam(Driver &driver) : driver_(driver) {}

  // From some plans on, the best of all that these decisions lead to, the best first.
  std::vector<Plan> run(std::vector<Plan> from, const std::vector<uint32_t> &decisions) {
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

private:
  static void keep_best(std::vector<Plan> &plans) {
    std::ranges::stable_sort(plans, {}, [](const Plan &p) { return std::pair(p.score, p.sequence); });
    if (plans.size() > kWidth)
      plans.resize(kWidth);
  }

  Driver &driver_;
};

void run(Driver &driver) {
  const std::vector<uint32_t> all = driver.first_decisions();
  std::vector<uint32_t> tiles, storage;
  for (const uint32_t d : all)
    (driver.space().decisions[d].kind == Decision::Kind::tile ? tiles : storage).push_back(d);
  Beam beam(driver);
  auto best = beam.run({{{}, driver.score(driver.root())}}, tiles);
  best = beam.run(std::move(best), storage);
  const Driver::Candidate first = driver.best()[0];
  beam.run({{first.sequence, first.score}}, all);
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{"beam", "The best few plans, with each decision more, again and again.",
                                 run};
  return strategy;
}

} // namespace tw::search::beam_strategy
