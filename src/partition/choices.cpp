// SPDX-License-Identifier: Apache-2.0
// Runs waves with every tie decided for the largest array. Then it tries the loops that nodes were offered
// and did not take, and sums that were split to be whole, those at large arrays first, each at once for all
// nodes that do the same; `cheapest`
// first tries without levels, and with some actions heard before all others (what is said of an input, before
// what is said of the parameters of all layers, makes a step that gathers weights rather than activations).
#include "partition/choices.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "base/watch.hpp"
#include "partition/alike.hpp"
#include "partition/policy.hpp"

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

namespace {

// So many nodes are looked at in all, by so many waves at least, and at most.
constexpr int64_t kNodes = 2'000'000, kLeastTries = 4, kMostTries = 400;
// And so many in a program that is lowered as a whole for each.
constexpr int64_t kWholeTries = 100;
// Devices may do so much more work where they move less.
constexpr double kMoreWork = 1.05;
// And so many more turns of loops for each byte that the busiest receives less, where a sum is no longer
// split: it was so for one of its operands alone, whose tiles the others need not have; or all operands have
// these tiles.
constexpr double kTurnsForOne = 64, kTurnsForAll = 1;
// The work of what is done where nobody asks for the fewest bytes is no reason to move more.
constexpr double kAnyWork = std::numeric_limits<double>::infinity();

bool is_equal(std::span<const NestEntry> a, std::span<const NestEntry> b) {
  return std::ranges::equal(a, b, [](const NestEntry &x, const NestEntry &y) {
    return x.axis == y.axis && x.factor == y.factor && x.split == y.split;
  });
}

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

} // namespace

Choices::Choices(Plan &plan, const Waves &how)
    : plan_(plan), how_(how), start_(plan.stamp()), refined_(plan.refined_.size()), decided_(plan.axes_),
      tries_(std::clamp(kNodes / static_cast<int64_t>(plan.num_nodes() + 1), kLeastTries, kMostTries)),
      counted_mesh_(plan.mesh()) {}

void Choices::run() {
  run_waves(best_);
  const auto now = cost();
  if (!now || now->bytes.total == 0)
    return;
  least_ = *now;
  if (plan_.refined_.size() != refined_ && !keep_axes())
    return;
  alike_ = find_alike(plan_);
  if (plan_.policy() == Policy::cheapest)
    try_orders();
  try_offers();
  go_to_best();
  try_whole();
}

void Choices::try_whole() {
  if (moves_ == nullptr || moves_->whole() == nullptr)
    return;
  is_whole_ = true;
  moves_ = nullptr;
  const auto now = cost();
  if (!now || now->bytes.total == 0)
    return;
  least_ = *now;
  tries_ = kWholeTries;
  if (plan_.policy() == Policy::cheapest)
    improves({.policy = Policy::seeds}, kAnyWork);
  try_offers();
  go_to_best();
}

void Choices::run_waves(const Way &way) {
  Waves waves = how_;
  waves.policy = way.policy;
  waves.by_levels = way.by_levels;
  waves.chosen = way.chosen;
  if (!way.first.empty()) {
    ActionSet first, heard, later;
    for (const ActionId action : way.first)
      first.insert(action);
    for (const auto &same : actions_)
      if (!first.contains(same[0]))
        for (const ActionId action : same)
          later.insert(action);
    how_.heard.each([&](ActionId action) {
      if (first.contains(action))
        heard.insert(action);
    });
    waves.silent.insert(later);
    waves.heard = heard;
    Propagation(plan_, waves).run();
    waves.silent = how_.silent;
    waves.heard = later;
  }
  Propagation(plan_, waves).run();
}

bool Choices::improves(const Way &way, double turns_a_byte) {
  if (tries_ == 0 || gives_up())
    return false;
  --tries_;
  plan_.undo_to(start_);
  run_waves(way);
  is_best_ = false;
  const auto now = cost();
  if (!now || now->bytes >= least_.bytes)
    return false;
  const auto saved = static_cast<double>(least_.bytes.busiest - now->bytes.busiest);
  const double paid = least_.work + turns_a_byte * saved;
  if (now->work > paid * kMoreWork)
    return false;
  const Way was = std::exchange(best_, way);
  // Many ways in a row do not add up to much more work than is paid for.
  const Cost least =
      std::exchange(least_, {now->bytes, turns_a_byte > 0 ? std::max(least_.work, now->work) : least_.work});
  is_best_ = true;
  if (plan_.refined_.size() == refined_ || keep_axes())
    return true;
  best_ = was;
  least_ = least;
  return is_best_ = false;
}

void Choices::go_to_best() {
  if (std::exchange(is_best_, true))
    return;
  plan_.undo_to(start_);
  run_waves(best_);
}

std::optional<Choices::Cost> Choices::cost() {
  const auto remember = [&](NodeId n) { counted_[n].assign(plan_.nest(n).begin(), plan_.nest(n).end()); };
  if (moves_ == nullptr || !(counted_mesh_ == plan_.mesh())) {
    moves_ = plan_.count_moves_(plan_);
    if (is_whole_ && moves_ != nullptr)
      moves_ = moves_->whole();
    counted_mesh_ = plan_.mesh();
    counted_.resize(plan_.num_nodes());
    for (NodeId n = 0; n < plan_.num_nodes(); ++n)
      remember(n);
  } else {
    std::vector<NodeId> changed;
    for (NodeId n = 0; n < plan_.num_nodes(); ++n)
      if (!is_equal(plan_.nest(n), counted_[n])) {
        changed.push_back(n);
        remember(n);
      }
    if (!changed.empty() && !moves_->follow(changed))
      moves_ = nullptr;
  }
  return moves_ == nullptr ? std::nullopt : std::optional(Cost{moves_->bytes(), work()});
}

double Choices::work() const {
  double all = 0;
  for (NodeId n = 0; n < plan_.num_ops_; ++n) {
    if (!plan_.takes_part(n) || plan_.is_source(n))
      continue;
    const auto &factors = plan_.rule(n).factors;
    if (std::ranges::any_of(factors, [](const ops::Factor &factor) { // it looks up elements
          return factor.kind == ops::FactorKind::reduce && factor.reduction == sharding::Reduction::pick;
        }))
      continue;
    double turns = 1;
    for (const ops::Factor &factor : factors)
      turns *= static_cast<double>(factor.size);
    for (const NestEntry &e : plan_.nest(n))
      if (e.factor != kAny)
        turns /= static_cast<double>(plan_.mesh().size(e.axis));
    all += turns;
  }
  return all;
}

bool Choices::keep_axes() {
  const Plan::Stamp start = start_;
  const size_t refined = refined_;
  const Way best = best_;
  std::vector<std::pair<AxisId, int64_t>> parts; // the axis, and the places of its major part
  for (size_t i = refined_; i < plan_.refined_.size(); ++i) {
    const AxisId axis = plan_.refined_[i].axis;
    const bool is_last = i + 1 == plan_.refined_.size();
    parts.emplace_back(axis, (is_last ? plan_.mesh() : plan_.refined_[i + 1].mesh).size(axis));
  }
  plan_.undo_to(start_);
  for (const auto &part : parts) {
    [[maybe_unused]] const bool made = plan_.refine(part.first, part.second).has_value();
    TW_ASSERT(made); // as it was a moment ago
    best_.chosen = of_parts(best_.chosen, part.first);
  }
  start_ = plan_.stamp();
  refined_ = plan_.refined_.size();
  std::vector<sharding::AxisSet> decided = plan_.axes_;
  run_waves(best_);
  const auto now = cost();
  if (now && now->bytes <= least_.bytes && plan_.refined_.size() == refined_) {
    least_.bytes = now->bytes;
    decided_ = std::move(decided);
    return true;
  }
  start_ = start;
  refined_ = refined;
  best_ = best;
  plan_.undo_to(start_);
  run_waves(best_);
  return false;
}

std::vector<std::vector<ActionId>> Choices::actions_alike() const {
  size_t speak = plan_.actions_.size(); // from here on they are new
  for (size_t i = start_; i-- > 0 && plan_.log_[i] != Plan::kLogPropagated;)
    speak -= plan_.log_[i] == Plan::kLogAction;
  const auto is_new = [&](ActionId action) {
    return (action >= speak || how_.heard.contains(action)) && !how_.silent.contains(action);
  };
  std::map<ActionId, uint64_t> said; // by the action, in no order
  for (NodeId n = 0; n < plan_.num_nodes(); ++n)
    for (const NestEntry &e : plan_.nest(n))
      if (e.cause == kNone && is_new(e.action))
        said[e.action] += Hasher(alike_[n]).add(e.axis).add(e.factor).value();
  std::map<uint64_t, std::vector<ActionId>> alike;
  for (const auto &[action, what] : said)
    alike[what].push_back(action);
  std::vector<std::vector<ActionId>> all;
  for (auto &[what, actions] : alike)
    all.push_back(std::move(actions));
  return all;
}

void Choices::try_orders() {
  actions_ = actions_alike();
  improves({.policy = Policy::seeds}, kAnyWork);
  for (const bool by_levels : {true, false}) {
    if (!by_levels)
      improves({.by_levels = by_levels});
    for (const auto &same : actions_)
      if (actions_.size() > 1)
        improves({.by_levels = by_levels, .first = same});
  }
}

std::vector<Choices::Offer> Choices::offers() {
  Propagation waves(plan_);
  std::map<uint64_t, Offer> found;
  for (NodeId n = 0; n < plan_.num_nodes(); ++n) {
    if (!plan_.takes_part(n) || plan_.is_source(n) || plan_.has_fixed_layout(n))
      continue;
    int64_t elements = 0;
    for (const graph::ValueId v : plan_.reads(n))
      elements = std::max(elements, plan_.graph().type(v).elements());
    for (uint32_t i = 0; i < plan_.num_made(n); ++i)
      elements = std::max(elements, plan_.graph().type(plan_.made(n, i)).elements());
    for (size_t a = 0; a < plan_.mesh().num_axes(); ++a) {
      const auto axis = static_cast<AxisId>(a);
      const NestEntry *own = plan_.entry(n, axis);
      if (plan_.mesh().is_loop(axis) || decided_[n].contains(axis))
        continue;
      const ops::FactorId taken = own == nullptr ? kNoFactor : own->factor;
      const auto add = [&](ops::FactorId factor, double turns_a_byte) {
        const uint64_t key = Hasher(alike_[n]).add(axis).add(taken).add(factor).value();
        Offer &offer = found[key];
        offer.key = key;
        offer.turns_a_byte = turns_a_byte;
        offer.elements = std::max(offer.elements, elements);
        const Choice choice{n, axis, factor};
        if (offer.nodes.empty() || !(offer.nodes.back() == choice))
          offer.nodes.push_back(choice);
      };
      for (const Evidence &e : waves.evidence(n, axis))
        if (e.verdict == Verdict::candidate && e.candidate.factor != taken)
          add(e.candidate.factor, 0);
      if (plan_.is_op(n) && own != nullptr && taken != kAny && own->cause != kNone &&
          plan_.rule(n).factors[taken].kind == ops::FactorKind::reduce)
        add(kAny, waves.gate_open(n, axis, taken) ? kTurnsForAll : kTurnsForOne);
    }
  }
  std::vector<Offer> all;
  for (auto &[key, offer] : found)
    all.push_back(std::move(offer));
  std::ranges::stable_sort(all, std::ranges::greater(), &Offer::elements);
  return all;
}

void Choices::try_offers() {
  std::set<uint64_t> tried;
  for (bool improved = false, again = true; again && tries_ > 0 && !gives_up();) {
    again = false;
    go_to_best();
    for (const Offer &offer : offers()) {
      if (!tried.insert(offer.key).second)
        continue;
      Way way = best_;
      way.chosen = changed(best_.chosen, offer.nodes);
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
