// SPDX-License-Identifier: Apache-2.0
// Spreads decisions in synchronous waves. A wave looks at every undecided neighbour of the nodes that the
// wave before decided, against the state before the wave, and then commits all decisions at once; so the
// nearest action wins, equal distance is a tie that stays undecided, and the order in which ops are numbered
// means nothing.
//
// When waves have come to their end, sums are looked at: a value that is left partial over the axis is combined in the tiles that one of its
// readers wants, so readers that heard nothing at all take the same tiles, and it moves once. Then waves go on.
#include "partition/propagation.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ops/joined_slice.hpp"
#include "partition/choices.hpp"
#include "partition/policy.hpp"
#include "partition/projection.hpp"
#include "partition/stated.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;
using sharding::SplitRule;

namespace {

// How many places ahead memory is asked for. A wave touches as many distant places as the program has layers; asked for one by one, each
// would be waited for.
constexpr size_t kAhead = 8;
// So many offers are kept that they and what they reach stay in cache.
constexpr size_t kMaxOffers = 4096;
constexpr auto kEverySlot = [](uint32_t) { return true; };
constexpr auto kNobody = [](NodeId) { return false; };

// The largest major part of an axis that cuts a factor where a dimension is cut, though the whole axis does not; 0 where none does. The axis cuts
// the dimension into place.major * tiles * size tiles by this rule.
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

} // namespace

std::vector<Choice> of_parts(const std::vector<Choice> &chosen, AxisId axis) {
  std::vector<Choice> parts;
  for (const Choice &c : chosen) {
    parts.push_back({c.node, static_cast<AxisId>(c.axis + (c.axis > axis ? 1 : 0)), c.factor});
    if (c.axis == axis)
      parts.push_back({c.node, static_cast<AxisId>(axis + 1), c.factor});
  }
  return parts;
}

Propagation::Propagation(Plan &plan, const Waves &how)
    : plan_(plan), mode_(takes_largest(plan.policy()) ? Mode::infer_propagate : how.mode),
      silent_(how.silent), heard_tactics_(how.heard),
      first_level_(how.by_levels ? 0 : num_levels(plan.policy()) - 1), level_(num_levels(plan.policy()) - 1),
      chosen_(how.chosen) {
  if (plan_.pins_.empty())
    return;
  near_pin_.assign(plan_.roles_.size(), false);
  for (const Plan::Pin &pin : plan_.pins_)
    for (const ValueId v : pin.values) {
      if (const NodeId maker = plan_.flow().maker(v).node; maker != kNone)
        near_pin_[maker] = true;
      plan_.flow().each_reader(v, [&](const Port &reader) { near_pin_[reader.node] = true; });
    }
}

// Calls visit(neighbour) for every edge of the slots that `wants(slot)` takes: operands first, in order, then
// uses. `skip(neighbour)` is asked before anything else of a neighbour is looked at.
template <class Wants, class Skip, class Visit>
void Propagation::each_edge(NodeId n, Wants wants, Skip skip, Visit visit) const {
  const bool is_pin = plan_.is_pin(n);
  if (!is_pin && (near_pin_.empty() || !near_pin_[n])) {
    for (const Neighbour &at : plan_.adjacency_->of(n))
      if (!skip(at.node) && wants(at.own_slot))
        visit(at);
    return;
  }
  const DataFlow &flow = plan_.flow();
  const auto producer = [&](ValueId v, uint32_t own_slot) {
    if (const Port p = flow.maker(v); p.node != kNone && !skip(p.node))
      visit(Neighbour{p.node, own_slot, plan_.flat_rule(p.node).result_slot(p.index)});
  };
  const auto users = [&](ValueId v, uint32_t own_slot) {
    flow.each_reader(v, [&](const Port &reader) {
      if (!skip(reader.node))
        visit(Neighbour{reader.node, own_slot, reader.index});
    });
  };
  const FlatRule &own = plan_.flat_rule(n);
  if (is_pin) {
    const auto values = plan_.pinned(n);
    for (uint32_t i = 0; i < values.size(); ++i)
      if (const uint32_t slot = own.operand_slot(i); wants(slot))
        producer(values[i], slot);
    for (uint32_t i = 0; i < values.size(); ++i)
      if (const uint32_t slot = own.result_slot(i); wants(slot))
        users(values[i], slot);
    return;
  }
  const auto place = [&](NodeId pin, ValueId v) { // of a value in its pin
    const auto values = plan_.pinned(pin);
    return static_cast<uint32_t>(std::ranges::find(values, v) - values.begin());
  };
  const auto operands = flow.reads(n);
  for (uint32_t p = 0; p < operands.size(); ++p)
    if (const uint32_t slot = own.operand_slot(p); wants(slot)) {
      if (const NodeId pin = plan_.pin_of(operands[p]); pin == kNone)
        producer(operands[p], slot);
      else if (!skip(pin))
        visit(Neighbour{pin, slot, plan_.flat_rule(pin).result_slot(place(pin, operands[p]))});
    }
  for (uint32_t r = 0; r < flow.num_made(n); ++r)
    if (const uint32_t slot = own.result_slot(r); wants(slot)) {
      const ValueId v = flow.made(n, r);
      if (const NodeId pin = plan_.pin_of(v); pin == kNone)
        users(v, slot);
      else if (!skip(pin))
        visit(Neighbour{pin, slot, plan_.flat_rule(pin).operand_slot(place(pin, v))});
    }
}

Evidence Propagation::project(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot, AxisId axis) {
  const NestEntry *e = plan_.entry(from, axis);
  if (e == nullptr || e->factor == kAny || plan_.has_fixed_layout(from) || is_silent(*e))
    return {};
  return project(from, *e, from_slot, to, to_slot);
}

// A pin may let layouts pass in one direction only, between what makes its value and itself.
bool Propagation::passes(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot) const {
  if (plan_.is_pin(to) && to_slot < plan_.flat_rule(to).num_operands()) {
    const Passage passage = plan_.passage(plan_.pinned(to)[to_slot]);
    return passage == Passage::both || passage == Passage::forward;
  }
  if (plan_.is_pin(from) && from_slot < plan_.flat_rule(from).num_operands()) {
    const Passage passage = plan_.passage(plan_.pinned(from)[from_slot]);
    return passage == Passage::both || passage == Passage::backward;
  }
  return true;
}

Evidence Propagation::project(NodeId from, const NestEntry &e, uint32_t from_slot, NodeId to,
                              uint32_t to_slot) {
  const FlatRule &theirs = plan_.flat_rule(from), &ours = plan_.flat_rule(to);
  if (!plan_.passages_.empty() && !passes(from, from_slot, to, to_slot))
    return {};
  const uint8_t dim = theirs.dim_of(from_slot, e.factor);
  if (dim == kNoDim || (from_slot >= theirs.num_operands() && theirs.is_broadcast(e.factor)))
    return {};
  const auto factors = ours.factors(to_slot, dim);
  if (factors.empty())
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
    for (const NestEntry &outer : plan_.nest(from)) {
      if (outer.axis == e.axis)
        break;
      if (outer.factor == e.factor)
        before *= plan_.mesh().size(outer.axis);
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
      if (!in_loop && !plan_.is_anonymous(e.axis))
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

bool Propagation::allowed(NodeId n, uint32_t own_slot, AxisId axis, ops::FactorId factor) {
  if (!chosen_.empty()) {
    const auto chosen = std::ranges::lower_bound(chosen_, std::pair(n, axis), {},
                                                 [](const Choice &c) { return std::pair(c.node, c.axis); });
    if (chosen != chosen_.end() && chosen->node == n && chosen->axis == axis)
      return chosen->factor == factor;
  }
  if (plan_.policy() == Policy::seeds ||
      takes(plan_, level_, n, factor, own_slot < plan_.flat_rule(n).num_operands()))
    return true;
  if (level_ + 1 < num_levels(plan_.policy()))
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
      if (plan_.entry(e.candidate.source, axis)->tactic < plan_.entry(best->second.source, axis)->tactic)
        best->second.source = e.candidate.source;
    }
  });
  return best && decides ? std::optional(best->second) : std::nullopt;
}

// The layout that somebody stated for what a node makes is the node's own. Where it cannot make that, it makes the whole.
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
  if (takes_largest(plan_.policy()))
    return largest(n, axis);
  return plan_.policy() == Policy::explicit_ ? stated(n, axis) : std::nullopt;
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

// An axis stands outside those that it has inside it in the same dimension where it comes from, so that tiles lie in one order everywhere;
// but inside what an action put there, and all that was settled before.
uint8_t Propagation::depth_for(NodeId n, AxisId axis, const Candidate &c) const {
  const auto own = plan_.nest(n), theirs = plan_.nest(c.source);
  if (own.size() == settled_[n] || theirs.size() < 2 || c.split != 0)
    return kInnermost;
  const auto at = std::ranges::find(theirs, axis, &NestEntry::axis);
  const auto is_inside = [&](const NestEntry &e) {
    return std::any_of(at, theirs.end(), [&](const NestEntry &inner) {
      return inner.axis == e.axis && inner.factor == at->factor;
    });
  };
  uint8_t depth = kInnermost;
  for (size_t i = own.size(); i-- > settled_[n];)
    if (own[i].factor == c.factor) {
      if (own[i].cause == kNone)
        break;
      if (own[i].split != 0)
        return kInnermost; // these cuts are made by all axes together
      if (is_inside(own[i]))
        depth = static_cast<uint8_t>(i);
    }
  return depth;
}

void Propagation::offer(NodeId to, AxisId axis, const Evidence &e, TacticId tactic) {
  switch (e.verdict) {
  case Verdict::nothing:
  case Verdict::whole: return;
  case Verdict::uneven:
    blocked_.push_back({to, Conflict::Kind::uneven});
    if (e.part != 0)
      ask_for_part(to, e.part);
    return;
  case Verdict::strided: blocked_.push_back({to, Conflict::Kind::strided}); return;
  case Verdict::candidate: break;
  }
  Heard *known = heard(to);
  const uint8_t depth = depth_for(to, axis, e.candidate);
  if (known == nullptr) {
    heard_at_[to] = static_cast<uint32_t>(heard_.size());
    heard_.push_back(
        {to, wave_, e.candidate.split, e.candidate.source, tactic, e.candidate.factor, false, depth});
    touched_.push_back(heard_at_[to]);
    return;
  }
  if (known->tie)
    return;
  if (known->factor != e.candidate.factor || known->split != e.candidate.split) {
    known->tie = true;
  } else if (known->wave == wave_) {
    known->depth = std::min(known->depth, depth);
    if (tactic < known->tactic) { // equal offers: the earlier action has the honour
      known->tactic = tactic;
      known->source = e.candidate.source;
    }
  }
  if (known->wave != wave_) {
    known->wave = wave_;
    touched_.push_back(heard_at_[to]);
  }
}

void Propagation::ask_for_part(NodeId n, int64_t places) {
  if (const Heard *known = heard(n); !refines_ || (known != nullptr && known->tie))
    return;
  const int64_t elements = plan_.num_made(n) == 0 ? 0 : plan_.graph().type(plan_.made(n, 0)).elements();
  if (!part_ || std::tuple(-elements, places) < std::tuple(-part_->elements, part_->places))
    part_ = Part{elements, places};
}

Propagation::Heard *Propagation::heard(NodeId n) {
  const uint32_t at = heard_at_[n];
  return at < heard_.size() && heard_[at].node == n ? &heard_[at] : nullptr;
}

// Collects what a decided node has to say to its undecided neighbours.
void Propagation::push(uint32_t decision) {
  const NodeId n = frontier_[decision].node;
  const auto factor = frontier_[decision].entry.factor; // clang 14 captures no structured bindings
  if (factor == kAny)
    return;
  const FlatRule &own = plan_.flat_rule(n);
  const auto carries = [&](uint32_t slot) { return own.dim_of(slot, factor) != kNoDim; };
  const auto is_decided = [&](NodeId neighbour) { return decided(neighbour) && !reduces(neighbour); };
  each_edge(n, carries, is_decided, [&](const Neighbour &at) {
    if (!decided(at.node))
      offers_.push_back({decision, at});
    else if (at.own_slot < own.num_operands())
      sums_.push_back(at.node);
  });
}

// Whether what a node makes is left partial over the axis of this factor, and may be scattered.
bool Propagation::is_scattered(NodeId n, ops::FactorId factor) const {
  const FlatRule &rule = plan_.flat_rule(n);
  return factor != kAny && rule.kind(factor) == ops::FactorKind::reduce && !rule.folds(factor);
}

void Propagation::share_sums(AxisId axis) {
  std::ranges::sort(sums_);
  sums_.erase(std::unique(sums_.begin(), sums_.end()), sums_.end());
  struct Share {
    NodeId to;
    Evidence evidence;
    TacticId tactic;
  };
  std::vector<Share> shares;
  std::vector<Port> undecided,
      wanting; // readers of a value that heard nothing, and one for each way to tile it
  for (const NodeId sum : sums_)
    for (uint32_t r = 0; r < plan_.num_made(sum); ++r) {
      const ValueId v = plan_.made(sum, r);
      if (plan_.pin_of(v) != kNone) // its readers see what the pin has
        continue;
      undecided.clear();
      wanting.clear();
      std::vector<Plan::Cut> ways;
      plan_.flow().each_reader(v, [&](const Port &reader) {
        if (!decided(reader.node)) {
          if (heard(reader.node) == nullptr)
            undecided.push_back(reader);
        } else if (const auto cut = plan_.operand_cut(reader.node, reader.index, axis);
                   cut && !plan_.has_fixed_layout(reader.node) &&
                   !is_silent(*plan_.entry(reader.node, axis))) {
          const auto known = static_cast<size_t>(std::ranges::find(ways, *cut) - ways.begin());
          if (known == ways.size()) {
            ways.push_back(*cut);
            wanting.push_back(reader);
          } else if (plan_.entry(reader.node, axis)->tactic <
                     plan_.entry(wanting[known].node, axis)->tactic) {
            wanting[known] = reader; // the earlier action has the honour
          }
        }
      });
      for (const Port &to : undecided)
        for (const Port &from : wanting) {
          const NestEntry &e = *plan_.entry(from.node, axis);
          const Evidence found = project(from.node, e, from.index, to.node, to.index);
          const bool gated = mode_ == Mode::propagate && found.verdict == Verdict::candidate &&
                             plan_.flat_rule(to.node).kind(found.candidate.factor) == ops::FactorKind::reduce;
          if (found.verdict == Verdict::candidate && !gated &&
              allowed(to.node, to.index, axis, found.candidate.factor))
            shares.push_back({to.node, found, e.tactic});
        }
    }
  for (const Share &share : shares) // all at once: who reads several sums hears all of them
    offer(share.to, axis, share.evidence, share.tactic);
  sums_.clear();
}

void Propagation::make_offers() {
  for (size_t i = 0; i < offers_.size(); ++i) {
    if (i + kAhead < offers_.size()) {
      const NodeId later = offers_[i + kAhead].to.node;
      __builtin_prefetch(&heard_at_[later], 1);
      plan_.prefetch_rule(later);
    }
    const auto &[decision, to] = offers_[i];
    const NodeId n = frontier_[decision].node;
    const NestEntry &e = frontier_[decision].entry;
    const Evidence found = project(n, e, to.own_slot, to.node, to.slot);
    if (found.verdict != Verdict::nothing && allowed(to.node, to.slot, e.axis, found.candidate.factor))
      offer(to.node, e.axis, found, e.tactic);
  }
  offers_.clear();
}

// What the wave decided becomes part of the nests.
void Propagation::commit() {
  for (size_t i = 0; i < frontier_.size(); ++i) {
    if (i + kAhead < frontier_.size())
      plan_.prefetch_nest(frontier_[i + kAhead].node);
    const auto &[n, e, depth] = frontier_[i];
    decided_[n >> 6] |= uint64_t{1} << (n & 63);
    if (depth == kInnermost)
      plan_.append(n, e);
    else
      plan_.insert(n, depth, e);
    if (is_scattered(n, e.factor)) {
      reduces_[n >> 6] |= uint64_t{1} << (n & 63);
      sums_.push_back(n);
    }
  }
}

// A rewrite took off the loop from which a candidate followed.
bool Propagation::lost_candidate(const Conflict &c) const {
  return !plan_.edits_.empty() && std::ranges::any_of(c.candidates, [&](const Candidate &candidate) {
    return plan_.entry(candidate.source, c.axis) == nullptr;
  });
}

bool Propagation::run_axis(AxisId axis, const std::vector<NodeId> &seeds, const std::vector<NodeId> &retry) {
  heard_.clear();
  blocked_.clear();
  bool progress = false;
  decided_.assign(plan_.num_nodes() / 64 + 1, 0);
  reduces_.assign(decided_.size(), 0);
  sums_.clear();
  for (NodeId n = 0; n < plan_.num_nodes(); ++n) {
    decided_[n >> 6] |= uint64_t{plan_.decided(n, axis)} << (n & 63);
    if (const NestEntry *e = plan_.entry(n, axis); e != nullptr && is_scattered(n, e->factor))
      reduces_[n >> 6] |= uint64_t{1} << (n & 63);
  }
  for (const Conflict &c : plan_.conflicts_) // a tie stays a tie: evidence only grows
    if (c.axis == axis && c.kind == Conflict::Kind::tie && !lost_candidate(c)) {
      heard_at_[c.node] = static_cast<uint32_t>(heard_.size());
      heard_.push_back({c.node, wave_, 0, 0, 0, kNoFactor, true, kInnermost});
    }
  frontier_.clear();
  for (const NodeId n : seeds)
    if (const NestEntry *e = plan_.entry(n, axis); e != nullptr && !plan_.has_fixed_layout(n)) {
      frontier_.push_back({n, *e});
      if (is_scattered(n, e->factor))
        sums_.push_back(n);
    }
  const bool shares = plan_.policy() != Policy::explicit_ && !plan_.mesh().is_loop(axis);
  for (bool first = true; first || !frontier_.empty() || (shares && !sums_.empty()); first = false) {
    ++wave_;
    touched_.clear();
    if (frontier_.empty() && !first)
      share_sums(axis);
    if (first)
      for (const NodeId n : retry)
        if (!plan_.decided(n, axis))
          for (const Evidence &e : evidence(n, axis))
            offer(n, axis, e,
                  e.verdict == Verdict::candidate ? plan_.entry(e.candidate.source, axis)->tactic
                                                  : TacticId{0});
    for (uint32_t i = 0; i < frontier_.size(); ++i) {
      if (i + 2 * kAhead < frontier_.size())
        plan_.prefetch_place(frontier_[i + 2 * kAhead].node);
      if (i + kAhead < frontier_.size())
        plan_.prefetch_edges(frontier_[i + kAhead].node);
      push(i);
      if (offers_.size() >= kMaxOffers)
        make_offers();
    }
    make_offers();
    if (part_)
      return false;
    frontier_.clear();
    for (const uint32_t at : touched_) {
      const Heard &heard = heard_[at];
      if (heard.tie) {
        record(Conflict::Kind::tie, heard.node, axis);
        if (const auto chosen = settle(heard.node, axis))
          frontier_.push_back({heard.node,
                               {axis, chosen->factor, plan_.entry(chosen->source, axis)->tactic,
                                chosen->split, chosen->source},
                               depth_for(heard.node, axis, *chosen)});
      } else if (mode_ == Mode::propagate &&
                 plan_.flat_rule(heard.node).kind(heard.factor) == ops::FactorKind::reduce &&
                 !gate_open(heard.node, axis, heard.factor))
        blocked_.push_back({heard.node, Conflict::Kind::gate});
      else
        frontier_.push_back(
            {heard.node, {axis, heard.factor, heard.tactic, heard.split, heard.source}, heard.depth});
    }
    commit();
    progress |= !frontier_.empty();
  }
  for (const Blocked &b : blocked_)
    if (const Heard *known = heard(b.node); !plan_.decided(b.node, axis) && !(known && known->tie))
      record(b.kind, b.node, axis);
  return progress;
}

void Propagation::run() {
  heard_at_.assign(plan_.num_nodes(), 0);
  if (heard_tactics_.empty())
    settled_ = plan_.counts_;
  else // these waves go on with those of the tactics heard before
    settled_.assign(plan_.num_nodes(), 0);

  // What was set since waves last ended, oldest first.
  const size_t begin = plan_.propagated_.empty() ? 0 : plan_.propagated_.back();
  std::vector<Seed> seeds;
  std::vector<NodeId> new_pins;
  std::unordered_map<NodeId, uint32_t> seen;
  size_t pins = plan_.pins_.size(), edits = plan_.edits_.size();
  std::vector<NodeId> edited; // by rewrites: all their loops are news, and so is what they lack
  for (size_t i = plan_.log_.size(); i-- > begin;)
    if (plan_.log_[i] == Plan::kLogEdit)
      if (const NodeId n = plan_.edits_[--edits].node; std::ranges::find(edited, n) == edited.end())
        edited.push_back(n);
  bool refined = false; // later: nests are longer than the log counts, so all of them is taken for news
  for (size_t i = plan_.log_.size(); i-- > begin;) {
    const uint32_t what = plan_.log_[i];
    if (what == Plan::kLogPin)
      new_pins.push_back(static_cast<NodeId>(plan_.roles_.size() + --pins));
    else if (what == Plan::kLogRefined)
      refined = true;
    else if (what < Plan::kLogBase && (edited.empty() || std::ranges::find(edited, what) == edited.end())) {
      const uint32_t count = plan_.counts_[what];
      uint32_t &from_end = seen[what];
      for (uint32_t end = refined ? count : from_end + 1; from_end < end; ++from_end)
        seeds.push_back({plan_.nest(what)[count - 1 - from_end].axis, what});
    }
  }
  for (const NodeId n : edited)
    for (const NestEntry &e : plan_.nest(n))
      seeds.push_back({e.axis, n});
  std::ranges::reverse(seeds);
  std::erase_if(seeds, [&](const Seed &seed) { return is_silent(*plan_.entry(seed.node, seed.axis)); });
  for (NodeId n = 0; n < plan_.num_nodes() && !heard_tactics_.empty(); ++n)
    for (const NestEntry &e : plan_.nest(n))
      if (e.cause == kNone && heard_tactics_.contains(e.tactic))
        seeds.push_back({e.axis, n});
  std::vector<NodeId> changed = std::move(new_pins);
  changed.insert(changed.end(), edited.begin(), edited.end());

  // Axes one after the other, in the order in which they were set, so that axes nest alike everywhere.
  std::vector<AxisId> order;
  for (const Seed &seed : seeds)
    if (std::ranges::find(order, seed.axis) == order.end())
      order.push_back(seed.axis);
  for (size_t a = 0; a < plan_.mesh_.num_axes(); ++a)
    if (std::ranges::find(order, static_cast<AxisId>(a)) == order.end())
      order.push_back(static_cast<AxisId>(a));

  for (level_ = first_level_; level_ < num_levels(plan_.policy()); ++level_) {
    if (level_ > first_level_) {
      changed = std::exchange(deferred_, {});
      std::ranges::sort(changed);
      // clang 14 has no std::ranges::unique.
      changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
      seeds.clear();
    }
    run_level(order, seeds, changed);
  }
  level_ = num_levels(plan_.policy()) - 1;
  const std::vector<NodeId> nodes = plan_.policy() == Policy::explicit_ || !silent_.empty()
                                        ? std::vector<NodeId>()
                                        : ops_with_whole_loops();
  for (size_t i = 0; i < order.size() && !nodes.empty();) {
    seeds = turn(nodes, order[i]);
    i = seeds.empty() ? i + 1 : 0; // axes before it may reach more now
    if (!seeds.empty())
      run_level(order, seeds, {});
  }
  plan_.propagated_.push_back(plan_.log_.size());
  plan_.log_.push_back(Plan::kLogPropagated);
}

// A later axis may cover what an earlier one had to leave; then the earlier one goes on.
void Propagation::run_level(std::vector<AxisId> &order, std::vector<Seed> &seeds,
                            const std::vector<NodeId> &changed) {
  for (bool again = true, first = true; again; first = false) {
    again = false;
    for (size_t i = 0; i < order.size(); ++i) {
      const AxisId axis = order[i];
      std::vector<NodeId> frontier, retry;
      if (first) {
        for (const Seed &seed : seeds)
          if (seed.axis == axis)
            frontier.push_back(seed.node);
        retry = changed;
      }
      for (const Conflict &c : plan_.conflicts_)
        if (c.axis == axis && (c.kind != Conflict::Kind::tie || lost_candidate(c)) &&
            (first || c.kind != Conflict::Kind::gate))
          retry.push_back(c.node);
      std::ranges::sort(frontier); // near in the program is near in memory
      if (frontier.empty() && retry.empty())
        continue;
      const Plan::Stamp before = plan_.stamp();
      const bool decided = run_axis(axis, frontier, retry);
      if (!part_) {
        again |= decided;
        continue;
      }
      plan_.undo_to(before);
      refines_ = refine(i, order, seeds);
      --i; // the same once more, with the parts
    }
  }
}

// The axis at this place of the order becomes two; false where it cannot.
bool Propagation::refine(size_t at, std::vector<AxisId> &order, std::vector<Seed> &seeds) {
  const AxisId axis = order[at];
  std::vector<NodeId> longer; // among the loops that were there before the waves
  for (NodeId n = 0; n < settled_.size(); ++n)
    if (std::ranges::count(plan_.nest(n).first(settled_[n]), axis, &NestEntry::axis) != 0)
      longer.push_back(n);
  if (!plan_.refine(axis, std::exchange(part_, std::nullopt)->places))
    return false;
  for (const NodeId n : longer)
    ++settled_[n];
  chosen_ = of_parts(chosen_, axis);
  for (AxisId &other : order)
    other += other > axis ? 1 : 0;
  order.insert(order.begin() + static_cast<ptrdiff_t>(at) + 1, static_cast<AxisId>(axis + 1));
  for (size_t i = 0, count = seeds.size(); i < count; ++i)
    if (seeds[i].axis > axis)
      ++seeds[i].axis;
    else if (seeds[i].axis == axis)
      seeds.push_back({static_cast<AxisId>(axis + 1), seeds[i].node});
  return true;
}

void Plan::propagate(Mode mode, const TacticSet &silent, const TacticSet &heard) {
  const Waves how{.mode = mode, .silent = silent, .heard = heard};
  if (count_moves_ != nullptr && takes_largest(policy_))
    Choices(*this, how).run();
  else
    Propagation(*this, how).run();
}

} // namespace tw::partition
