// SPDX-License-Identifier: Apache-2.0
// What the decision of a neighbour says about a node: which of the node's loops the axis would take, cut how.
#include <algorithm>
#include <utility>

#include "ops/joined_slice.hpp"
#include "partition/edges.hpp"
#include "partition/projection.hpp"

namespace tw::partition {

using sharding::AxisId;
using sharding::SplitRule;

namespace {

// The largest major part of an axis that cuts a factor where a dimension is cut, though the whole axis does
// not; 0 where none does. The axis cuts the dimension into place.major * tiles * size tiles by this rule.
int64_t fitting_part(const SplitRule &rule, const FactorPlace &place, int64_t tiles, int64_t size) {
  if (place.size <= tiles)
    return 0;
  for (int64_t part = size / 2; part > 1; --part)
    if (size % part == 0 && place.size % (tiles * part) == 0 &&
        to_factor(coarsen(rule, place.elements(), place.major * tiles * size, size / part), place,
                  tiles * part))
      return part;
  return 0;
}

// Whether layouts pass this way: forward is from a maker to a user.
bool lets_pass(Direction direction, bool forward) {
  return direction == Direction::both || direction == (forward ? Direction::forward : Direction::backward);
}

} // namespace

Evidence Propagation::project(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot, AxisId axis) {
  const NestEntry *e = plan_.entry(from, axis);
  if (e == nullptr || e->factor == kAny || plan_.has_fixed_layout(from) || is_silent(*e))
    return {};
  return project(from, *e, from_slot, to, to_slot);
}

// A pin may let layouts pass in one direction only, between what makes its value and itself.
bool Propagation::passes(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot) const {
  if (plan_.is_pin(to) && to_slot < plan_.flat_rule(to).num_operands())
    return lets_pass(plan_.direction(plan_.pinned(to)[to_slot]), true);
  if (plan_.is_pin(from) && from_slot < plan_.flat_rule(from).num_operands())
    return lets_pass(plan_.direction(plan_.pinned(from)[from_slot]), false);
  return true;
}

Evidence Propagation::project(NodeId from, const NestEntry &e, uint32_t from_slot, NodeId to,
                              uint32_t to_slot) {
  const FlatRule &theirs = plan_.flat_rule(from), &ours = plan_.flat_rule(to);
  if (!lets_pass(direction_, from_slot >= theirs.num_operands()) ||
      (!plan_.directions_.empty() && !passes(from, from_slot, to, to_slot)))
    return {};
  const uint8_t dim = theirs.dim_of(from_slot, e.factor);
  if (dim == kNoDim || (from_slot >= theirs.num_operands() && theirs.is_broadcast(e.factor)))
    return {};
  const auto factors = ours.factors(to_slot, dim);
  if (factors.empty())
    return {};
  if (const ops::Window *window =
          from_slot < theirs.num_operands() ? plan_.rule(from).window(from_slot, dim) : nullptr;
      window != nullptr && !window->asks)
    return {};

  // Nearly always one factor meets one factor, and its cuts are the default ones wherever else they lie.
  const bool plain = factors.size() == 1 && theirs.factors(from_slot, dim).size() == 1;
  if (plain && ours.size(factors[0]) == 1 && theirs.size(e.factor) > 1 &&
      !(plan_.is_op(to) &&
        ops::is_joined_slice(plan_.graph(), to))) // one element of theirs: nothing to tile alike
    return {};
  const bool in_loop = plan_.mesh().is_loop(e.axis);
  if (plain && e.split == 0 && !in_loop && ours.kind(factors[0]) != ops::FactorKind::whole &&
      ours.before(factors[0]).empty() && !ours.leads(factors[0]) && !plan_.is_closed(to, factors[0]))
    return {Verdict::candidate, {factors[0], 0, from}};

  // The factor that would take the axis: the most major one that the node's axes do not cover yet.
  FactorPlace place;
  for (const ops::FactorId f : factors)
    place.minor *= std::max<int64_t>(ours.size(f), 1);
  size_t j = 0;
  int64_t tiles = 1;
  for (; j < factors.size(); ++j) {
    place.size = ours.size(factors[j]);
    place.minor /= std::max<int64_t>(place.size, 1);
    tiles = plan_.tiles_of(to, factors[j]);
    if (factors.size() == 1 || !plan_.covered(to, factors[j]))
      break;
    place.major *= place.size;
  }
  if (j == factors.size())
    return {};
  const ops::FactorId f = factors[j];
  Evidence evidence{Verdict::candidate, {f, 0, from}};
  const auto refuse = [&](Verdict why) {
    evidence.verdict = why;
    return evidence;
  };
  if (ours.kind(f) == ops::FactorKind::whole || plan_.is_closed(to, f) || (in_loop && ours.folds(f)))
    return refuse(Verdict::whole);
  if (!plan_.contiguous(to, f))
    return refuse(Verdict::strided);

  if (plain && e.split == 0)
    return evidence;
  if (plain) {
    int64_t before = 1;
    bool lacks_outer = false;
    for (const NestEntry &outer : plan_.nest(from)) {
      if (outer.axis == e.axis)
        break;
      if (outer.factor != e.factor)
        continue;
      before *= plan_.mesh().size(outer.axis);
      lacks_outer = lacks_outer || !plan_.decided(to, outer.axis);
    }
    if (lacks_outer && waits_) {
      waited_ = true;
      return refuse(Verdict::strided);
    }
    if (before == tiles) {
      const int64_t size = theirs.size(e.factor);
      evidence.candidate.split = size == place.size
                                     ? e.split
                                     : plan_.intern_split(rescaled(plan_.splits_[e.split], size, place.size,
                                                                   tiles * plan_.mesh().size(e.axis)));
      return evidence;
    }
  }

  return fit(from, e, from_slot, dim, to, to_slot, place, tiles, evidence);
}

// The same where blocks of several factors meet, or a window lies between: the cut of the dimension as one of
// the factor at `place`, which `tiles` tiles cover so far.
Evidence Propagation::fit(NodeId from, const NestEntry &e, uint32_t from_slot, uint8_t dim, NodeId to,
                          uint32_t to_slot, const FactorPlace &place, int64_t tiles, Evidence evidence) {
  const FlatRule &theirs = plan_.flat_rule(from), &ours = plan_.flat_rule(to);
  const auto refuse = [&](Verdict why) {
    evidence.verdict = why;
    return evidence;
  };
  auto cut = plan_.axis_cut(from, from_slot, dim, e.axis);
  TW_ASSERT(cut.has_value());
  const int64_t their_size = theirs.product(from_slot, dim), our_size = ours.product(to_slot, dim);
  if (their_size != our_size) // a window between them
    cut->rule = rescaled(cut->rule, their_size, our_size, cut->before * plan_.mesh().size(e.axis));
  const int64_t wanted = tiles * plan_.mesh().size(e.axis);
  std::optional<SplitRule> rule;
  if (cut->before == place.major * tiles) {
    rule = to_factor(cut->rule, place, wanted);
    if (!rule) {
      if (!plan_.mesh().is_loop(e.axis) && !plan_.is_anonymous(e.axis))
        evidence.part = fitting_part(cut->rule, place, tiles, plan_.mesh().size(e.axis));
      return refuse(Verdict::uneven);
    }
  } else if (cut->major && place.major == 1) {
    // Their outer axes are not ours, so the cuts differ anyhow; the blocks still have to stay whole.
    const int64_t unit = cut->rule.unit % place.minor == 0 ? cut->rule.unit / place.minor : 1;
    rule =
        SplitRule{cut->rule.kind == SplitRule::Kind::ceil ? SplitRule::Kind::ceil : SplitRule::Kind::balanced,
                  place.size % unit == 0 ? unit : 1, nullptr};
    rule = sharding::normalise(std::move(*rule), place.size, wanted);
  } else {
    return refuse(Verdict::strided);
  }
  evidence.candidate.split = plan_.intern_split(std::move(*rule));
  return evidence;
}

std::vector<Evidence> Propagation::evidence(NodeId n, AxisId axis) {
  std::vector<Evidence> all;
  each_edge(n, kEverySlot, kNobody, [&](const Neighbour &at) {
    const Evidence e = project(at.node, at.slot, n, at.own_slot, axis);
    if (e.verdict != Verdict::nothing && allowed(n, at.own_slot, axis, e.candidate.factor))
      all.push_back(e);
  });
  return all;
}

std::vector<Neighbour> Propagation::neighbours(NodeId n) {
  std::vector<Neighbour> all;
  each_edge(n, kEverySlot, kNobody, [&](const Neighbour &at) { all.push_back(at); });
  return all;
}

bool Propagation::gate_open(NodeId n, AxisId axis, ops::FactorId factor) {
  const FlatRule &rule = plan_.flat_rule(n);
  bool open = true;
  const auto carries = [&](uint32_t slot) {
    return open && slot < rule.num_operands() && rule.dim_of(slot, factor) != kNoDim;
  };
  const auto is_source = [&](NodeId p) { return plan_.is_source(p); };
  each_edge(n, carries, is_source, [&](const Neighbour &at) {
    const Evidence e = project(at.node, at.slot, n, at.own_slot, axis);
    open = e.verdict == Verdict::candidate && e.candidate.factor == factor;
  });
  return open;
}

} // namespace tw::partition
