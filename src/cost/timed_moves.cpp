// SPDX-License-Identifier: Apache-2.0
// Prices are kept while the plan changes; those of the whole program are of one that was lowered anew.
#include "cost/timed_moves.hpp"

#include <algorithm>
#include <utility>

#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "spmd/program.hpp"

namespace tw::cost {

namespace {

using partition::NodeId;
using partition::Plan;

partition::Moves::Moved moved_of(const Price &price) { return {price.time(), price.received}; }

class WholeTimes : public partition::Moves {
public:
  WholeTimes(const Plan &plan, std::shared_ptr<const system::System> system)
      : plan_(plan), system_(std::move(system)) {}
  Moved moved() const override { return moved_; }
  bool is_time() const override { return true; }
  bool follow(std::span<const NodeId>) override {
    const auto program = spmd::lower(plan_, spmd::counted_options());
    if (!program)
      return false;
    moved_ = moved_of(price_of(**program, *system_));
    return true;
  }

private:
  const Plan &plan_;
  const std::shared_ptr<const system::System> system_;
  Moved moved_{};
};

class ReachedTimes : public partition::Moves {
public:
  ReachedTimes(const Plan &plan, std::shared_ptr<const system::System> system,
               std::unique_ptr<PlanPrice> price)
      : plan_(plan), system_(std::move(system)), price_(std::move(price)) {}
  Moved moved() const override { return moved_of(price_->price()); }
  bool is_time() const override { return true; }
  bool follow(std::span<const NodeId> changed) override {
    const bool followed = price_->update(changed).has_value();
    price_->keep();
    return followed;
  }
  bool moves_at(NodeId n) const override {
    const auto moves = [&](graph::ValueId v) { return price_->moves(v); };
    if (std::ranges::any_of(plan_.reads(n), moves))
      return true;
    for (uint32_t i = 0; i < plan_.num_made(n); ++i)
      if (moves(plan_.made(n, i)))
        return true;
    return false;
  }
  std::unique_ptr<Moves> whole() const override {
    auto whole = std::make_unique<WholeTimes>(plan_, system_);
    return whole->follow({}) ? std::move(whole) : nullptr;
  }

private:
  const Plan &plan_;
  const std::shared_ptr<const system::System> system_;
  std::unique_ptr<PlanPrice> price_;
};

} // namespace

std::unique_ptr<partition::Moves> time_moves(const Plan &plan, std::shared_ptr<const system::System> system) {
  auto price = PlanPrice::create(plan, *system);
  return price ? std::make_unique<ReachedTimes>(plan, std::move(system), std::move(*price)) : nullptr;
}

} // namespace tw::cost
