// SPDX-License-Identifier: Apache-2.0
// Loops and branches are partitioned, not replicated: what they carry keeps one layout, bodies hold their own
// collectives, devices go the same way, and the verifier sees when a program does otherwise.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include <fmt/format.h>

#include "import/import.hpp"
#include "ops/builder.hpp"
#include "partition/explain.hpp"
#include "partition/spec.hpp"
#include "spmd/exactness.hpp"
#include "spmd/program.hpp"
#include "support/random_program.hpp"
#include "support/renumber.hpp"
#include "support/simulate.hpp"
#include "support/unit.hpp"
#include "unit/spmd/lowered.hpp"

namespace tw::spmd_test_control_flow {

using partition::NodeId;
using partition::Plan;

namespace {

Plan plan_of(const std::string &program, const char *mesh, const char *spec) {
  std::ifstream file(test::source_path("tests/golden/programs/" + program));
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  const auto imported = import::import_text(text.str());
  REQUIRE(imported.has_value());
  Plan plan(imported->graph, *sharding::Mesh::parse(mesh));
  REQUIRE(partition::apply_spec(plan, spec, "spec").has_value());
  return plan;
}

constexpr const char *kMegatron =
    "tile(arg=x, dim=0, axis=\"data\"); tile(arg=w1, dim=2, axis=\"model\"); infer-propagate";

std::string layout(const Plan &plan, graph::ValueId v) {
  const partition::Port maker = plan.flow().maker(v);
  return sharding::to_text(plan.result_sharding(maker.node, maker.index), plan.mesh());
}

} // namespace

TEST_CASE("a loop variable has one layout under all of its names, whichever of them is tiled") {
  // The initial value is argument x; what the body yields is computed from w1 and w2; the result is out0.
  for (const char *spec : {"tile(arg=x, dim=0, axis=\"data\"); propagate",
                           "tile(value=\"0#1\", dim=0, axis=\"data\"); propagate",
                           "tile(value=\"0.1.%7\", dim=0, axis=\"data\"); propagate"}) {
    CAPTURE(spec);
    const Plan plan = plan_of("scan_layers.mlir", "data=2,model=4", spec);
    const auto variables = plan.flow().variables().all();
    REQUIRE(variables.size() == 4); // the condition, and three that are carried
    const ops::Variable &carried = variables[2];
    CHECK(plan.graph().value_name(carried.makes[0]) == "%0.%iterArg_0");
    for (const auto &values : {carried.reads, carried.makes})
      for (const graph::ValueId v : values)
        CHECK(layout(plan, v) == "[{data}, {}]");
    CHECK(plan.result_sharding(plan.graph().arguments()[0], 0) ==
          *sharding::parse_sharding("[{data}, {}]", plan.mesh()));
  }
}

TEST_CASE("branches give one layout, whichever of them was tiled") {
  const Plan plan = plan_of("branches.mlir", "a=4", "tile(value=\"3\", dim=1, axis=\"a\"); propagate");
  const auto lines = partition::explain(plan, "3.%4", "a");
  REQUIRE(lines.has_value());
  CHECK(lines->find("tile 1") != std::string::npos);
  CHECK(lines->find("result 0 of %3 stablehlo.case") != std::string::npos);
}

TEST_CASE("explanations lead through loops") {
  const Plan plan = plan_of("scan_layers.mlir", "data=2,model=4", kMegatron);
  const auto text = partition::explain(plan, "0#2", "data");
  REQUIRE(text.has_value());
  CHECK(text->find("loop variable 2 of %0#0 stablehlo.while at ") != std::string::npos);
  CHECK(text->find(":6:5: tile 1, after what the body gives\n    %0.1.%9 stablehlo.dynamic_update_slice") !=
        std::string::npos);
  CHECK(text->find("argument 'x': tile 0, by spec:1 tile(arg=x") != std::string::npos);
}

TEST_CASE("a scan keeps the slice of its layer local") {
  const auto check_scan = [](const char *mesh, const char *spec, std::vector<std::string> kinds) {
    const auto program = test::lowered(plan_of("scan_layers.mlir", mesh, spec));
    std::vector<std::string> found;
    for (const spmd::Collective &c : program->collectives()) {
      found.emplace_back(redistribute::name(c.summary.kind));
      // Nothing that holds all layers moves.
      CHECK(program->graph().type(c.value).rank() == 2);
    }
    CHECK(found == kinds);
  };
  check_scan("data=2,model=4", kMegatron, {"all_reduce"});
  check_scan(
      "data=4",
      "tile(arg=x, dim=0, axis=\"data\"); propagate; tile(arg=w1, dim=1, axis=\"data\"); tile(arg=w2, dim=1, "
      "axis=\"data\"); propagate",
      {"all_gather", "all_gather"});
  check_scan("data=4", "tile(arg=x, dim=0, axis=\"data\"); propagate", {});
}

TEST_CASE("what a loop uses from outside moves once, before it") {
  // Every device wants the whole matrix; it is gathered before the loop, and the vector in it.
  const auto program =
      test::lowered(plan_of("power_iteration.mlir", "a=2",
                            "tile(arg=a, dim=0, axis=\"a\"); atomic(value=\"0.1.%1\", axis=\"a\"); "
                            "atomic(arg=x, axis=\"a\"); tile(value=\"0.1.%6\", dim=0, axis=\"a\")"));
  const auto loops = spmd::find_regions(*program);
  REQUIRE(loops.size() == 1);
  for (const spmd::Collective &c : program->collectives())
    if (program->graph().value_name(c.value) == "%a")
      CHECK(c.instr < loops[0].markers[0]);
}

TEST_CASE("rounding in a body reaches what the loop gives, and the way it goes") {
  const auto scan = test::lowered(plan_of("scan_layers.mlir", "data=2,model=4", kMegatron));
  CHECK(spmd::exact_results(*scan) == std::vector<bool>{false, false}); // both follow the residual stream
  const auto data =
      test::lowered(plan_of("scan_layers.mlir", "data=2", "tile(arg=x, dim=0, axis=\"data\"); propagate"));
  CHECK(spmd::exact_results(*data) == std::vector<bool>{true, true});
  const auto power = test::lowered(
      plan_of("power_iteration.mlir", "a=2", "tile(arg=a, dim=0, axis=\"a\"); infer-propagate"));
  CHECK(spmd::exact_results(*power) == std::vector<bool>{false, false}); // the number of turns too
}

TEST_CASE("renumbering the ops changes no layout in or around bodies") {
  int in_bodies = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    const test::Renumbered other = test::renumber(*made.graph, seed + 1000);
    REQUIRE(ops::verify(*other.graph));
    const sharding::Mesh mesh = test::random_mesh(random);
    Plan plan(made.graph, mesh), again(other.graph, mesh);
    const auto values = static_cast<int64_t>(made.graph->values().size());
    for (int64_t actions = random.between(1, 3); actions > 0; --actions) {
      plan.begin_action({"random", {}});
      again.begin_action({"random", {}});
      for (int64_t tries = 4; tries > 0; --tries) {
        const auto v = static_cast<graph::ValueId>(random.below(values));
        const NodeId maker = plan.flow().maker(v).node;
        const size_t rank = made.graph->type(v).rank();
        if (maker == graph::kNone || !plan.takes_part(maker) || plan.is_source(maker) || rank == 0)
          continue;
        const auto axis = static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(mesh.num_axes())));
        const auto dim = static_cast<ops::FactorId>(random.below(static_cast<int64_t>(rank)));
        CHECK(plan.set(plan.pin(v), axis, dim).has_value() ==
              again.set(again.pin(other.value[v]), axis, dim).has_value());
      }
      const auto mode = random.chance(2) ? partition::Mode::infer_propagate : partition::Mode::propagate;
      plan.propagate(mode);
      again.propagate(mode);
    }
    for (graph::ValueId v = 0; v < made.graph->values().size(); ++v) {
      const partition::Port a = plan.flow().maker(v), b = again.flow().maker(other.value[v]);
      if (a.node == graph::kNone || !plan.takes_part(a.node))
        continue;
      REQUIRE(plan.result_sharding(a.node, a.index) == again.result_sharding(b.node, b.index));
      const bool inside = plan.is_variable(a.node) || made.graph->op(a.node).parent != 0;
      in_bodies += inside && !(plan.result_sharding(a.node, a.index) ==
                               sharding::Sharding::replicated(made.graph->type(v).rank()));
    }
  }
  CHECK(in_bodies > 200);
}

namespace {

// What verify says of a program after a change.
std::string broken(const char *file, const char *mesh, const char *spec,
                   const std::function<void(spmd::Program &)> &change) {
  spmd::Program program = *test::lowered(plan_of(file, mesh, spec));
  REQUIRE(verify(program).has_value());
  change(program);
  const auto status = verify(program);
  return status ? "good" : status.error().message();
}

uint32_t marker(const spmd::Program &p, uint32_t k) { return spmd::find_regions(p)[0].markers[k]; }

spmd::ShardingId add_sharding(spmd::Program &p, const char *text) {
  p.shardings_.push_back(*sharding::parse_sharding(text, p.mesh_));
  return static_cast<spmd::ShardingId>(p.shardings_.size() - 1);
}

} // namespace

TEST_CASE("broken regions are found") {
  const auto scan = [](const std::function<void(spmd::Program &)> &change) {
    return broken("scan_layers.mlir", "data=2,model=4", kMegatron, change);
  };
  const auto branches = [](const std::function<void(spmd::Program &)> &change) {
    return broken("branches.mlir", "a=2", "tile(arg=x, dim=0, axis=\"a\"); infer-propagate", change);
  };
  CHECK(scan([](spmd::Program &p) {
          p.instrs_[marker(p, 1)].index = 2;
        }).ends_with("(stablehlo.while): marker 2 does not follow the one before it"));
  CHECK(scan([](spmd::Program &p) {
          p.instrs_[marker(p, 2)].num_operands = 2;
        }).ends_with("(stablehlo.while): marker 2 has 2 operands and 3 results, expected 3 and 3"));
  CHECK(scan([](spmd::Program &p) {
          const spmd::Instr &end = p.instrs_[marker(p, 2)];
          p.values_[end.first_result + 1].sharding = add_sharding(p, "[{}, {}]");
        }).ends_with("(stablehlo.while): variable 1 does not keep its layout"));
  CHECK(
      scan(
          [](spmd::Program &
                 p) { // the result of the loop in place of its argument: the values of the body are gone there
            const spmd::Instr &end = p.instrs_[marker(p, 2)], &body = p.instrs_[marker(p, 1)];
            for (spmd::ValueRef &v : p.operand_refs_)
              if (v == end.first_result + 1)
                v = body.first_result + 1;
          })
          .find("which was made in a region that is over") != std::string::npos);
  CHECK(scan([](spmd::Program &p) { p.instrs_.resize(marker(p, 2)); }).find("is made by no instruction") !=
        std::string::npos);
  CHECK(branches([](spmd::Program &p) {
          const spmd::Instr &first = p.instrs_[marker(p, 0)];
          p.values_[p.operand_refs_[first.first_operand]].sharding = add_sharding(p, "[] +a");
        }).find("result 0 is not partial") != std::string::npos);
  CHECK(branches([](spmd::Program &p) {
          p.instrs_[marker(p, 0)].op = p.instrs_[marker(p, 0) - 1].op;
        }).ends_with("marks a region of an op that has no such body"));
}

} // namespace tw::spmd_test_control_flow
