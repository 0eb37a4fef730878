// SPDX-License-Identifier: Apache-2.0
// Whether two plans say the same of a program and of one whose ops and arguments are numbered otherwise.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/conflicts.hpp"
#include "renumber.hpp"

namespace tw::test {

class PlanComparison {
public:
  PlanComparison(const partition::Plan &plan, const partition::Plan &other, const Renumbered &map)
      : plan_(plan), other_(other), map_(map) {}

  // What differs first; empty where nothing does.
  std::string difference() const {
    for (partition::NodeId n = 0; n < plan_.num_nodes(); ++n) {
      const partition::NodeId m = other_node(n);
      if (m == graph::kNone)
        return fmt::format("{} has no partner", partition::node_text(plan_, n));
      if (loops(plan_, n) != loops(other_, m))
        return fmt::format("{}: {} and {}", partition::node_text(plan_, n), loops(plan_, n),
                           loops(other_, m));
    }
    if (plan_.num_nodes() != other_.num_nodes())
      return "pins";
    std::multiset<std::string> ours, theirs;
    for (const partition::Conflict &c : plan_.conflicts())
      ours.insert(text(plan_, c, other_node(c.node)));
    for (const partition::Conflict &c : other_.conflicts())
      theirs.insert(text(other_, c, c.node));
    return ours == theirs
               ? ""
               : fmt::format("conflicts {} and {}", fmt::join(ours, ", "), fmt::join(theirs, ", "));
  }

private:
  partition::NodeId other_node(partition::NodeId n) const {
    if (plan_.is_op(n))
      return map_.op[n];
    if (plan_.is_pin(n))
      return other_.pin_of(map_.value[plan_.pinned_value(n)]);
    const ops::Variable &variable = plan_.variable(n);
    const auto all = other_.flow().variables().all();
    const auto found = std::ranges::find_if(all, [&](const ops::Variable &v) {
      return v.op == map_.op[variable.op] && v.index == variable.index;
    });
    return found == all.end() ? graph::kNone
                              : static_cast<partition::NodeId>(other_.graph().ops().size() +
                                                               static_cast<size_t>(found - all.begin()));
  }
  static std::string split_text(const partition::Plan &plan, partition::SplitId split) {
    const sharding::SplitRule &rule = plan.split(split);
    return fmt::format("{}/{}[{}]", static_cast<int>(rule.kind), rule.unit,
                       rule.cuts ? fmt::format("{}", fmt::join(*rule.cuts, ",")) : "");
  }
  static std::string loops(const partition::Plan &plan, partition::NodeId n) {
    std::string all;
    for (const partition::NestEntry &e : plan.nest(n))
      all += fmt::format("{}:{} by {} of {}; ", plan.mesh().axis(e.axis).name, e.factor,
                         split_text(plan, e.split), e.action);
    return all;
  }
  static std::string text(const partition::Plan &plan, const partition::Conflict &c, partition::NodeId node) {
    std::multiset<std::string> ways;
    for (const partition::Candidate &way : c.candidates)
      ways.insert(fmt::format("{} by {}", way.factor, split_text(plan, way.split)));
    return fmt::format("{} over {} at {}: {}", partition::name(c.kind), c.axis, node,
                       fmt::join(ways, " or "));
  }

  const partition::Plan &plan_, &other_;
  const Renumbered &map_;
};

inline std::string difference(const partition::Plan &plan, const partition::Plan &other,
                              const Renumbered &map) {
  return PlanComparison(plan, other, map).difference();
}

} // namespace tw::test
