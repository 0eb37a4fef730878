// SPDX-License-Identifier: Apache-2.0
// Spreads decisions in synchronous waves. A wave looks at every undecided neighbour of the nodes that the
// wave before decided, against the state before the wave, and then commits all decisions at once; so the
// nearest action wins, equal distance is a tie that stays undecided, and the order in which ops are numbered
// means nothing.
//
// When waves have come to their end, sums are looked at: a value that is left partial over the axis is
// combined in the tiles that one of its readers wants, so readers that heard nothing at all take the same
// tiles, and it moves once. Then waves go on.
#include "partition/propagation.hpp"

#include <algorithm>
#include <tuple>

#include "base/watch.hpp"
#include "partition/edges.hpp"
#include "partition/policy.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;

namespace {

// How many places ahead memory is asked for. A wave touches as many distant places as the program has layers;
// asked for one by one, each would be waited for.
constexpr size_t kAhead = 8;
// So many offers are kept that they and what they reach stay in cache.
constexpr size_t kMaxOffers = 4096;

} // namespace

Propagation::Propagation(Plan &plan, const Waves &how)
    : plan_(plan), policy_(how.policy.value_or(plan.policy())),
      mode_(takes_largest(policy_) ? Mode::infer_propagate : how.mode), silent_(how.silent),
      heard_actions_(how.heard), direction_(how.direction),
      first_level_(how.by_levels ? 0 : num_levels(policy_) - 1), level_(num_levels(policy_) - 1),
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

// An axis stands outside those that it has inside it in the same dimension where it comes from, so that tiles
// lie in one order everywhere; but inside what an action put there, and all that was settled before.
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

void Propagation::offer(NodeId to, AxisId axis, const Evidence &e, ActionId action) {
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
        {to, wave_, e.candidate.split, e.candidate.source, action, e.candidate.factor, false, depth});
    touched_.push_back(heard_at_[to]);
    return;
  }
  if (known->tie)
    return;
  if (known->factor != e.candidate.factor || known->split != e.candidate.split) {
    known->tie = true;
  } else if (known->wave == wave_) {
    known->depth = std::min(known->depth, depth);
    if (action < known->action) { // equal offers: the earlier action has the honour
      known->action = action;
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
  const AxisId axis = frontier_[decision].entry.axis;
  const Nests &nests = plan_.nests_;
  const auto is_done = [&](NodeId to) { return nests.is_decided(to, axis) && !nests.reduces(to, axis); };
  each_edge(n, carries, is_done, [&](const Neighbour &at) {
    if (!nests.is_decided(at.node, axis))
      offers_.push_back({decision, at});
    else if (at.own_slot < own.num_operands())
      sums_.push_back(at.node);
  });
}

void Propagation::share_sums(AxisId axis) {
  std::ranges::sort(sums_);
  sums_.erase(std::unique(sums_.begin(), sums_.end()), sums_.end());
  struct Share {
    NodeId to;
    Evidence evidence;
    ActionId action;
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
        if (!plan_.decided(reader.node, axis)) {
          if (heard(reader.node) == nullptr)
            undecided.push_back(reader);
        } else if (const auto cut = plan_.operand_cut(reader.node, reader.index, axis);
                   cut && !plan_.has_fixed_layout(reader.node) &&
                   !is_silent(*plan_.entry(reader.node, axis))) {
          const auto known = static_cast<size_t>(std::ranges::find(ways, *cut) - ways.begin());
          if (known == ways.size()) {
            ways.push_back(*cut);
            wanting.push_back(reader);
          } else if (plan_.entry(reader.node, axis)->action <
                     plan_.entry(wanting[known].node, axis)->action) {
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
            shares.push_back({to.node, found, e.action});
        }
    }
  for (const Share &share : shares) // all at once: who reads several sums hears all of them
    offer(share.to, axis, share.evidence, share.action);
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
      offer(to.node, e.axis, found, e.action);
  }
  offers_.clear();
}

// What the wave decided becomes part of the nests.
void Propagation::commit() {
  for (size_t i = 0; i < frontier_.size(); ++i) {
    if (i + kAhead < frontier_.size())
      plan_.prefetch_nest(frontier_[i + kAhead].node, frontier_[i].entry.axis);
    const auto &[n, e, depth] = frontier_[i];
    if (depth == kInnermost)
      plan_.append(n, e);
    else
      plan_.insert(n, depth, e);
    if (plan_.nests_.reduces(n, e.axis))
      sums_.push_back(n);
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
  sums_.clear();
  for (const Conflict &c : plan_.conflicts_) // a tie stays a tie: evidence only grows
    if (c.axis == axis && c.kind == Conflict::Kind::tie && !lost_candidate(c)) {
      heard_at_[c.node] = static_cast<uint32_t>(heard_.size());
      heard_.push_back({c.node, wave_, 0, 0, 0, kNoFactor, true, kInnermost});
    }
  frontier_.clear();
  for (const NodeId n : seeds)
    if (const NestEntry *e = plan_.entry(n, axis); e != nullptr && !plan_.has_fixed_layout(n)) {
      frontier_.push_back({n, *e});
      if (plan_.nests_.reduces(n, axis))
        sums_.push_back(n);
    }
  const bool shares =
      policy_ != Policy::explicit_ && direction_ == Direction::both && !plan_.mesh().is_loop(axis);
  for (bool first = true; first || !frontier_.empty() || (shares && !sums_.empty()); first = false) {
    if (gives_up())
      return false;
    ++wave_;
    touched_.clear();
    if (frontier_.empty() && !first)
      share_sums(axis);
    if (first)
      for (const NodeId n : retry)
        if (!plan_.decided(n, axis))
          for (const Evidence &e : evidence(n, axis))
            offer(n, axis, e,
                  e.verdict == Verdict::candidate ? plan_.entry(e.candidate.source, axis)->action
                                                  : ActionId{0});
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
                               {axis, chosen->factor, plan_.entry(chosen->source, axis)->action,
                                chosen->split, chosen->source},
                               depth_for(heard.node, axis, *chosen)});
      } else if (mode_ == Mode::propagate &&
                 plan_.flat_rule(heard.node).kind(heard.factor) == ops::FactorKind::reduce &&
                 !gate_open(heard.node, axis, heard.factor))
        blocked_.push_back({heard.node, Conflict::Kind::gate});
      else
        frontier_.push_back(
            {heard.node, {axis, heard.factor, heard.action, heard.split, heard.source}, heard.depth});
    }
    commit();
    progress |= !frontier_.empty();
  }
  for (const Blocked &b : blocked_)
    if (const Heard *known = heard(b.node); !plan_.decided(b.node, axis) && !(known && known->tie))
      record(b.kind, b.node, axis);
  return progress;
}

} // namespace tw::partition
