// SPDX-License-Identifier: Apache-2.0
// How choices of propagation count what a plan moves (partition/moves.hpp).
#include <cmath>

#include "spmd/moved_bytes.hpp"

namespace tw::spmd {

namespace {

// By all passes, as the program will be lowered.
class WholeMoves : public partition::Moves {
public:
  explicit WholeMoves(const partition::Plan &plan) : plan_(plan) {}
  Moved moved() const override { return moved_; }
  bool follow(std::span<const partition::NodeId>) override {
    const auto program = lower(plan_);
    if (!program)
      return false;
    const Statistics statistics = find_statistics(**program);
    const auto devices = static_cast<double>(plan_.mesh().num_devices());
    moved_ = {statistics.bytes_received_max, std::llround(statistics.bytes_received_mean * devices)};
    return true;
  }

private:
  const partition::Plan &plan_;
  Moved moved_{};
};

// Only what a change reaches, without some passes.
class ReachedMoves : public partition::Moves {
public:
  ReachedMoves(const partition::Plan &plan, std::unique_ptr<MovedBytes> moved)
      : plan_(plan), moved_(std::move(moved)) {}
  Moved moved() const override { return {moved_->received_max(), moved_->received_total()}; }
  bool follow(std::span<const partition::NodeId> changed) override {
    return moved_->update(changed).has_value();
  }
  bool moves_at(partition::NodeId n) const override { return moved_->moves_at(n); }
  std::unique_ptr<Moves> whole() const override {
    auto whole = std::make_unique<WholeMoves>(plan_);
    return whole->follow({}) ? std::move(whole) : nullptr;
  }

private:
  const partition::Plan &plan_;
  std::unique_ptr<MovedBytes> moved_;
};

} // namespace

std::unique_ptr<partition::Moves> count_moves(const partition::Plan &plan) {
  auto moved = MovedBytes::create(plan);
  return moved ? std::make_unique<ReachedMoves>(plan, std::move(*moved)) : nullptr;
}

} // namespace tw::spmd
