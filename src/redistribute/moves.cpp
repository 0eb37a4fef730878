// SPDX-License-Identifier: Apache-2.0
// Moves that go straight have their plan when somebody asks for it.
#include "redistribute/moves.hpp"

#include "redistribute/direct.hpp"

namespace tw::redistribute {

Move::Move(const sharding::Mesh &mesh, graph::TensorType type, sharding::Sharding src, sharding::Sharding dst)
    : problem_(std::make_shared<const Problem>(
          Problem::within(mesh, std::move(type), std::move(src), std::move(dst)))) {}

Move::Move(Planned planned, Summary summary)
    : problem_(planned.plan->problem), summary_(std::move(summary)), is_straight_(planned.is_straight),
      plan_(std::move(planned.plan)), bytes_by_level_(std::move(planned.bytes_by_level)),
      scratch_bytes_(planned.scratch_bytes) {}

const Summary &Move::summary() const {
  std::call_once(summarised_, [this] {
    if (!summary_)
      summary_ = summarise(*problem_);
  });
  return *summary_;
}

const Plan &Move::plan() const {
  std::call_once(planned_, [this] {
    if (plan_ == nullptr)
      plan_ = std::make_shared<const Plan>(
          direct_plan(problem_, source_tiles(*problem_), target_tiles(*problem_)));
  });
  return *plan_;
}

Summary together(std::span<const Move *const> moves) {
  Summary all = moves[0]->summary();
  for (const Move *move : moves.subspan(1))
    all += move->summary();
  return all;
}

} // namespace tw::redistribute
