// SPDX-License-Identifier: Apache-2.0
// Every program of the tree under its specs and under random ones, and random programs: the loop text of a
// plan reads as the same plan and prints as the same text; what it computes is what the program computes.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "loop_text.hpp"
#include "partition/spec.hpp"
#include "support/compare.hpp"
#include "support/number_of.hpp"
#include "support/plans.hpp"
#include "support/random_program.hpp"
#include "support/run_loops.hpp"
#include "support/tree_programs.hpp"
#include "support/unit.hpp"

namespace tw::loops_test_programs {

using namespace tw::test;
using partition::Plan;

TEST_CASE("every program of the tree, as annotated and under random actions") {
  Dice random(7);
  size_t count = 0;
  const auto rounds = static_cast<int>(test::slice_of(8, 2));
  std::vector<TreeProgram> programs = tree_programs();
  if (const auto path = real_program("searchless_chess_9m_jax.mlir"))
    std::ranges::move(programs_of(*path), std::back_inserter(programs));
  for (const TreeProgram &program : programs) {
    CAPTURE(program.name);
    const import::Imported &imported = program.imported;
    check_round_trip(plan_of(imported, nullptr, true));
    const Plan fresh = plan_of(imported, "a=2,b=3", false);
    if (imported.graph->arguments().empty())
      continue;
    for (int round = 0; round < (imported.graph->ops().size() > 2000 ? 2 : rounds); ++round) {
      Plan plan = fresh;
      const std::string spec = random_spec(*imported.graph, random);
      static_cast<void>(partition::apply_spec(plan, spec, "spec.txt"));
      CAPTURE(spec);
      check_round_trip(plan);
      ++count;
    }
  }
  CHECK(count > static_cast<size_t>(rounds) * 12);
}

TEST_CASE("groups and barriers: the same bonds again, and what propagates later goes the same way") {
  size_t groups = 0, directions = 0;
  for (const TreeProgram &program : programs_of(source_path("tests/golden/cli/sdy_forms.mlir"))) {
    CAPTURE(program.name);
    Plan plan = plan_of(program.imported, nullptr, true);
    directions += plan.directions().size();
    for (auto n = static_cast<partition::NodeId>(plan.flow().num_nodes()); n < plan.num_nodes(); ++n)
      groups += plan.pinned(n).size() > 1;
    check_round_trip(plan);
    const auto arguments = plan.graph().arguments();
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (plan.graph().type(plan.graph().result(arguments[i])).rank() == 0)
        continue;
      auto read = parse_loops(check_round_trip(plan));
      REQUIRE(read.has_value());
      Plan later = plan;
      for (Plan *p : {&later, &read->plan}) // an axis that the annotations left
        static_cast<void>(partition::apply_spec(
            *p,
            fmt::format("tile(arg={}, dim=0, axis={}); infer-propagate", i,
                        plan.mesh().axis(static_cast<sharding::AxisId>(plan.mesh().num_axes() - 1)).name),
            "spec.txt"));
      CHECK(loops::print(later, sharding::Style::counts).text ==
            loops::print(read->plan, sharding::Style::counts).text);
    }
  }
  CHECK(groups >= 1);
  CHECK(directions >= 1);
}

TEST_CASE("a group holds an argument that is not the first") {
  const auto imported = import::import_text(R"(
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  sdy.sharding_group %b group_id=1 : tensor<8xf32>
  sdy.sharding_group %0 group_id=1 : tensor<8xf32>
  %1 = stablehlo.negate %b : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
})");
  REQUIRE(imported.has_value());
  const std::string text = check_round_trip(plan_of(*imported, nullptr, true));
  CHECK(text.find("slice 0 %b[") != std::string::npos);
}

TEST_CASE("the training step of a small transformer, and a real one's, under their specs") {
  size_t specs = 0;
  const auto check = [&](const std::string &path, std::string_view prefix) {
    const import::Imported imported = std::move(programs_of(path)[0].imported);
    for (const auto &file : std::filesystem::directory_iterator(source_path("examples/specs"))) {
      const std::string spec = file.path().filename().string();
      if (!spec.starts_with(prefix))
        continue;
      ++specs;
      for (const char *mesh : {"data=2,model=4", "data=3,model=2"}) {
        if (slice_of(1, 0) == 0 && (specs % 2 == 0) == (mesh[5] == '2')) // a slice: on one of them, in turn
          continue;
        CAPTURE(spec);
        CAPTURE(mesh);
        Plan plan = plan_of(imported, mesh, true);
        REQUIRE(partition::apply_spec(plan, read_file(file.path().string()), spec).has_value());
        const std::string text = check_round_trip(plan);
        CHECK(text.find("range<") != std::string::npos);
      }
    }
  };
  check(source_path("examples/models/gpt_step.mlir"), "gpt_");
  CHECK(specs >= 7);
  if (const auto path = real_program("searchless_chess_9m_jax.mlir")) {
    check(*path, "chess_");
    CHECK(specs >= 10);
  }
}

TEST_CASE("random programs under random actions: the same plan again, and loops that compute the same") {
  size_t looped = 0, controlled = 0;
  const uint64_t programs = slice_of(500, 80);
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    Plan plan(program.graph, random_mesh(random));
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    const std::string text = check_round_trip(plan);
    const auto read = parse_loops(text);
    if (!read->imported.loops)
      continue;
    INFO(text);
    std::vector<kernels::ref::Array> arguments = program.inputs;
    const auto whole = kernels::ref::evaluate(read->plan.graph(), arguments);
    REQUIRE(whole.has_value());
    auto made = LoopInterpreter(read->plan, *read->imported.loops).run(arguments);
    REQUIRE_MESSAGE(made.has_value(), made.error().message());
    for (size_t i = 0; i < whole->size(); ++i)
      REQUIRE(same_values((*made)[i], (*whole)[i]));
    ++looped;
    controlled += !plan.flow().variables().empty();
  }
  CHECK(looped * 5 > programs * 2);
  CHECK(controlled * 25 > programs * 2);
}

} // namespace tw::loops_test_programs
