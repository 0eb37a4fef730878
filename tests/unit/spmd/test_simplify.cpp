// SPDX-License-Identifier: Apache-2.0
// What simplify takes out of programs: known cases of the shard dialect, and random programs, which give the
// same and receive no more.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "unit/import/planned_text.hpp"
#include "unit/spmd/leaner.hpp"

namespace tw::test_simplify {

using namespace tw::test;
using partition::Plan;

namespace {

const spmd::Options kPlain{.without = {"share_equal", "simplify"}};

std::string local_text(std::string_view grid, std::string_view result, std::string_view body) {
  return fmt::format("shard.grid @g(shape = {})\n"
                     "func.func @main(%x: tensor<8x6xi32>, %y: tensor<8x6xi32>) -> {} {{\n{}"
                     "  return %r : {}\n}}\n",
                     grid, result, body, result);
}

// The collectives of a program, in their order, local slices too: "all_reduce slice".
std::string kinds_of(const spmd::Program &program) {
  std::string kinds;
  for (const spmd::Instr &instr : program.instrs())
    if (instr.kind == spmd::InstrKind::collective)
      kinds += fmt::format("{}{}", kinds.empty() ? "" : " ",
                           redistribute::name(program.collectives()[instr.index].summary.kind));
  return kinds;
}

// One program and the same without the pass: equal in what they give, and which receives more.
void check_no_more(const spmd::Program &simple, const spmd::Program &plain,
                   const std::vector<kernels::ref::Array> &inputs) {
  check_gives_the_same(simple, plain, inputs);
  const spmd::Statistics now = spmd::find_statistics(simple), before = spmd::find_statistics(plain);
  REQUIRE(now.bytes_received_max <= before.bytes_received_max);
  REQUIRE(now.bytes_received_mean <= before.bytes_received_mean * (1 + 1e-9));
}

struct Known {
  std::string text, before, after;
};

std::string reduced(std::string_view name, std::string_view of, std::string_view kind) {
  return fmt::format("  {} = shard.all_reduce {} on @g grid_axes = [0] reduction = {} : tensor<8x6xi32> -> "
                     "tensor<8x6xi32>\n",
                     name, of, kind);
}

std::vector<Known> known_cases() {
  const std::string whole = "tensor<8x6xi32>", part = "tensor<2x6xi32>",
                    slice = "  %r = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : "
                            "tensor<8x6xi32> -> tensor<2x6xi32>\n",
                    both = "all_reduce all_reduce";
  std::vector<Known> all;
  for (const auto &[kind, op] : {std::pair{"sum", "add"},
                                 {"sum", "subtract"},
                                 {"max", "maximum"},
                                 {"min", "minimum"},
                                 {"product", "multiply"},
                                 {"bitwise_and", "and"},
                                 {"bitwise_or", "or"},
                                 {"bitwise_xor", "xor"}})
    all.push_back({local_text("4", whole,
                              reduced("%a", "%x", kind) + reduced("%b", "%y", kind) +
                                  fmt::format("  %r = stablehlo.{} %a, %b : tensor<8x6xi32>\n", op)),
                   both, "all_reduce"});
  // Chains, and a sum that is sliced.
  all.push_back(
      {local_text("4", part,
                  reduced("%u", "%x", "sum") + reduced("%v", "%y", "sum") + reduced("%w", "%x", "sum") +
                      "  %s = stablehlo.add %u, %v : tensor<8x6xi32>\n"
                      "  %a = stablehlo.add %s, %w : tensor<8x6xi32>\n" +
                      slice),
       "all_reduce all_reduce all_reduce copy", "reduce_scatter"});
  for (const char *kind : {"sum", "max", "bitwise_xor"})
    all.push_back(
        {local_text("4", part, reduced("%a", "%x", kind) + slice), "all_reduce copy", "reduce_scatter"});
  // Another op than the reduction, a sum that others read too, and reductions along other axes stay.
  all.push_back({local_text("4", whole,
                            reduced("%a", "%x", "max") + reduced("%b", "%y", "max") +
                                "  %r = stablehlo.add %a, %b : tensor<8x6xi32>\n"),
                 both, both});
  all.push_back({local_text("4", whole,
                            reduced("%a", "%x", "sum") + reduced("%b", "%y", "sum") +
                                "  %c = stablehlo.add %a, %b : tensor<8x6xi32>\n"
                                "  %d = stablehlo.multiply %a, %b : tensor<8x6xi32>\n"
                                "  %r = stablehlo.xor %c, %d : tensor<8x6xi32>\n"),
                 both, both});
  all.push_back({local_text("2x2", whole,
                            reduced("%a", "%x", "sum") +
                                "  %b = shard.all_reduce %y on @g grid_axes = [1] : tensor<8x6xi32> -> "
                                "tensor<8x6xi32>\n  %r = stablehlo.add %a, %b : tensor<8x6xi32>\n"),
                 both, both});
  // Gathered and sliced again.
  all.push_back({local_text("4", whole,
                            "  %a = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : "
                            "tensor<8x6xi32> -> tensor<32x6xi32>\n"
                            "  %r = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : "
                            "tensor<32x6xi32> -> tensor<8x6xi32>\n"),
                 "", ""});
  return all;
}

} // namespace

TEST_CASE("known collectives become fewer") {
  Dice random(1);
  for (const Known &known : known_cases()) {
    CAPTURE(known.text);
    const import::Imported imported = imported_text(known.text);
    const auto plain = planned(imported, kPlain), simple = planned(imported);
    CHECK(kinds_of(*plain) == known.before);
    CHECK(kinds_of(*simple) == known.after);
    check_no_more(*simple, *plain, random_inputs(*imported.graph, -9, 9, random));
  }
}

// What is made in some tiles, whole between and read in others goes there straight.
TEST_CASE("two moves are one where that moves less") {
  const auto imported = import::import_text("func.func @main(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {\n"
                                            "  %a = stablehlo.negate %x : tensor<8x6xf32>\n"
                                            "  %b = stablehlo.abs %a : tensor<8x6xf32>\n"
                                            "  return %b : tensor<8x6xf32>\n}\n");
  REQUIRE(imported.has_value());
  Plan plan(imported->graph, *sharding::Mesh::parse("m=4"));
  const graph::ValueId a = imported->graph->operands(imported->graph->value(2).def)[0];
  plan.begin_action({"", {}});
  plan.pin(a);
  for (graph::OpId op = 0; op < imported->graph->ops().size(); ++op)
    if (plan.takes_part(op) && plan.flow().num_made(op) != 0)
      REQUIRE(plan.set(op, 0, imported->graph->operands(op).empty() || plan.flow().made(op, 0) == a ? 0 : 1)
                  .has_value());
  const auto plain = spmd::lower(plan, {.without = {"simplify", "fuse_moves"}}),
             simple = spmd::lower(plan, {.without = {"fuse_moves"}});
  REQUIRE(plain.has_value());
  REQUIRE_MESSAGE(simple.has_value(), simple.error().message());
  CHECK(kinds_of(**plain) == "all_gather copy");
  CHECK(kinds_of(**simple) == "all_to_all");
}

TEST_CASE("random programs give the same and receive no more") {
  size_t fewer = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram made = random_program(random);
    Plan plan(made.graph, random_mesh(random));
    pin_some(plan, 4, random); // what has a pin is combined there
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    spmd::Options with, without = kPlain;
    for (const char *pass : {"defer_sums", "scatter_sums", "fuse_moves", "share_moves"})
      if (seed % 2 == 0 && !random.chance(4)) { // which leave nothing for it to do
        with.without.emplace_back(pass);
        without.without.emplace_back(pass);
      }
    const auto simple = spmd::lower(plan, with), plain = spmd::lower(plan, without);
    REQUIRE(plain.has_value());
    REQUIRE_MESSAGE(simple.has_value(), simple.error().message());
    fewer += kinds_of(**simple) != kinds_of(**plain);
    check_no_more(**simple, **plain, made.inputs);
  }
  MESSAGE(fewer << " programs are simpler");
  CHECK(fewer > 15);
}

} // namespace tw::test_simplify
