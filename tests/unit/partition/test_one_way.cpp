// SPDX-License-Identifier: Apache-2.0
// Propagation one way only: forward nobody decides because of who uses what it makes, backward nobody because
// of what it reads; and whichever way it went, the partitioned program gives what the whole one gives.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "import/import.hpp"
#include "partition/one_way.hpp"
#include "partition/spec.hpp"
#include "support/compare.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"

namespace tw::test_one_way {

using namespace tw::test;
using graph::kNone;
using partition::Direction;
using partition::NodeId;
using partition::Plan;

namespace {

// Whether a node reads something that the other makes.
bool reads_from(const Plan &plan, NodeId n, NodeId maker) {
  return std::ranges::any_of(plan.reads(n), [&](graph::ValueId v) {
    return plan.source(v) == maker || plan.flow().maker(v).node == maker;
  });
}

// How many loops followed from another node; each came the right way.
size_t check_way(const Plan &plan, Direction direction) {
  size_t followed = 0;
  for (NodeId n = 0; n < plan.num_nodes(); ++n)
    for (const partition::NestEntry &e : plan.nest(n))
      if (e.cause != kNone) {
        ++followed;
        REQUIRE((direction != Direction::forward || reads_from(plan, n, e.cause)));
        REQUIRE((direction != Direction::backward || reads_from(plan, e.cause, n)));
      }
  return followed;
}

Plan plan_of(const std::string &text, const std::string &spec) {
  const auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  Plan plan(imported->graph, *sharding::Mesh::parse("m=2"));
  const Status status = partition::apply_spec(plan, spec, "spec");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  return plan;
}

std::string layout(const Plan &plan, graph::OpId op) {
  return sharding::to_text(plan.result_sharding(op, 0), plan.mesh());
}

// %x -> %0 -> %1 -> %2: ops 0, 1, 2, 3.
constexpr const char *kChain = "func.func @main(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {\n"
                               "  %0 = stablehlo.negate %x : tensor<8x6xf32>\n"
                               "  %1 = stablehlo.abs %0 : tensor<8x6xf32>\n"
                               "  %2 = stablehlo.tanh %1 : tensor<8x6xf32>\n"
                               "  return %2 : tensor<8x6xf32>\n}\n";

} // namespace

TEST_CASE("a chain is tiled on one side of what is stated") {
  for (const char *waves : {"", "; infer-propagate"}) { // that have run are forgotten
    const Plan plan = plan_of(kChain, std::string("tile(value=%1, dim=0, axis=m)") + waves);
    const Plan forward = propagated_one_way(plan, Direction::forward),
               backward = propagated_one_way(plan, Direction::backward),
               both = propagated_one_way(plan, Direction::both);
    for (const graph::OpId op : {0u, 1u, 2u, 3u}) {
      CAPTURE(op);
      CHECK(layout(forward, op) == (op == 3 ? "[{m}, {}]" : "[{}, {}]"));
      CHECK(layout(backward, op) == (op == 3 ? "[{}, {}]" : "[{m}, {}]"));
      CHECK(layout(both, op) == "[{m}, {}]");
    }
  }
}

TEST_CASE("random programs: each way alone decides its way, and all give the same") {
  size_t followed[3] = {};
  const uint64_t programs = slice_of(400, 50);
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    Plan plan(program.graph, random_mesh(random));
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    const auto whole = kernels::ref::evaluate(*program.graph, program.inputs);
    REQUIRE(whole.has_value());
    for (const Direction direction : {Direction::both, Direction::forward, Direction::backward}) {
      CAPTURE(static_cast<int>(direction));
      const Plan again = propagated_one_way(plan, direction);
      followed[static_cast<size_t>(direction)] += check_way(again, direction);
      const auto lowered = spmd::lower(again);
      REQUIRE_MESSAGE(lowered.has_value(), lowered.error().message());
      const auto got = simulate(**lowered, program.inputs);
      REQUIRE_MESSAGE(got.has_value(), got.error().message());
      for (size_t i = 0; i < whole->size(); ++i)
        REQUIRE(same_values((*got)[i], (*whole)[i]));
    }
  }
  const auto of = [&](Direction direction) { return followed[static_cast<size_t>(direction)]; };
  CHECK(of(Direction::forward) * 4 > programs * 3);
  CHECK(of(Direction::backward) * 4 > programs * 3);
  CHECK(of(Direction::both) > of(Direction::forward) + of(Direction::backward));
}

} // namespace tw::test_one_way
