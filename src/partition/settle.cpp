// SPDX-License-Identifier: Apache-2.0
// What the policy decides: who may take what is offered, and which of several offers a node takes. What it
// leaves open is a conflict.
#include <algorithm>
#include <tuple>
#include <utility>

#include "partition/edges.hpp"
#include "partition/policy.hpp"
#include "partition/stated.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;

bool Propagation::allowed(NodeId n, uint32_t own_slot, AxisId axis, ops::FactorId factor) {
  if (!chosen_.empty()) {
    const auto chosen = std::ranges::lower_bound(chosen_, std::pair(n, axis), {},
                                                 [](const Choice &c) { return std::pair(c.node, c.axis); });
    if (chosen != chosen_.end() && chosen->node == n && chosen->axis == axis)
      return chosen->factor == factor;
  }
  if (policy_ == Policy::conservative ||
      takes(plan_, level_, n, factor, own_slot < plan_.flat_rule(n).num_operands()))
    return true;
  if (level_ + 1 < num_levels(policy_))
    deferred_.push_back(n);
  return false;
}

std::optional<Candidate> Propagation::largest(NodeId n, AxisId axis) {
  const FlatRule &rule = plan_.flat_rule(n);
  using Rank = std::tuple<int64_t, uint32_t, uint8_t>;
  std::optional<std::pair<Rank, Candidate>> best;
  bool decides = true;
  each_edge(n, kEverySlot, kNobody, [&](const Neighbour &at) {
    const Evidence e = project(at.node, at.slot, n, at.own_slot, axis);
    if (e.verdict != Verdict::candidate || !allowed(n, at.own_slot, axis, e.candidate.factor))
      return;
    const bool forward = at.own_slot < rule.num_operands();
    const ValueId v =
        forward ? plan_.reads(n)[at.own_slot] : plan_.made(n, at.own_slot - rule.num_operands());
    const Rank rank{-plan_.graph().type(v).elements(), at.own_slot,
                    rule.dim_of(at.own_slot, e.candidate.factor)};
    if (!best || rank < best->first) {
      best = {rank, e.candidate};
      decides = true;
    } else if (rank == best->first) {
      decides = decides && e.candidate.split == best->second.split;
      // Equal offers: the earlier action has the honour.
      if (plan_.entry(e.candidate.source, axis)->action < plan_.entry(best->second.source, axis)->action)
        best->second.source = e.candidate.source;
    }
  });
  return best && decides ? std::optional(best->second) : std::nullopt;
}

// The layout that somebody stated for what a node makes is the node's own. Where it cannot make that, it
// makes the whole.
std::optional<Candidate> Propagation::stated(NodeId n, AxisId axis) {
  for (uint32_t i = 0; i < plan_.num_made(n); ++i) {
    const NodeId pin = stated_pin(plan_, plan_.made(n, i));
    const NestEntry *e = pin == kNone ? nullptr : plan_.entry(pin, axis);
    if (e == nullptr || e->cause != kNone)
      continue;
    const FlatRule &rule = plan_.flat_rule(pin);
    const Evidence evidence = project(pin, rule.operand_slot(0), n, plan_.flat_rule(n).result_slot(i), axis);
    return evidence.verdict == Verdict::candidate ? evidence.candidate : Candidate{kAny, 0, pin};
  }
  return std::nullopt;
}

std::optional<Candidate> Propagation::settle(NodeId n, AxisId axis) {
  if (takes_largest(policy_))
    return largest(n, axis);
  return policy_ == Policy::explicit_ ? stated(n, axis) : std::nullopt;
}

void Propagation::record(Conflict::Kind kind, NodeId n, AxisId axis) {
  Conflict conflict{kind, axis, 0, n, {}};
  for (const Evidence &e : evidence(n, axis)) {
    const bool wanted = kind == Conflict::Kind::uneven    ? e.verdict == Verdict::uneven
                        : kind == Conflict::Kind::strided ? e.verdict == Verdict::strided
                                                          : e.verdict == Verdict::candidate;
    const auto same = [&](const Candidate &c) {
      return c.factor == e.candidate.factor && c.split == e.candidate.split;
    };
    if (wanted && std::ranges::none_of(conflict.candidates, same))
      conflict.candidates.push_back(e.candidate);
  }
  if (conflict.candidates.empty())
    return;
  conflict.action = plan_.entry(conflict.candidates[0].source, axis)->action;
  plan_.record(std::move(conflict));
}

} // namespace tw::partition
