// SPDX-License-Identifier: Apache-2.0
// Plans as annotations of the shard dialect: what is written reads as the same plan, and moves the same; what
// the dialect cannot say is an error that names it.
#include <doctest/doctest.h>

#include <utility>

#include "emit/shard/annotated.hpp"
#include "support/number_of.hpp"
#include "unit/emit/plans_read_back.hpp"

namespace tw::test_shard {

using namespace tw::test;
using partition::Plan;

namespace {

std::string text_of(const Plan &plan) { return test::text_of(emit::shard::to_annotated_text(plan)); }

} // namespace

TEST_CASE("every program of the tree as it is annotated") {
  size_t written = 0, refused = 0;
  for (const TreeProgram &program : tree_programs()) {
    CAPTURE(program.name);
    const Plan plan = plan_of(program.imported, nullptr, true);
    auto text = emit::shard::to_annotated_text(plan);
    if (!text) {
      CHECK(std::string_view(text.error().info().id) == "TW-730");
      ++refused;
      continue;
    }
    ++written;
    check_same(plan, read_plan(*text));
  }
  CHECK(written > 60);
  CHECK(refused <= 1);
}

TEST_CASE("the training step of a small transformer under its specs") {
  each_gpt_plan([](const Plan &plan) { check_same(plan, read_plan(text_of(plan))); });
}

// Of some plans the dialect cannot tell. TW_SHARD_PROGRAMS says how many programs, from the seed TW_SEED.
TEST_CASE("random plans") {
  const uint64_t rounds = number_of("TW_SHARD_PROGRAMS", 300);
  size_t same = 0, refused = 0;
  each_random_plan(number_of("TW_SEED", 1), rounds, [&](const Plan &plan, uint64_t seed) {
    const auto text = emit::shard::to_annotated_text(plan);
    if (!text) {
      CHECK(std::string_view(text.error().info().id) == "TW-730");
      const std::string &why = text.error().message();
      // the op, or what moves, that it is about
      CHECK((why.find(" is annotated: ") != std::string::npos ||
             why.find(" than the plan's own, with") != std::string::npos));
      ++refused;
      return;
    }
    ++same;
    keep_text("annotated", seed, *text);
    check_same(plan, read_plan(*text));
  });
  MESSAGE(same << " the same, " << refused << " refused");
  CHECK(same * 10 >= rounds * 9);
  CHECK(refused > 0);
}

TEST_CASE("what a grid has no words for") {
  check_refuses_loops([](const Plan &plan) { return emit::shard::to_annotated_text(plan); });
  Dice random(1);
  const RandomProgram program = random_program(random);
  const Plan elsewhere(program.graph, *sharding::Mesh::create({{"a", 2, "a", 1}}, {1, 0}));
  const auto text = emit::shard::to_annotated_text(elsewhere);
  REQUIRE(!text.has_value());
  CHECK(text.error().message().find("device 1 stands at place 0") != std::string::npos);
}

// Two branches gather a value, each for itself: what is said of their users stands in them.
TEST_CASE("moves in branches") {
  const import::Imported imported =
      std::move(programs_of(source_path("tests/golden/programs/branches.mlir"))[0].imported);
  Plan plan = plan_of(imported, "a=2,b=2", true);
  REQUIRE(partition::apply_spec(plan, "tile(arg=1, dim=0, axis=b)", "spec").has_value());
  const std::string text = text_of(plan);
  size_t inside = 0;
  for (size_t at = text.find("annotate_for_users"); at != std::string::npos;
       at = text.find("annotate_for_users", at + 1))
    inside += at > text.find("stablehlo.if") ? 1 : 0;
  CHECK(inside == 2);
  check_same(plan, read_plan(text));
}

// A part of an axis is an axis of the grid.
TEST_CASE("parts of axes") {
  const import::Imported imported =
      std::move(programs_of(source_path("tests/golden/programs/mlp.mlir"))[0].imported);
  Plan plan = plan_of(imported, "a=4,b=2", true);
  REQUIRE(partition::apply_spec(plan,
                                "tile(arg=0, dim=0, axis=\"a:(1)2\"); tile(arg=1, dim=1, axis=\"a:(2)2\")\n"
                                "infer-propagate",
                                "spec")
              .has_value());
  const std::string text = text_of(plan);
  CHECK(text.find("shard.grid @mesh(shape = 2x2x2)") != std::string::npos);
  check_same(plan, read_plan(text));
}

} // namespace tw::test_shard
