// SPDX-License-Identifier: Apache-2.0
// What a plan moves, kept while it changes, is what its program moves when lowered from the beginning.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "spmd/moved_bytes.hpp"
#include "support/random_program.hpp"

namespace tw::test_moved_bytes {

using namespace tw::test;
using partition::NodeId;
using partition::Plan;

namespace {

// Whether both say the same; a plan that cannot be lowered is none of ours.
void check_equal(const Plan &plan, const spmd::MovedBytes &moved) {
  const auto program = spmd::lower(plan, spmd::counted_options());
  REQUIRE(program.has_value());
  const spmd::Statistics statistics = spmd::find_statistics(**program);
  REQUIRE(moved.received_max() == statistics.bytes_received_max);
  REQUIRE(moved.received_total() ==
          doctest::Approx(statistics.bytes_received_mean * static_cast<double>(plan.mesh().num_devices())));
}

} // namespace

TEST_CASE("random programs: after each change of a nest, as if lowered whole") {
  int64_t changes = 0, moving = 0, many = 0, refined = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    sharding::Mesh mesh = random_mesh(random);
    if (seed % 16 == 0)
      mesh = with_random_loops(mesh, random);
    Plan plan(program.graph, mesh);
    random_actions(plan, random);
    if (!spmd::lower(plan))
      continue;
    auto moved = spmd::MovedBytes::create(plan);
    REQUIRE(moved.has_value());
    check_equal(plan, **moved);
    for (int tries = 0; tries < 24; ++tries) {
      if (random.chance(8)) { // many nodes at once, and back
        const Plan was = plan;
        const Plan::Stamp before = plan.stamp();
        plan.propagate(partition::Mode::infer_propagate);
        const bool same_axes = plan.mesh().num_axes() == was.mesh().num_axes();
        std::vector<NodeId> changed;
        for (NodeId n = 0; n < plan.num_nodes(); ++n)
          if (!std::ranges::equal(plan.nest(n), was.nest(n)))
            changed.push_back(n);
        const auto follow = [&] {
          if (same_axes)
            REQUIRE((*moved)->update(changed));
          else // an axis became two, or two are one again
            moved = spmd::MovedBytes::create(plan);
          REQUIRE(moved.has_value());
          check_equal(plan, **moved);
        };
        follow();
        many += changed.size() > 1;
        refined += !same_axes;
        if (random.chance(2)) {
          plan.undo_to(before);
          follow();
        }
      }
      const auto n = static_cast<NodeId>(random.below(static_cast<int64_t>(plan.num_nodes())));
      const auto axis =
          static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes())));
      const auto &factors = plan.rule(n).factors;
      if (factors.empty() || !plan.takes_part(n))
        continue;
      const Plan::Stamp before = plan.stamp();
      const auto factor = static_cast<ops::FactorId>(random.below(static_cast<int64_t>(factors.size())));
      if ((plan.entry(n, axis) != nullptr && !plan.take_off(n, axis)) || !plan.set(n, axis, factor)) {
        plan.undo_to(before);
        continue;
      }
      CAPTURE(n);
      CAPTURE(int{factor});
      const int64_t was = (*moved)->received_total();
      REQUIRE((*moved)->update(std::array{n}));
      check_equal(plan, **moved);
      ++changes;
      moving += was != (*moved)->received_total();
      if (random.chance(2))
        continue;
      plan.undo_to(before);
      REQUIRE((*moved)->update(std::array{n}));
      REQUIRE((*moved)->received_total() == was);
    }
  }
  CHECK(changes > 2000);
  CHECK(moving * 4 > changes);
  CHECK(many > 200);
  CHECK(refined > 0);
}

} // namespace tw::test_moved_bytes
