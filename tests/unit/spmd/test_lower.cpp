// SPDX-License-Identifier: Apache-2.0
// The lowering keeps the meaning of a program for every plan: random programs, meshes and nests, simulated
// device by device.
#include <doctest/doctest.h>

#include <cstdlib>

#include <fmt/format.h>

#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"

namespace tw::test_lower {

namespace {

// Pins some values to random layouts, as actions on intermediate values do.
std::string random_pins(partition::Plan &plan, test::Dice &random) {
  std::string done;
  const graph::Graph &graph = plan.graph();
  for (int64_t i = random.below(4); i > 0; --i) {
    const auto v = static_cast<graph::ValueId>(random.below(static_cast<int64_t>(graph.values().size())));
    const partition::NodeId maker = plan.flow().maker(v).node;
    if (maker == graph::kNone || !plan.takes_part(maker) || plan.is_source(maker))
      continue;
    const partition::NodeId pin = plan.pin(v);
    done += fmt::format(" pin({})", graph.value_name(v));
    for (size_t d = 0; d < graph.type(v).rank(); ++d) {
      const auto axis =
          static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes())));
      if (random.chance(2) && plan.set(pin, axis, static_cast<ops::FactorId>(d)))
        done += fmt::format(" set(pin,{},{})", plan.mesh().axis(axis).name, d);
    }
    if (random.chance(2))
      plan.propagate(partition::Mode::infer_propagate);
  }
  return done;
}

void check_programs(bool loops) {
  const char *one = std::getenv("TW_SEED");
  const uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
  const uint64_t rounds = one != nullptr ? 1 : 400;
  for (uint64_t seed = first; seed < first + rounds; ++seed) {
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    sharding::Mesh mesh = test::random_mesh(random);
    if (loops)
      mesh = test::with_random_loops(mesh, random);
    partition::Plan plan(made.graph, mesh);
    const std::string actions = test::random_actions(plan, random) + random_pins(plan, random);
    CAPTURE(seed); // again with TW_SEED=...
    CAPTURE(plan.mesh().text());
    CAPTURE(actions);
    spmd::Options options;
    options.gather_per_use = random.chance(2);
    if (random.chance(2))
      options.bucket_bytes = int64_t{1} << random.between(3, 12);
    for (const std::string_view name : spmd::optional_passes())
      if (random.chance(4))
        options.without.emplace_back(name);
    CAPTURE(options.without);
    CAPTURE(options.bucket_bytes);
    const auto program = spmd::lower(plan, options);
    if (!program)
      FAIL(program.error().message());
    CAPTURE(to_text(**program));
    const auto expected = kernels::ref::evaluate(*made.graph, made.inputs);
    REQUIRE(expected.has_value());
    const auto got = test::simulate(**program, made.inputs);
    if (!got)
      FAIL(got.error().message());
    for (size_t i = 0; i < got->size(); ++i) {
      CAPTURE(i);
      REQUIRE(test::same_values((*got)[i], (*expected)[i]));
    }
  }
}

} // namespace

TEST_CASE("random programs under random plans give the same bits") { check_programs(false); }

TEST_CASE("so they do where axes are steps in time or threads") { check_programs(true); }

} // namespace tw::test_lower
