// SPDX-License-Identifier: Apache-2.0
// What else nodes may have: loops that they were offered and did not take, and sums that were split to be
// whole, those at large arrays first, each at once for all nodes that do the same. Where `cheapest` looks
// further, these are followed by choices taken back, and by loops that nobody offered next to what moves.
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/hash.hpp"
#include "base/watch.hpp"
#include "partition/choices.hpp"

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

namespace {

// So many more turns of loops are paid for each byte that the busiest receives less, where a sum is no longer
// split: it was so for one of its operands alone, whose tiles the others need not have; or all operands have
// these tiles.
constexpr double kTurnsForOne = 64, kTurnsForAll = 1;

// Both in order; the new ones count.
std::vector<Choice> changed(const std::vector<Choice> &chosen, const std::vector<Choice> &now) {
  std::vector<Choice> all;
  const auto before = [](const Choice &a, const Choice &b) {
    return std::tuple(a.node, a.axis) < std::tuple(b.node, b.axis);
  };
  std::set_union(now.begin(), now.end(), chosen.begin(), chosen.end(), std::back_inserter(all),
                 before); // of equal ones the first
  return all;
}

std::vector<Choice> taken_off(const std::vector<Choice> &chosen, const std::vector<Choice> &taken_back) {
  std::vector<Choice> left;
  std::ranges::copy_if(chosen, std::back_inserter(left),
                       [&](const Choice &c) { return std::ranges::find(taken_back, c) == taken_back.end(); });
  return left;
}

int64_t largest_array(const Plan &plan, NodeId n) {
  int64_t elements = 0;
  for (const graph::ValueId v : plan.reads(n))
    elements = std::max(elements, plan.graph().type(v).elements());
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    elements = std::max(elements, plan.graph().type(plan.made(n, i)).elements());
  return elements;
}

} // namespace

void Choices::Found::add(Offer::Kind kind, const Choice &choice, int64_t elements, uint64_t key,
                         double turns_a_byte) {
  key = Hasher(key).add(static_cast<uint32_t>(kind)).value();
  Offer &offer = by_key[key];
  offer.kind = kind;
  offer.key = key;
  offer.turns_a_byte = turns_a_byte;
  offer.elements = std::max(offer.elements, elements);
  if (offer.nodes.empty() || !(offer.nodes.back() == choice))
    offer.nodes.push_back(choice);
}

std::vector<Choices::Offer> Choices::offers() {
  Propagation waves(plan_);
  Found found;
  for (NodeId n = 0; n < plan_.num_nodes(); ++n)
    if (plan_.takes_part(n) && !plan_.is_source(n) && !plan_.has_fixed_layout(n))
      for (size_t a = 0; a < plan_.mesh().num_axes(); ++a)
        if (const auto axis = static_cast<AxisId>(a); !plan_.mesh().is_loop(axis) && !is_decided(n, axis)) {
          add_offers(n, axis, waves, found);
          if (first_)
            add_unasked(n, axis, found);
        }
  if (first_)
    for (const Choice &choice : best_.chosen)
      found.add(Offer::Kind::taken_back, choice, largest_array(plan_, choice.node),
                Hasher(alike_[choice.node]).add(choice.axis).add(choice.factor).value(), 0);
  std::vector<Offer> all;
  for (auto &[key, offer] : found.by_key)
    all.push_back(std::move(offer));
  std::ranges::stable_sort(all, {},
                           [](const Offer &offer) { return std::tuple(offer.kind, -offer.elements); });
  return all;
}

void Choices::add_offers(NodeId n, AxisId axis, Propagation &waves, Found &found) {
  const NestEntry *own = plan_.entry(n, axis);
  const ops::FactorId taken = own == nullptr ? kNoFactor : own->factor;
  const auto add = [&](ops::FactorId factor, double turns_a_byte) {
    found.add(Offer::Kind::offered, {n, axis, factor}, largest_array(plan_, n),
              Hasher(alike_[n]).add(axis).add(taken).add(factor).value(), turns_a_byte);
  };
  for (const Evidence &e : waves.evidence(n, axis))
    if (e.verdict == Verdict::candidate && e.candidate.factor != taken)
      add(e.candidate.factor, 0);
  if (plan_.is_op(n) && own != nullptr && taken != kAny && own->cause != kNone &&
      plan_.rule(n).factors[taken].kind == ops::FactorKind::reduce)
    add(kAny, waves.gate_open(n, axis, taken) ? kTurnsForAll : kTurnsForOne);
}

// Any loop of an op at what moves.
void Choices::add_unasked(NodeId n, AxisId axis, Found &found) {
  if (!plan_.is_op(n) || plan_.num_made(n) == 0 || ops::is_signature(ops::op_def(plan_.graph().op(n).code)) ||
      moves_ == nullptr || !moves_->moves_at(n))
    return;
  const FlatRule &rule = plan_.flat_rule(n);
  const NestEntry *own = plan_.entry(n, axis);
  for (size_t i = 0; i < plan_.rule(n).factors.size(); ++i) {
    const auto factor = static_cast<ops::FactorId>(i);
    if (rule.kind(factor) != ops::FactorKind::whole && rule.size(factor) >= plan_.mesh().size(axis) &&
        (own == nullptr || own->factor != factor))
      found.add(Offer::Kind::unasked, {n, axis, factor, Choice::When::at_once}, largest_array(plan_, n),
                Hasher(alike_[n]).add(axis).add(factor).value(), 0);
  }
}

bool Choices::is_undecided() {
  return std::ranges::any_of(offers(), [](const Offer &offer) {
    return offer.kind == Offer::Kind::offered && offer.nodes.front().factor != kAny;
  });
}

void Choices::try_offers() {
  std::set<uint64_t> tried;
  for (bool improved = false, again = true; again && tries_ > 0 && !gives_up();) {
    again = false;
    if (first_)
      count_best();
    else
      go_to_best();
    for (const Offer &offer : offers()) {
      if (!tried.insert(offer.key).second)
        continue;
      Way way = best_;
      way.chosen = offer.kind == Offer::Kind::taken_back ? taken_off(best_.chosen, offer.nodes)
                                                         : changed(best_.chosen, offer.nodes);
      if (improves(way, offer.turns_a_byte)) {
        again = improved = true;
        break;
      }
    }
    if (!again && improved) { // what did not help before may now
      tried.clear();
      improved = false;
      again = true;
    }
  }
}

} // namespace tw::partition
