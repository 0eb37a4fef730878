// SPDX-License-Identifier: Apache-2.0
// Asks the evidence of propagation once more, of nodes that have decided.
#include "partition/disagreements.hpp"

#include <algorithm>

#include "partition/propagation.hpp"

namespace tw::partition {

using sharding::AxisId;

namespace {

// What an edge offers a node, where that is another factor than the node runs the axis over.
std::optional<Candidate> other_way(Propagation &waves, const Plan &plan, NodeId from, uint32_t from_slot,
                                   NodeId to, uint32_t to_slot, AxisId axis) {
  const NestEntry *own = plan.entry(to, axis);
  if (own == nullptr || own->factor == kAny || plan.has_fixed_layout(to))
    return std::nullopt;
  const bool makes = to_slot >= plan.reads(to).size();
  if (makes && plan.rule(to).factors[own->factor].kind == ops::FactorKind::reduce)
    return std::nullopt; // a sum is combined in the tiles that are wanted
  const Evidence e = waves.project(from, from_slot, to, to_slot, axis);
  if (e.verdict == Verdict::nothing || e.verdict == Verdict::whole || e.candidate.factor == own->factor)
    return std::nullopt;
  return e.candidate;
}

void add(std::vector<Conflict> &found, Conflict::Kind kind, NodeId n, AxisId axis, uint16_t tactic,
         std::vector<Candidate> first, const Candidate &offered) {
  const auto same = [&](const Conflict &c) { return c.node == n && c.axis == axis && c.kind == kind; };
  auto known = std::ranges::find_if(found, same);
  if (known == found.end())
    known = found.insert(known, {kind, axis, tactic, n, std::move(first)});
  std::vector<Candidate> &ways = known->candidates;
  const auto equal = [&](const Candidate &c) {
    return c.factor == offered.factor && c.split == offered.split;
  };
  if (std::ranges::none_of(ways, equal))
    ways.push_back(offered);
}

} // namespace

std::vector<Conflict> disagreements(Plan &plan) {
  Propagation waves(plan);
  std::vector<Conflict> all;
  for (NodeId n = 0; n < plan.num_nodes(); ++n) {
    if (!plan.takes_part(n) || plan.is_source(n))
      continue;
    std::vector<Conflict> here;
    const auto operands = static_cast<uint32_t>(plan.reads(n).size());
    for (const Neighbour &at : waves.neighbours(n))
      for (const NestEntry &theirs : plan.nest(at.node)) {
        if (theirs.factor == kAny)
          continue;
        const AxisId axis = theirs.axis;
        const NestEntry *own = plan.entry(n, axis);
        if (own == nullptr) {
          const Evidence e = waves.project(at.node, at.slot, n, at.own_slot, axis);
          if (e.verdict == Verdict::whole)
            add(here, Conflict::Kind::illegal, n, axis, theirs.tactic, {{kAny, 0, n}}, e.candidate);
          continue;
        }
        const auto offered = other_way(waves, plan, at.node, at.slot, n, at.own_slot, axis);
        const bool reads = at.own_slot < operands;
        if (offered && (reads || !other_way(waves, plan, n, at.own_slot, at.node, at.slot, axis)))
          add(here, Conflict::Kind::mismatch, n, axis, std::max(own->tactic, theirs.tactic),
              {{own->factor, own->split, own->cause == graph::kNone ? n : own->cause}}, *offered);
      }
    all.insert(all.end(), here.begin(), here.end());
  }
  return all;
}

} // namespace tw::partition
