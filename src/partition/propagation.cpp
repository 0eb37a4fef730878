// SPDX-License-Identifier: Apache-2.0
// Spreads decisions in synchronous waves. A wave looks at every undecided neighbour of the nodes that the
// wave before decided, against the state before the wave, and then commits all decisions at once; so the
// nearest action wins, equal distance is a tie that stays undecided, and the order in which ops are numbered
// means nothing.
#include "partition/propagation.hpp"

#include <algorithm>

#include "partition/projection.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;
using sharding::SplitRule;

// Calls visit(neighbour, own slot, neighbour's slot) for every edge of the slots that `wants(slot)` takes: operands first, in order, then
// uses. `skip(neighbour)` is asked before anything else of a neighbour is looked at.
template <class Wants, class Skip, class Visit>
void Propagation::each_edge(NodeId n, Wants wants, Skip skip, Visit visit) const {
  const graph::Graph &g = plan_.graph();
  const FlatRule &own = plan_.flat_rule(n);
  const auto producer = [&](ValueId v, NodeId p, uint32_t own_slot) {
    if (p != kNone && !skip(p))
      visit(p, own_slot, plan_.is_pin(p) ? 1u : plan_.flat_rule(p).result_slot(v - g.op(p).first_result));
  };
  const auto users = [&](ValueId v, uint32_t own_slot) {
    for (const graph::Use &use : g.uses(v))
      if (!skip(use.op))
        visit(NodeId{use.op}, own_slot, use.operand);
  };
  if (plan_.is_pin(n)) {
    const ValueId v = plan_.pinned_value(n);
    if (wants(0))
      producer(v, g.value(v).def, 0);
    if (wants(1))
      users(v, 1);
    return;
  }
  const auto operands = g.operands(n);
  const NodeId *producers = plan_.producers_->data() + g.op(n).first_operand;
  for (uint32_t p = 0; p < operands.size(); ++p)
    if (wants(own.operand_slot(p))) {
      const NodeId pin = plan_.pin_of(operands[p]);
      producer(operands[p], pin != kNone ? pin : producers[p], own.operand_slot(p));
    }
  for (uint32_t r = 0; r < g.op(n).num_results; ++r)
    if (wants(own.result_slot(r))) {
      const ValueId v = g.result(n, r);
      if (const NodeId pin = plan_.pin_of(v); pin == kNone)
        users(v, own.result_slot(r));
      else if (!skip(pin))
        visit(pin, own.result_slot(r), 0u);
    }
}

namespace {

constexpr size_t kAhead = 8;
constexpr auto kEverySlot = [](uint32_t) { return true; };
constexpr auto kNobody = [](NodeId) { return false; };

} // namespace

Evidence Propagation::project(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot, AxisId axis) {
  const NestEntry *e = plan_.entry(from, axis);
  if (e == nullptr || e->factor == kAny || plan_.has_fixed_layout(from))
    return {};
  return project(from, *e, from_slot, to, to_slot);
}

Evidence Propagation::project(NodeId from, const NestEntry &e, uint32_t from_slot, NodeId to,
                              uint32_t to_slot) {
  const FlatRule &theirs = plan_.flat_rule(from), &ours = plan_.flat_rule(to);
  const uint8_t dim = theirs.dim_of(from_slot, e.factor);
  if (dim == kNoDim || (from_slot >= theirs.num_operands() && theirs.is_broadcast(e.factor)))
    return {};
  const auto factors = ours.factors(to_slot, dim);
  if (factors.empty())
    return {};

  // Nearly always one factor meets one factor, and its cuts are the default ones wherever else they lie.
  const bool plain = factors.size() == 1 && theirs.factors(from_slot, dim).size() == 1;
  if (plain && e.split == 0 && ours.kind(factors[0]) != ops::FactorKind::whole &&
      ours.before(factors[0]).empty())
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
    if (factors.size() == 1 || tiles != place.size)
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
  if (ours.kind(f) == ops::FactorKind::whole)
    return refuse(Verdict::whole);
  if (!plan_.contiguous(to, f))
    return refuse(Verdict::strided);

  if (plain && e.split == 0)
    return evidence;
  if (plain) {
    int64_t before = 1;
    for (const NestEntry &outer : plan_.nest(from)) {
      if (outer.axis == e.axis)
        break;
      if (outer.factor == e.factor)
        before *= plan_.mesh().size(outer.axis);
    }
    if (before == tiles) {
      evidence.candidate.split = e.split;
      return evidence;
    }
  }

  const auto cut = plan_.axis_cut(from, from_slot, dim, e.axis);
  TW_ASSERT(cut.has_value());
  const int64_t wanted = tiles * plan_.mesh().size(e.axis);
  std::optional<SplitRule> rule;
  if (cut->before == place.major * tiles) {
    rule = to_factor(cut->rule, place, wanted);
    if (!rule)
      return refuse(Verdict::uneven);
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
  each_edge(n, kEverySlot, kNobody, [&](NodeId neighbour, uint32_t own_slot, uint32_t slot) {
    if (Evidence e = project(neighbour, slot, n, own_slot, axis); e.verdict != Verdict::nothing)
      all.push_back(e);
  });
  return all;
}

std::vector<Neighbour> Propagation::neighbours(NodeId n) {
  std::vector<Neighbour> all;
  each_edge(n, kEverySlot, kNobody, [&](NodeId neighbour, uint32_t own_slot, uint32_t slot) {
    all.push_back({neighbour, own_slot, slot});
  });
  return all;
}

bool Propagation::gate_open(NodeId n, AxisId axis, ops::FactorId factor) {
  const FlatRule &rule = plan_.flat_rule(n);
  bool open = true;
  const auto carries = [&](uint32_t slot) {
    return open && slot < rule.num_operands() && rule.dim_of(slot, factor) != kNoDim;
  };
  const auto is_source = [&](NodeId p) { return plan_.is_source(p); };
  each_edge(n, carries, is_source, [&](NodeId neighbour, uint32_t own_slot, uint32_t slot) {
    const Evidence e = project(neighbour, slot, n, own_slot, axis);
    open = e.verdict == Verdict::candidate && e.candidate.factor == factor;
  });
  return open;
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
  conflict.tactic = plan_.entry(conflict.candidates[0].source, axis)->tactic;
  plan_.record(std::move(conflict));
}

void Propagation::offer(NodeId to, const Evidence &e, uint16_t tactic) {
  switch (e.verdict) {
  case Verdict::nothing:
  case Verdict::whole: return;
  case Verdict::uneven: blocked_.push_back({to, Conflict::Kind::uneven}); return;
  case Verdict::strided: blocked_.push_back({to, Conflict::Kind::strided}); return;
  case Verdict::candidate: break;
  }
  Heard &heard = heard_[to];
  const bool first = heard.epoch != epoch_;
  if (first)
    heard = {epoch_, wave_ - 1, e.candidate.split, e.candidate.source, tactic, e.candidate.factor, false};
  else if (heard.tie)
    return;
  else if (heard.factor != e.candidate.factor || heard.split != e.candidate.split)
    heard.tie = true;
  else if (heard.wave == wave_ && tactic < heard.tactic) { // equal offers: the earlier action has the honour
    heard.tactic = tactic;
    heard.source = e.candidate.source;
  }
  if (heard.wave != wave_) {
    heard.wave = wave_;
    touched_.push_back(to);
  }
}

// A wave touches as many distant places as the program has layers: ask for them before they are needed.
void Propagation::prefetch(NodeId n) const {
  if (!plan_.is_pin(n))
    __builtin_prefetch(&plan_.graph().op(n));
}

void Propagation::push(NodeId n, const NestEntry &e) {
  if (e.factor == kAny)
    return;
  const FlatRule &own = plan_.flat_rule(n);
  const auto carries = [&](uint32_t slot) { return own.dim_of(slot, e.factor) != kNoDim; };
  const auto is_decided = [&](NodeId neighbour) { return decided(neighbour); };
  each_edge(n, carries, is_decided, [&](NodeId neighbour, uint32_t own_slot, uint32_t slot) {
    offer(neighbour, project(n, e, own_slot, neighbour, slot), e.tactic);
  });
}

bool Propagation::run_axis(AxisId axis, const std::vector<NodeId> &seeds, const std::vector<NodeId> &retry,
                           Mode mode) {
  ++epoch_;
  blocked_.clear();
  bool progress = false;
  decided_.assign(plan_.num_nodes() / 64 + 1, 0);
  for (NodeId n = 0; n < plan_.num_nodes(); ++n)
    decided_[n >> 6] |= uint64_t{plan_.decided(n, axis)} << (n & 63);
  for (const Conflict &c : plan_.conflicts_) // a tie stays a tie: evidence only grows
    if (c.axis == axis && c.kind == Conflict::Kind::tie)
      heard_[c.node] = {epoch_, wave_, 0, 0, 0, kNoFactor, true};
  std::vector<Decision> frontier;
  for (const NodeId n : seeds)
    if (const NestEntry *e = plan_.entry(n, axis); e != nullptr && !plan_.has_fixed_layout(n))
      frontier.push_back({n, *e});
  for (bool first = true; first || !frontier.empty(); first = false) {
    ++wave_;
    touched_.clear();
    if (first)
      for (const NodeId n : retry)
        if (!plan_.decided(n, axis))
          for (const Evidence &e : evidence(n, axis))
            offer(n, e,
                  e.verdict == Verdict::candidate ? plan_.entry(e.candidate.source, axis)->tactic
                                                  : uint16_t{0});
    for (size_t i = 0; i < frontier.size(); ++i) {
      if (i + kAhead < frontier.size())
        prefetch(frontier[i + kAhead].node);
      push(frontier[i].node, frontier[i].entry);
    }
    frontier.clear();
    for (const NodeId n : touched_) {
      const Heard &heard = heard_[n];
      if (heard.tie)
        record(Conflict::Kind::tie, n, axis);
      else if (mode == Mode::propagate && plan_.flat_rule(n).kind(heard.factor) == ops::FactorKind::reduce &&
               !gate_open(n, axis, heard.factor))
        blocked_.push_back({n, Conflict::Kind::gate});
      else
        frontier.push_back({n, {axis, heard.factor, heard.tactic, heard.split, heard.source}});
    }
    for (const auto &[n, e] : frontier) {
      decided_[n >> 6] |= uint64_t{1} << (n & 63);
      plan_.append(n, e);
    }
    progress |= !frontier.empty();
  }
  for (const Blocked &b : blocked_)
    if (!plan_.decided(b.node, axis) && !(heard_[b.node].epoch == epoch_ && heard_[b.node].tie))
      record(b.kind, b.node, axis);
  return progress;
}

void Propagation::run(Mode mode) {
  heard_.assign(plan_.num_nodes(), Heard{});

  // What was set since waves last ended, oldest first.
  const size_t begin = plan_.propagated_.empty() ? 0 : plan_.propagated_.back();
  struct Seed {
    AxisId axis;
    NodeId node;
  };
  std::vector<Seed> seeds;
  std::vector<NodeId> new_pins;
  std::unordered_map<NodeId, uint32_t> seen;
  size_t pins = plan_.pins_.size();
  for (size_t i = plan_.log_.size(); i-- > begin;) {
    const uint32_t what = plan_.log_[i];
    if (what == Plan::kLogPin)
      new_pins.push_back(static_cast<NodeId>(plan_.roles_.size() + --pins));
    else if (what < Plan::kLogBase)
      seeds.push_back({plan_.nest(what)[plan_.counts_[what] - 1 - seen[what]++].axis, what});
  }
  std::ranges::reverse(seeds);

  // Axes one after the other, in the order in which they were set, so that axes nest alike everywhere.
  std::vector<AxisId> order;
  for (const Seed &seed : seeds)
    if (std::ranges::find(order, seed.axis) == order.end())
      order.push_back(seed.axis);
  for (size_t a = 0; a < plan_.mesh_.num_axes(); ++a)
    if (std::ranges::find(order, static_cast<AxisId>(a)) == order.end())
      order.push_back(static_cast<AxisId>(a));

  // A later axis may cover what an earlier one had to leave; then the earlier one goes on.
  for (bool again = true, first = true; again; first = false) {
    again = false;
    for (const AxisId axis : order) {
      std::vector<NodeId> frontier, retry;
      if (first) {
        for (const Seed &seed : seeds)
          if (seed.axis == axis)
            frontier.push_back(seed.node);
        retry = new_pins;
      }
      for (const Conflict &c : plan_.conflicts_)
        if (c.axis == axis && c.kind != Conflict::Kind::tie && (first || c.kind != Conflict::Kind::gate))
          retry.push_back(c.node);
      std::ranges::sort(frontier); // near in the program is near in memory
      if (!frontier.empty() || !retry.empty())
        again |= run_axis(axis, frontier, retry, mode);
    }
  }
  plan_.propagated_.push_back(plan_.log_.size());
  plan_.log_.push_back(Plan::kLogPropagated);
}

void Plan::propagate(Mode mode) { Propagation(*this).run(mode); }

} // namespace tw::partition
