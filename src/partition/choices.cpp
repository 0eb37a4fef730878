// SPDX-License-Identifier: Apache-2.0
// Runs waves with every tie decided for the largest array. Then it tries what else there is (offers.cpp), one
// after the other from the best way on, and some actions before others (orders.cpp); `cheapest` goes on from
// there (look_further.cpp).
#include "partition/choices.hpp"

#include <algorithm>
#include <utility>

#include "base/watch.hpp"
#include "partition/alike.hpp"
#include "partition/policy.hpp"

namespace tw::partition {

using sharding::AxisId;

namespace {

// So many nodes are looked at in all, by so many waves at least, and at most.
constexpr int64_t kNodes = 2'000'000, kLeastTries = 4, kMostTries = 400;
// And so many in a program that is lowered as a whole for each, which has so many nodes at most.
constexpr int64_t kWholeTries = 100;
constexpr size_t kMostWhole = 512;
// Devices may do so much more work where they move less.
constexpr double kMoreWork = 1.05;

bool is_equal(std::span<const NestEntry> a, std::span<const NestEntry> b) {
  return std::ranges::equal(a, b, [](const NestEntry &x, const NestEntry &y) {
    return x.axis == y.axis && x.factor == y.factor && x.split == y.split;
  });
}

} // namespace

Choices::Choices(Plan &plan, const Waves &how)
    : plan_(plan), how_(how), start_(plan.stamp()), refined_(plan.refined_.size()),
      decided_(plan.nests_.decided().begin(), plan.nests_.decided().end()), tries_(tries_for(plan)),
      counted_mesh_(plan.mesh()) {}

int64_t Choices::tries_for(const Plan &plan) {
  return std::clamp(kNodes / static_cast<int64_t>(plan.num_nodes() + 1), kLeastTries, kMostTries);
}

void Choices::run() {
  run_waves(best_);
  const auto now = cost();
  if (!now || now->moved.bytes == 0)
    return;
  least_ = *now;
  if (has_new_axes() && !keep_axes())
    return;
  alike_ = find_alike(plan_);
  try_offers();
  go_to_best();
  if (is_undecided()) {
    tries_ = tries_for(plan_);
    if (try_orders(true))
      try_offers();
    go_to_best();
  }
  if (plan_.num_nodes() <= kMostWhole)
    try_whole();
  if (plan_.policy() == Policy::cheapest && least_.moved.bytes != 0)
    look_further();
  give_causes();
}

void Choices::try_whole() {
  if (!count_anew(true) || least_.moved.bytes == 0)
    return;
  tries_ = kWholeTries;
  try_offers();
  go_to_best();
}

void Choices::go_to(const Way &way) {
  plan_.undo_to(start_);
  for (const auto &[axis, places] : way.parts) {
    [[maybe_unused]] const bool made = plan_.refine(axis, places).has_value();
    TW_ASSERT(made); // as it was when waves asked for it
  }
  decided_.assign(plan_.nests_.decided().begin(), plan_.nests_.decided().end());
  run_waves(way);
}

void Choices::run_waves(const Way &way) {
  Waves waves = how_;
  waves.policy = way.policy;
  waves.by_levels = way.by_levels;
  waves.chosen = way.chosen;
  place(way, Choice::When::at_once);
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
  waves.heard = {};
  if (place(way, Choice::When::at_last))
    Propagation(plan_, waves).run();
}

bool Choices::improves(const Way &way, double turns_a_byte) {
  if (tries_ == 0 || gives_up())
    return false;
  --tries_;
  go_to(way);
  is_best_ = false;
  const auto now = cost();
  if (!now || now->moved >= least_.moved || !is_paid_for(*now, turns_a_byte))
    return false;
  const Way was = std::exchange(best_, way);
  // Many ways in a row do not add up to much more work than is paid for.
  const Cost least =
      std::exchange(least_, {now->moved, turns_a_byte > 0 ? std::max(least_.work, now->work) : least_.work});
  is_best_ = true;
  if (!has_new_axes() || keep_axes())
    return true;
  best_ = was;
  least_ = least;
  return is_best_ = false;
}

bool Choices::is_paid_for(const Cost &now, double turns_a_byte) const {
  const auto paid = [&](const Cost &before) {
    const auto saved = static_cast<double>(before.moved.cost - now.moved.cost);
    return !(now.work > (before.work + turns_a_byte * saved) * kMoreWork); // infinity times 0 pays, too
  };
  return moves_->is_time() || paid(least_) || (first_ && paid(*first_));
}

void Choices::go_to_best() {
  if (!std::exchange(is_best_, true))
    go_to(best_);
}

bool Choices::count_best() {
  go_to_best();
  return cost().has_value();
}

bool Choices::count_anew(bool whole) {
  is_whole_ = whole;
  moves_ = nullptr;
  const auto now = cost();
  if (now)
    least_ = *now;
  return now.has_value();
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
  return moves_ == nullptr ? std::nullopt : std::optional(Cost{moves_->moved(), work()});
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
  Way way = best_;
  for (size_t i = refined_ + best_.parts.size(); i < plan_.refined_.size(); ++i) {
    const AxisId axis = plan_.refined_[i].axis;
    const bool is_last = i + 1 == plan_.refined_.size();
    way.parts.emplace_back(axis, (is_last ? plan_.mesh() : plan_.refined_[i + 1].mesh).size(axis));
    way.chosen = of_parts(way.chosen, axis);
  }
  go_to(way);
  const auto now = cost();
  if (now && now->moved <= least_.moved && plan_.refined_.size() == refined_ + way.parts.size()) {
    least_.moved = now->moved;
    best_ = std::move(way);
    return true;
  }
  go_to(best_);
  return false;
}

} // namespace tw::partition
