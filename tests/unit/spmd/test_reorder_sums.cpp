// SPDX-License-Identifier: Apache-2.0
// Terms that are reduced alike are added up before they are reduced, wherever they stand in a sum; and the
// verifier takes no sum that lacks a term.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"
#include "unit/spmd/leaner.hpp"

namespace tw::test_reorder_sums {

using namespace tw::test;

namespace {

// Products p, q and u of tiles along the contracted dimension, a whole value r, and a sum of them, s.
std::shared_ptr<const graph::Graph> program(const std::string &sum) {
  std::string text = "func.func @main(%r: tensor<4x4xf32>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: "
                     "tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {\n";
  for (const auto &[name, of] : {std::pair{"p", "x"}, {"q", "y"}, {"u", "z"}})
    text += fmt::format("  %{} = stablehlo.dot_general %{}, %w, contracting_dims = [1] x [0] : "
                        "(tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>\n",
                        name, of);
  auto imported = import::import_text(text + "  %other = stablehlo.negate %r : tensor<4x4xf32>\n" + sum +
                                      "  return %s, %other : tensor<4x4xf32>, tensor<4x4xf32>\n}\n");
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  return imported->graph;
}

std::string add(const char *result, const char *a, const char *b) {
  return fmt::format("  %{} = stablehlo.add %{}, %{} : tensor<4x4xf32>\n", result, a, b);
}

int64_t reduced(const spmd::Program &program) {
  return spmd::find_statistics(program).counts[static_cast<size_t>(redistribute::Kind::all_reduce)];
}

struct Known {
  std::string sum;
  int64_t now, before; // all_reduces
};

} // namespace

TEST_CASE("one all_reduce for all terms that are reduced alike") {
  const std::vector<Known> all = {
      {add("0", "r", "p") + add("s", "0", "q"), 1, 2},
      {add("0", "p", "r") + add("s", "q", "0"), 1, 2},
      {add("0", "r", "p") + add("1", "0", "q") + add("s", "1", "u"), 1, 3},
      {add("0", "r", "p") + add("1", "q", "other") + add("2", "0", "1") + add("s", "2", "u"), 1, 3},
      {add("0", "p", "q") + add("s", "0", "r"), 1, 1},
      // The sum in between is read by others too.
      {add("0", "r", "p") + add("1", "0", "q") + "  %2 = stablehlo.tanh %0 : tensor<4x4xf32>\n" +
           add("s", "1", "2"),
       2, 2},
      // Another op stands between them.
      {add("0", "r", "p") + "  %1 = stablehlo.tanh %0 : tensor<4x4xf32>\n" + add("s", "1", "q"), 2, 2},
  };
  Dice random(1);
  for (const Known &known : all) {
    CAPTURE(known.sum);
    const auto graph = program(known.sum);
    partition::Plan plan(graph, *sharding::Mesh::parse("a=4"));
    REQUIRE(partition::apply_spec(plan, "tile(arg=w, dim=0, axis=a); infer-propagate", "spec"));
    const auto now = spmd::lower(plan), before = spmd::lower(plan, {.without = {"reorder_sums"}});
    REQUIRE_MESSAGE(now.has_value(), now.error().message());
    REQUIRE(before.has_value());
    CHECK(reduced(**now) == known.now);
    CHECK(reduced(**before) == known.before);
    check_gives_the_same(**now, **before, random_inputs(*graph, -9, 9, random));
    // An addition that takes a term twice makes another sum.
    spmd::Program wrong = **now;
    for (const spmd::Instr &instr : wrong.instrs_)
      if (instr.kind == spmd::InstrKind::compute && instr.num_operands == 2 &&
          ops::op_def(graph->op(instr.op).code).name == std::string_view("stablehlo.add") &&
          wrong.values_[wrong.operand_refs_[instr.first_operand]].sharding ==
              wrong.values_[wrong.operand_refs_[instr.first_operand + 1]].sharding) {
        wrong.operand_refs_[instr.first_operand] = wrong.operand_refs_[instr.first_operand + 1];
        CHECK_FALSE(spmd::verify(wrong).has_value());
        break;
      }
  }
}

} // namespace tw::test_reorder_sums
