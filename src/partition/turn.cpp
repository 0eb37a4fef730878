// SPDX-License-Identifier: Apache-2.0
// The last resort of propagation: an op that must keep whole what its operand is tiled along runs the axis
// over another of its loops. Then devices exchange tiles for tiles (an all_to_all), where each would need all
// of them (an all_gather), and share the work.
#include <algorithm>
#include <tuple>

#include "partition/propagation.hpp"

namespace tw::partition {

using sharding::AxisId;
using sharding::SplitRule;

std::vector<NodeId> Plan::find_turning() const {
  std::vector<int8_t> known(rules_->num_rules(), -1);
  std::vector<NodeId> found;
  for (NodeId n = 0; n < num_ops_; ++n) {
    if (!takes_part(n) || is_source(n))
      continue;
    int8_t &has = known[rules_->rule_id(n)];
    if (has < 0) {
      const auto &factors = rules_->rule(n).factors;
      has = std::ranges::count(factors, ops::FactorKind::whole, &ops::Factor::kind) != 0 &&
            std::ranges::count(factors, ops::FactorKind::pass, &ops::Factor::kind) != 0;
    }
    if (has != 0)
      found.push_back(n);
  }
  return found;
}

// The loop of an operand that takes the axis best: evenly, then the longest, then the first.
std::optional<ops::FactorId> Propagation::free_loop(NodeId n, uint32_t operand, AxisId axis) const {
  const FlatRule &flat = plan_.flat_rule(n);
  const ops::Rule &rule = plan_.rule(n);
  const int64_t places = plan_.mesh().size(axis);
  using Rank = std::tuple<bool, int64_t>; // uneven, minus the length of its tiles
  std::optional<std::pair<Rank, ops::FactorId>> best;
  const auto slides = [&](ops::FactorId f) {
    return std::ranges::any_of(rule.windows, [&](const ops::Window &window) {
      return std::ranges::count(window.terms, f, &ops::Window::Term::factor) != 0;
    });
  };
  for (const ops::DimFactors &factors : rule.operands[operand]) {
    if (factors.size() != 1)
      continue;
    const ops::FactorId f = factors[0];
    const int64_t length = flat.size(f) / plan_.tiles_of(n, f);
    if (flat.kind(f) != ops::FactorKind::pass || length < places || plan_.is_closed(n, f) || slides(f) ||
        !plan_.contiguous(n, f))
      continue;
    const Rank rank{length % places != 0, -length};
    if (!best || rank < best->first)
      best = {rank, f};
  }
  return best ? std::optional(best->second) : std::nullopt;
}

std::optional<NestEntry> Propagation::turned(NodeId n, AxisId axis) {
  const FlatRule &rule = plan_.flat_rule(n);
  bool only_whole = true;
  std::optional<std::pair<int64_t, Neighbour>>
      largest; // of the operands that are tiled along what must stay whole
  for (const Neighbour &at : neighbours(n)) {
    const Evidence e = project(at.node, at.slot, n, at.own_slot, axis);
    if (e.verdict == Verdict::nothing)
      continue;
    only_whole =
        only_whole && e.verdict == Verdict::whole && rule.kind(e.candidate.factor) == ops::FactorKind::whole;
    if (at.own_slot >= rule.num_operands())
      continue;
    const int64_t elements = plan_.graph().type(plan_.reads(n)[at.own_slot]).elements();
    if (!largest || elements > largest->first)
      largest = {elements, at};
  }
  if (!only_whole || !largest)
    return std::nullopt;
  const Neighbour &from = largest->second;
  const auto f = free_loop(n, from.own_slot, axis);
  if (!f)
    return std::nullopt;
  SplitRule cut;
  for (const NestEntry &e : plan_.nest(n))
    if (e.factor == *f)
      cut = plan_.split(e.split);
  const int64_t size = rule.size(*f), tiles = plan_.tiles_of(n, *f), places = plan_.mesh().size(axis);
  cut = sharding::normalise(sharding::refine(cut, size, tiles, places), size, tiles * places);
  return NestEntry{axis, *f, plan_.entry(from.node, axis)->action, plan_.intern_split(std::move(cut)),
                   from.node};
}

std::vector<Propagation::Seed> Propagation::turn(std::span<const NodeId> nodes, AxisId axis) {
  if (plan_.mesh().is_loop(axis) || plan_.mesh().size(axis) < 2)
    return {};
  std::vector<Decision> all;
  for (const NodeId n : nodes)
    if (!plan_.decided(n, axis))
      if (const auto entry = turned(n, axis))
        all.push_back({n, *entry});
  std::vector<Seed> seeds;
  for (const Decision &decision : all) {
    plan_.append(decision.node, decision.entry);
    seeds.push_back({axis, decision.node});
  }
  return seeds;
}

} // namespace tw::partition
