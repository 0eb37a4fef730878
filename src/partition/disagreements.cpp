// SPDX-License-Identifier: Apache-2.0
// Asks the evidence of propagation once more, of nodes that have decided.
#include "partition/disagreements.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/conflicts.hpp"
#include "partition/propagation.hpp"
#include "sharding/axis_names.hpp"

namespace tw::partition {

using sharding::AxisId;

namespace {

// Whether two factors make up one dimension, of which the first is the more major one.
bool is_behind(const std::vector<ops::DimFactors> &dims, ops::FactorId major, ops::FactorId minor) {
  return std::ranges::any_of(dims, [&](const ops::DimFactors &dim) {
    const auto at = std::ranges::find(dim, major);
    return std::find(at, dim.end(), minor) != dim.end();
  });
}

// What an edge offers a node, where that is another factor than the node runs the axis over. What is behind a
// factor that the axis cuts into single elements continues the same cut.
std::optional<Candidate> other_way(Propagation &waves, const Plan &plan, NodeId from, uint32_t from_slot,
                                   NodeId to, uint32_t to_slot, AxisId axis) {
  const NestEntry *own = plan.entry(to, axis);
  if (own == nullptr || own->factor == kAny || plan.has_fixed_layout(to))
    return std::nullopt;
  const size_t reads = plan.reads(to).size();
  const bool makes = to_slot >= reads;
  if (makes && plan.rule(to).factors[own->factor].kind == ops::FactorKind::reduce)
    return std::nullopt; // a sum is combined in the tiles that are wanted
  const Evidence e = waves.project(from, from_slot, to, to_slot, axis);
  const ops::Rule &rule = plan.rule(to);
  if (e.verdict == Verdict::nothing || e.verdict == Verdict::whole || e.candidate.factor == own->factor ||
      is_behind(makes ? rule.results[to_slot - reads] : rule.operands[to_slot], own->factor,
                e.candidate.factor))
    return std::nullopt;
  return e.candidate;
}

// An axis of one device stands in any place.
Axes without_single(Axes axes, const Plan &plan) {
  std::erase_if(axes, [&](AxisId axis) { return plan.mesh().size(axis) == 1; });
  return axes;
}

// A loop of a node over several axes, in the order of a neighbour, where that is another one.
struct OtherOrder {
  AxisId axis; // the outermost that stands elsewhere
  ops::FactorId factor;
  Axes axes;
};

std::vector<OtherOrder> other_orders(Propagation &waves, const Plan &plan, NodeId from, uint32_t from_slot,
                                     NodeId to, uint32_t to_slot) {
  std::vector<OtherOrder> all;
  if (plan.nest(to).size() < 2 || plan.nest(from).size() < 2 || plan.has_fixed_layout(to))
    return all;
  for (const NestEntry &e : plan.nest(to)) {
    if (e.factor == kAny || std::ranges::count(all, e.factor, &OtherOrder::factor) != 0)
      continue;
    const Axes own = axes_of(plan, to, e.factor);
    if (own.size() < 2 || own.front() != e.axis)
      continue;
    Axes theirs = order_of_neighbour(plan, to, to_slot, e.factor, from, from_slot);
    if (without_single(own, plan) == without_single(theirs, plan))
      continue;
    const auto [ours, other] = std::ranges::mismatch(own, theirs);
    if (ours == own.end())
      continue;
    const AxisId axis = *ours;
    if (const Verdict v = waves.project(from, from_slot, to, to_slot, axis).verdict;
        v != Verdict::nothing && v != Verdict::whole)
      all.push_back({axis, e.factor, std::move(theirs)});
  }
  return all;
}

// A new one, without candidates.
std::vector<Disagreement>::iterator open(std::vector<Disagreement> &found, Conflict::Kind kind, NodeId n,
                                         AxisId axis, ActionId action) {
  Disagreement &made = found.emplace_back();
  made.kind = kind;
  made.node = n;
  made.axis = axis;
  made.action = action;
  return found.end() - 1;
}

void add_order(std::vector<Disagreement> &found, const Plan &plan, NodeId n, OtherOrder &&other,
               NodeId from) {
  const NestEntry &own = *plan.entry(n, other.axis);
  const auto same = [&](const Disagreement &c) {
    return !c.orders.empty() && c.candidates[0].factor == other.factor;
  };
  auto known = std::ranges::find_if(found, same);
  if (known == found.end()) {
    known = open(found, Conflict::Kind::mismatch, n, other.axis,
                 std::max(own.action, plan.entry(from, other.axis)->action));
    known->candidates.push_back({own.factor, own.split, own.cause == graph::kNone ? n : own.cause});
    known->orders.push_back(axes_of(plan, n, other.factor));
  }
  if (std::ranges::find(known->orders, other.axes) != known->orders.end())
    return;
  known->candidates.push_back({other.factor, own.split, from});
  known->orders.push_back(std::move(other.axes));
}

void add(std::vector<Disagreement> &found, Conflict::Kind kind, NodeId n, AxisId axis, ActionId action,
         const Candidate &first, const Candidate &offered) {
  const auto same = [&](const Disagreement &c) {
    return c.orders.empty() && c.axis == axis && c.kind == kind;
  };
  auto known = std::ranges::find_if(found, same);
  if (known == found.end()) {
    known = open(found, kind, n, axis, action);
    known->candidates.push_back(first);
  }
  std::vector<Candidate> &ways = known->candidates;
  const auto equal = [&](const Candidate &c) {
    return c.factor == offered.factor && c.split == offered.split;
  };
  if (std::ranges::none_of(ways, equal))
    ways.push_back(offered);
}

} // namespace

std::vector<Disagreement> disagreements(Plan &plan) {
  Propagation waves(plan);
  std::vector<Disagreement> all;
  for (NodeId n = 0; n < plan.num_nodes(); ++n) {
    if (!plan.takes_part(n) || plan.is_source(n))
      continue;
    std::vector<Disagreement> here;
    const auto operands = static_cast<uint32_t>(plan.reads(n).size());
    for (const Neighbour &at : waves.neighbours(n)) {
      const bool reads = at.own_slot < operands;
      for (OtherOrder &other : other_orders(waves, plan, at.node, at.slot, n, at.own_slot))
        if (reads || other_orders(waves, plan, n, at.own_slot, at.node, at.slot).empty())
          add_order(here, plan, n, std::move(other), at.node);
      for (const NestEntry &theirs : plan.nest(at.node)) {
        if (theirs.factor == kAny || plan.mesh().size(theirs.axis) == 1)
          continue;
        const AxisId axis = theirs.axis;
        const NestEntry *own = plan.entry(n, axis);
        if (own == nullptr) {
          const Evidence e = waves.project(at.node, at.slot, n, at.own_slot, axis);
          if (e.verdict == Verdict::whole)
            add(here, Conflict::Kind::illegal, n, axis, theirs.action, {kAny, 0, n}, e.candidate);
          continue;
        }
        const auto offered = other_way(waves, plan, at.node, at.slot, n, at.own_slot, axis);
        if (offered && (reads || !other_way(waves, plan, n, at.own_slot, at.node, at.slot, axis)))
          add(here, Conflict::Kind::mismatch, n, axis, std::max(own->action, theirs.action),
              {own->factor, own->split, own->cause == graph::kNone ? n : own->cause}, *offered);
      }
    }
    all.insert(all.end(), here.begin(), here.end());
  }
  return all;
}

std::string candidate_text(const Plan &plan, const Conflict &c, std::span<const Axes> orders,
                           size_t candidate) {
  const std::string factor = factor_text(plan, c.node, c.candidates[candidate].factor);
  return orders.empty() ? factor
                        : fmt::format("{} {{{}}}", factor,
                                      fmt::join(sharding::axis_names(orders[candidate], plan.mesh()), ","));
}

} // namespace tw::partition
