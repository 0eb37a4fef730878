// SPDX-License-Identifier: Apache-2.0
// Plans as annotations of the shard dialect: what is written reads as the same plan, and moves the same; what
// the dialect cannot say is an error that names it.
#include <doctest/doctest.h>

#include <utility>

#include "emit/shard/annotated.hpp"
#include "support/number_of.hpp"
#include "unit/emit/plans_read_back.hpp"

namespace tw::emit_test_shard {

using namespace tw::test;
using partition::Plan;

namespace {

std::string text_of(const Plan &plan) { return test::text_of(emit::shard::to_annotated_text(plan)); }

graph::OpId op_named(const graph::Graph &graph, std::string_view name) {
  graph::OpId op = 0;
  while (ops::op_def(graph.op(op).code).name != name)
    ++op;
  return op;
}

// Whether the text says that a reader's program moves other than the plan's own.
bool says_moves(std::string_view text) { return text.starts_with("// A reader's program moves other than "); }

// It gives the shardings, and what it says of moves is so.
void check_other_moves(const Plan &plan, const Plan &read) {
  CHECK(other_layouts(plan, read).empty());
  const auto ours = spmd::lower(plan), theirs = spmd::lower(read);
  REQUIRE(ours.has_value());
  REQUIRE(theirs.has_value());
  const spmd::Statistics a = spmd::find_statistics(**ours), b = spmd::find_statistics(**theirs);
  CHECK((moves_of(**ours, a) != moves_of(**theirs, b) || a.bytes_received_max != b.bytes_received_max));
}

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
    CHECK(!says_moves(*text));
    check_same(plan, read_plan(*text));
  }
  CHECK(written > 60);
  CHECK(refused <= 1);
}

TEST_CASE("the training step of a small transformer under its specs") {
  each_gpt_plan([](const Plan &plan) { check_same(plan, read_plan(text_of(plan))); });
}

// Some plans cannot be said, and of some a reader's program moves otherwise. TW_SHARD_PROGRAMS says how many
// programs, from the seed TW_SEED.
TEST_CASE("random plans") {
  const uint64_t rounds = number_of("TW_SHARD_PROGRAMS", slice_of(300, 100));
  size_t same = 0, moving = 0, refused = 0;
  each_random_plan(number_of("TW_SEED", 1), rounds, [&](const Plan &plan, uint64_t seed) {
    const auto text = emit::shard::to_annotated_text(plan);
    if (!text) {
      CHECK(std::string_view(text.error().info().id) == "TW-730");
      CHECK(text.error().message().find(" is annotated: ") != std::string::npos); // says which op, and why
      ++refused;
      return;
    }
    keep_text("annotated", seed, *text);
    const Plan read = read_plan(*text);
    if (says_moves(*text)) {
      ++moving;
      check_other_moves(plan, read);
      return;
    }
    ++same;
    check_same(plan, read);
  });
  MESSAGE(same << " the same, " << moving << " that move otherwise, " << refused << " refused");
  CHECK(same * 100 >= rounds * 95);
  CHECK(refused * 100 <= rounds * 3);
  CHECK(moving > 0);
  CHECK((refused > 0 || rounds < 300));
}

// What a reader makes of the first texts that are tried has parts of axes, more axes than the plan. Sizes
// were read behind the plan's own, as a sanitizer or valgrind says.
TEST_CASE("plans of whose texts a reader cuts axes") {
  for (const uint64_t first : {70001167, 70002772, 70008487})
    each_random_plan(first, 1, [&](const Plan &plan, uint64_t) {
      const std::string text = text_of(plan);
      const Plan read = read_plan(text);
      if (says_moves(text))
        check_other_moves(plan, read);
      else
        check_same(plan, read);
    });
}

// It moves the same, and makes a broadcast in two layouts in another order.
TEST_CASE("a plan of whose text a reader makes the same in another order") {
  each_random_plan(70007657, 1,
                   [](const Plan &plan, uint64_t) { check_same(plan, read_plan(text_of(plan))); });
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

// A branch yields a value whole that it makes in tiles: it is moved at the end of the branch.
TEST_CASE("moves at the end of branches") {
  const import::Imported imported =
      load_text("func.func @main(%p: tensor<i1>, %x: tensor<12xf32>) -> tensor<12xf32> {\n"
                "  %0 = \"stablehlo.if\"(%p) ({\n"
                "    %1 = stablehlo.negate %x : tensor<12xf32>\n"
                "    stablehlo.return %1 : tensor<12xf32>\n"
                "  }, {\n"
                "    stablehlo.return %x : tensor<12xf32>\n"
                "  }) : (tensor<i1>) -> tensor<12xf32>\n"
                "  return %0 : tensor<12xf32>\n}\n");
  Plan plan = plan_of(imported, "a=2", true);
  REQUIRE(plan.set(op_named(plan.graph(), "stablehlo.negate"), 0, 0).has_value());
  const std::string text = text_of(plan);
  CAPTURE(text);
  CHECK(!says_moves(text));
  const size_t moved = text.find("annotate_for_users");
  REQUIRE(moved != std::string::npos);
  CHECK(moved > text.find("stablehlo.negate"));
  CHECK(moved < text.find("stablehlo.return"));
  check_same(plan, read_plan(text));
}

// Of operands in other tiles than the result a concatenation has a layout of its own all the same.
TEST_CASE("cuts of what is joined and of the whole") {
  const import::Imported imported =
      load_text("func.func @main(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<12xf32> {\n"
                "  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> "
                "tensor<12xf32>\n"
                "  return %0 : tensor<12xf32>\n}\n");
  Plan plan = plan_of(imported, "a=2", true);
  REQUIRE(partition::apply_spec(plan, "tile(arg=0, dim=0, axis=a); tile(arg=1, dim=0, axis=a)", "spec")
              .has_value());
  sharding::SplitRule cuts;
  cuts.kind = sharding::SplitRule::Kind::cuts;
  cuts.cuts = std::make_shared<const std::vector<int64_t>>(std::vector<int64_t>{0, 3, 12});
  REQUIRE(plan.set(op_named(plan.graph(), "stablehlo.concatenate"), 0, 0, &cuts).has_value());
  const std::string text = text_of(plan);
  CHECK(!says_moves(text));
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

} // namespace tw::emit_test_shard
