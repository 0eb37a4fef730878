// SPDX-License-Identifier: Apache-2.0
// The rewrites: on random programs none changes what is computed, each is undone by its inverse and by undo,
// and its text reads as its plan; on the two products of an mlp, each does what it says, or says why not.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>

#include "loop_text.hpp"
#include "ops/loop_names.hpp"
#include "partition/rewrites.hpp"
#include "partition/spec.hpp"
#include "support/compare.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/run_loops.hpp"
#include "support/unit.hpp"

namespace tw::test_rewrites {

using namespace tw::test;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;
using sharding::AxisId;

namespace {

const char *const kMlp = "func @mlp(%x: tensor<6x4xf32>, %w: tensor<4x8xf32>, %u: tensor<8x4xf32>) {\n"
                         "  %0 = matmul(%x, %w)\n  %1 = matmul(%0, %u)\n  return %1\n}\n";

Plan mlp() {
  import::ImportOptions options;
  options.file = "mlp.loops";
  auto imported = import::import_text(kMlp, options);
  REQUIRE(imported.has_value());
  return {imported->graph, *sharding::Mesh::parse("a=2,b=2")};
}

std::string text(const Plan &plan) { return loops::print(plan, sharding::Style::counts).text; }
void apply(Plan &plan, std::string_view spec) {
  const Status status = partition::apply_spec(plan, spec, "spec.txt");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
}
void check_refused(std::string_view before, std::string_view spec, const char *id, std::string_view message) {
  Plan plan = mlp();
  apply(plan, before);
  const Plan was = plan;
  const Status status = partition::apply_spec(plan, spec, "spec.txt");
  REQUIRE_MESSAGE(!status.has_value(), spec);
  CHECK(status.error().info().id == std::string_view(id));
  CHECK(status.error().info().pos.line == 1);
  CHECK_MESSAGE(status.error().message().find(message) != std::string::npos, status.error().message());
  CHECK(plan.same_state(was));
}

// The nests only: what inverses restore.
std::vector<std::vector<partition::NestEntry>> nests(const Plan &plan) {
  std::vector<std::vector<partition::NestEntry>> all;
  for (NodeId n = 0; n < plan.num_nodes(); ++n)
    all.emplace_back(plan.nest(n).begin(), plan.nest(n).end());
  return all;
}

// Each rewrite of a value over an axis, with what takes it back.
struct Step {
  const char *name;
  Status (*forth)(Plan &, ValueId, AxisId);
  Status (*back)(Plan &, ValueId, AxisId);
};
constexpr Step kSteps[] = {{"inline", partition::inline_into, partition::hoist_out},
                           {"hoist", partition::hoist_out, partition::inline_into},
                           {"materialise", partition::materialise, partition::fuse},
                           {"fuse", partition::fuse, partition::materialise}};

// A random rewrite that is legal, checked against its inverse; false where the one drawn is not.
bool random_rewrite(Plan &plan, Dice &random, std::string &what) {
  const graph::Graph &g = plan.graph();
  const auto v = static_cast<ValueId>(random.below(static_cast<int64_t>(g.values().size())));
  const auto axis = static_cast<AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes())));
  const auto before = nests(plan);
  const Plan::Stamp stamp = plan.stamp();
  plan.begin_action({"rewrite", {}});
  if (random.chance(2)) {
    const Step &step = kSteps[random.below(4)];
    what = fmt::format("{}({}, {})", step.name, g.value_name(v), plan.mesh().axis(axis).name);
    if (!step.forth(plan, v, axis)) {
      plan.undo_to(stamp);
      return false;
    }
    Plan again = plan;
    const Status back = step.back(again, v, axis);
    if (step.forth != partition::hoist_out) { // what else stands in the loop may not let it in where it was
      REQUIRE_MESSAGE(back.has_value(), what << ": " << back.error().message());
      REQUIRE(nests(again) == before);
    }
    return true;
  }
  const NodeId n = plan.flow().maker(v).node;
  if (n == graph::kNone || !plan.is_op(n) || !plan.takes_part(n)) {
    plan.undo_to(stamp);
    return false;
  }
  const auto loops = ops::loop_names(plan.rule(n));
  if (loops.empty()) {
    plan.undo_to(stamp);
    return false;
  }
  const std::string_view op = ops::op_def(g.op(n).code).name;
  const std::string name = fmt::format("{}-{}", op.substr(op.find('.') + 1), random.pick(loops).name);
  what = fmt::format("rule({}, {}, {})", g.value_name(v), name, plan.mesh().axis(axis).name);
  if (random.chance(3)) {
    what += " inverse";
    if (partition::invert_rule(plan, v, name, axis))
      return true;
  } else if (partition::apply_rule(plan, v, name, axis)) {
    Plan again = plan;
    REQUIRE(partition::invert_rule(again, v, name, axis).has_value());
    REQUIRE(nests(again) == before);
    return true;
  }
  plan.undo_to(stamp);
  return false;
}

} // namespace

TEST_CASE("random rewrites of random programs: the same results, the same plan again, undone") {
  size_t rewritten = 0, looped = 0, listed = 0;
  const uint64_t programs = slice_of(300, 50);
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    Plan plan(program.graph, random_mesh(random));
    const std::string actions = random.chance(3) ? "" : random_actions(plan, random);
    CAPTURE(actions);
    const Plan before = plan;
    const Plan::Stamp stamp = plan.stamp();
    std::string all, what;
    for (int i = 0; i < 60; ++i)
      if (random_rewrite(plan, random, what)) {
        all += what + "; ";
        ++rewritten;
      }
    CAPTURE(all);
    const std::string printed = check_round_trip(plan);
    listed += printed.find("partir.apart") != std::string::npos;
    const auto read = parse_loops(printed);
    if (read->imported.loops) {
      INFO(printed);
      std::vector<kernels::ref::Array> arguments = program.inputs;
      const auto whole = kernels::ref::evaluate(read->plan.graph(), arguments);
      REQUIRE(whole.has_value());
      auto made = LoopInterpreter(read->plan, *read->imported.loops).run(arguments);
      REQUIRE_MESSAGE(made.has_value(), made.error().message());
      for (size_t i = 0; i < whole->size(); ++i)
        REQUIRE(same_values((*made)[i], (*whole)[i]));
      ++looped;
    }
    if (random.chance(2)) { // what propagation makes of it is whole again
      plan.propagate(random.chance(2) ? partition::Mode::propagate : partition::Mode::infer_propagate);
      check_round_trip(plan);
    }
    plan.undo_to(stamp);
    REQUIRE(plan.same_state(before));
  }
  CHECK(rewritten > programs * 4);
  CHECK(looped * 2 > programs);
  CHECK(listed * 15 > programs);
}

TEST_CASE("a rule and its inverse; propagation puts on again what was taken off") {
  Plan plan = mlp();
  const std::string fresh = text(plan);
  apply(plan, "rule(op=%0, \"matmul-tile-0\", axis=a)");
  CHECK(plan.nest(plan.flow().maker(plan.graph().operands(plan.graph().results()[0])[0]).node).empty());
  apply(plan, "rule(op=%0, \"dot_general-tile-0\", inverse, axis=a)");
  CHECK(text(plan) == fresh);
  apply(plan, "rule(op=%0, \"matmul-tile-0\", axis=a); rule(op=%1, \"matmul-tile-0\", axis=a)");
  Plan listed = mlp();
  apply(listed, "rule(op=\"%0, %1\", \"matmul-tile-0\", axis=a)");
  CHECK(text(listed) == text(plan));
  check_refused("", "rule(op=\"%0, %99\", \"matmul-tile-0\", axis=a)", "TW-402", "%99");
  plan = mlp();
  apply(plan, "tile(arg=x, dim=0, axis=a); propagate");
  const std::string tiled = text(plan);
  apply(plan, "rule(op=%1, \"matmul-tile-0\", axis=a, inverse)");
  CHECK(text(plan) != tiled);
  apply(plan, "propagate");
  CHECK(text(plan) == tiled);
  // Ranges of their own, by count and by width.
  apply(plan, "rule(op=%1, \"matmul-sum\", range=4); rule(op=%0, \"matmul-tile-1\", width=3)");
  CHECK(text(plan).find("partir.sum (%s : !partir.range<4>)") != std::string::npos);
  CHECK(text(plan).find("range<8,3>") != std::string::npos);
}

TEST_CASE("a tie is looked at again when a rewrite takes a candidate away") {
  import::ImportOptions options;
  options.file = "tie.loops";
  const auto imported = import::import_text("func @tie(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) {\n"
                                            "  %0 = stablehlo.tanh %x : tensor<4x4xf32>\n"
                                            "  %1 = stablehlo.tanh %y : tensor<4x4xf32>\n"
                                            "  %2 = stablehlo.add %0, %1 : tensor<4x4xf32>\n  return %2\n}\n",
                                            options);
  REQUIRE(imported.has_value());
  Plan plan(imported->graph, *sharding::Mesh::parse("a=2"));
  apply(plan, "rule(op=%0, \"tanh-tile-0\", axis=a); rule(op=%1, \"tanh-tile-1\", axis=a); propagate");
  const NodeId sum = plan.graph().value(plan.graph().operands(plan.graph().results()[0])[0]).def;
  REQUIRE(plan.nest(sum).empty());
  apply(plan, "rule(op=%1, \"tanh-tile-1\", axis=a, inverse); propagate");
  REQUIRE(plan.nest(sum).size() == 1);
}

TEST_CASE("rewrites say why they do not hold") {
  check_refused("", "rule(op=%0, \"matmul-tile-2\", axis=a)", "TW-423",
                "there are matmul-tile-0, matmul-tile-1, matmul-sum");
  check_refused("", "rule(op=x, \"matmul-tile-0\", axis=a)", "TW-423", "tile it with tile(arg=");
  check_refused("", "rule(op=%0, \"matmul-tile-0\", inverse, axis=a)", "TW-424", "stands in no loop");
  check_refused("", "rule(op=%0, \"matmul-tile-0\", backwards, axis=a)", "TW-401", "found 'backwards'");
  check_refused("", "rule(op=%0, \"matmul-tile-0\", range=7)", "TW-409", "must be 1 to 6, not 7");
  check_refused("rule(op=%0, \"matmul-tile-0\", axis=a)", "rule(op=%0, \"matmul-sum\", axis=a, inverse)",
                "TW-424", "it is tile 0 there");
  check_refused("rule(op=%0, \"matmul-tile-0\", axis=a)", "rule(op=%0, \"matmul-sum\", axis=a)", "TW-404",
                "used there already");
  check_refused("rule(op=%0, \"matmul-tile-0\", axis=a); rule(op=%0, \"matmul-tile-0\", axis=b)",
                "rule(op=%0, \"matmul-tile-0\", axis=a, inverse)", "TW-424", "take that one off first");
  check_refused("", "inline(value=%0, axis=a)", "TW-424", "no reader of %0 stands in a loop over 'a'");
  check_refused("rule(op=%1, \"matmul-sum\", axis=a)", "inline(value=%0, axis=a)", "TW-424",
                "reads a slice of %0");
  check_refused("rule(op=%1, \"matmul-tile-1\", axis=b); rule(op=%1, \"matmul-tile-1\", axis=a)",
                "inline(value=%0, axis=a)", "TW-424", "inline into that one first");
  check_refused("rule(op=%0, \"matmul-tile-0\", axis=a)", "hoist(value=%0, axis=a)", "TW-424",
                "a rule's inverse takes that loop off");
  check_refused("rule(op=%0, \"matmul-tile-0\", axis=a)", "materialise(value=%0, axis=a)", "TW-424",
                "is in no loop over it");
  check_refused("rule(op=%0, \"matmul-tile-0\", axis=a); propagate", "fuse(value=%0, axis=a)", "TW-424",
                "does so already");
  check_refused("rule(op=%0, \"matmul-sum\", axis=a)", "materialise(value=%0, axis=b)", "TW-423",
                "made in no loop over 'b'");
}

} // namespace tw::test_rewrites
