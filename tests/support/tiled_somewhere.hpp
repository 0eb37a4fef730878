// SPDX-License-Identifier: Apache-2.0
// Random plans in which waves have something to choose, and what such a plan moves.
#pragma once

#include <doctest/doctest.h>

#include "partition/policy.hpp"
#include "spmd/moved_bytes.hpp"
#include "support/random_program.hpp"

namespace tw::test {

// What the busiest device receives.
inline int64_t received(const partition::Plan &plan) {
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  return spmd::find_statistics(**program).bytes_received_max;
}

// One action tiles some nodes; then waves.
inline partition::Plan tiled_somewhere(const RandomProgram &made, const sharding::Mesh &mesh,
                                       partition::Policy policy, partition::CountMoves count, Dice random) {
  partition::Plan plan(made.graph, mesh);
  plan.set_policy(policy, count);
  plan.begin_action({"random", {}});
  for (int64_t tries = random.between(1, 6); tries > 0; --tries) {
    const auto node =
        static_cast<partition::NodeId>(random.below(static_cast<int64_t>(made.graph->ops().size())));
    const auto axis = static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(mesh.num_axes())));
    const auto factors = static_cast<int64_t>(plan.rule(node).factors.size());
    if (factors > 0 && plan.takes_part(node))
      (void)plan.set(node, axis, static_cast<ops::FactorId>(random.below(factors)), nullptr);
  }
  plan.propagate(partition::Mode::infer_propagate);
  return plan;
}

} // namespace tw::test
