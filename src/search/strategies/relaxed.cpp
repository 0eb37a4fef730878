// SPDX-License-Identifier: Apache-2.0
// Decisions that lead to the nests which cost least where each op chooses by itself (relaxation.hpp). Each
// time the one is taken whose waves bring most of the program there, and least of it elsewhere; what comes
// early leaves no room for the waves of what comes later, so weights may be stored otherwise than used. Once
// more with the borders first, which no wave can cross.
#include <algorithm>
#include <queue>

#include "search/strategy.hpp"

namespace tw::search::relaxed_strategy {

namespace {

using partition::NodeId;
using partition::Plan;

class Follower {
public:
  explicit Follower(const Space &space)
      : space_(space), plan_(*space.plan), agrees_(space.few.graph->ops().size(), 0) {
    for (NodeId n = 0; n < agrees_.size(); ++n)
      agrees_[n] = agreement(n);
  }

  // `borders`: ops between which something moves are tiled first.
  Sequence run(bool borders) {
    std::vector<uint32_t> wanted;
    Sequence taken;
    for (uint32_t d = 0; d < space_.decisions.size(); ++d)
      if (is_wanted(space_.decisions[d])) {
        wanted.push_back(d);
      } else if (borders && space_.decisions[d].kind == Decision::Kind::borders) {
        take(d, true);
        taken.push_back(d);
      }
    while (take_best(wanted, taken)) { // what was of no use may be, since more is decided
    }
    return taken;
  }

private:
  const std::optional<Nest> *wanted(NodeId n) const {
    return n < space_.relaxed.nests.size() && space_.relaxed.nests[n] ? &space_.relaxed.nests[n] : nullptr;
  }

  bool is_wanted(const Decision &d) const {
    if (d.kind != Decision::Kind::tile && d.kind != Decision::Kind::value)
      return false;
    const std::vector<graph::OpId> &few = d.kind == Decision::Kind::tile ? space_.groups[d.index].few
                                                                         : std::vector<graph::OpId>{};
    // What stands for most layers.
    const NodeId n = few.empty() ? space_.few.graph->value(space_.values[d.index].few).def
                                 : *std::ranges::max_element(few, {}, [&](graph::OpId op) {
                                     return space_.few.repeats.count[op];
                                   });
    const auto *nest = n == graph::kNone ? nullptr : wanted(n);
    if (nest == nullptr)
      return false;
    const ops::Rule &rule = plan_.rule(n);
    const auto &dims = rule.results[space_.few.graph->value(space_.few.graph->result(n)).index];
    return std::ranges::any_of(**nest, [&](const auto &loop) {
      return loop.first == d.axis && std::ranges::count(dims[d.dim], loop.second) != 0;
    });
  }

  // Takes decisions, the best first, as long as some that were looked at before gain something. False where
  // none did.
  bool take_best(std::vector<uint32_t> &wanted, Sequence &taken) {
    struct Gain {
      double gain;
      uint32_t decision;
      bool operator<(const Gain &other) const { // of equal ones the first
        return gain != other.gain ? gain < other.gain : decision > other.decision;
      }
    };
    std::priority_queue<Gain> gains;
    for (const uint32_t d : wanted)
      gains.push({take(d, false), d});
    const size_t before = taken.size();
    while (!gains.empty() && gains.top().gain > 0) {
      const Gain now{take(gains.top().decision, false), gains.top().decision};
      gains.pop();
      if (now.gain <= 0)
        continue;
      if (!gains.empty() && now < gains.top()) {
        gains.push(now);
        continue;
      }
      take(now.decision, true);
      taken.push_back(now.decision);
      std::erase(wanted, now.decision);
    }
    return taken.size() > before;
  }

  // How much of what its result holds is tiled as it should be, less what is not; of all axes.
  double agreement(NodeId n) const {
    const auto *nest = wanted(n);
    if (nest == nullptr)
      return 0;
    int axes = 0;
    for (const partition::NestEntry &e : plan_.nest(n)) {
      const auto same = [&](const auto &loop) { return loop.first == e.axis && loop.second == e.factor; };
      if (e.factor != partition::kAny)
        axes += std::ranges::any_of(**nest, same) ? 1 : -1;
    }
    double bytes = 0;
    for (uint32_t i = 0; i < space_.few.graph->op(n).num_results; ++i)
      bytes += static_cast<double>(space_.few.graph->type(space_.few.graph->result(n, i)).bytes());
    return bytes * static_cast<double>(space_.few.repeats.count[n]) * axes;
  }

  // What a decision adds to the agreement of all; `keep`: it stays.
  double take(uint32_t decision, bool keep) {
    const Decision &d = space_.decisions[decision];
    const Plan::Stamp before = plan_.stamp();
    plan_.begin_action({"search", {}});
    double gain = 0;
    bool some = false;
    for (const Line &line : lines_of(plan_, space_, d))
      some |= put(plan_, space_, line).has_value();
    if (some) {
      plan_.propagate(partition::Mode::infer_propagate);
      if (const auto changed = plan_.changed_since(before))
        for (const NodeId n : *changed) {
          if (n >= agrees_.size())
            continue; // a pin
          const double now = agreement(n);
          gain += now - agrees_[n];
          if (keep)
            agrees_[n] = now;
        }
    }
    if (!keep)
      plan_.undo_to(before);
    return gain;
  }

  const Space &space_;
  Plan plan_;
  std::vector<double> agrees_; // by op
};

void run(Driver &driver) {
  const std::vector<Sequence> tries{Follower(driver.space()).run(false), Follower(driver.space()).run(true)};
  driver.evaluate(tries);
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{
      "relaxed", "What costs least where each op chooses by itself, as far as decisions lead to it.", run};
  return strategy;
}

} // namespace tw::search::relaxed_strategy
