// SPDX-License-Identifier: Apache-2.0
// What a loop does not change moves once before it: what it hands on, and what it computes of that; wherever
// data end the loop, in nested loops, and not out of branches.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "unit/import/planned_text.hpp"
#include "unit/spmd/leaner.hpp"

namespace tw::test_hoist_invariant {

using namespace tw::test;

namespace {

const spmd::Options kPlain{.without = {"hoist_invariant"}};
constexpr int64_t kAll = 8 * 8 * 4 * 3 / 4; // w gathered, once

// %w is tiled; each turn of a loop, of which the limit is `most`, multiplies %x with `used`, which `body`
// makes of the loop's copy of %w.
std::string program(const std::string &body, const std::string &most = "stablehlo.constant dense<5> : "
                                                                       "tensor<i32>") {
  return fmt::format(R"(
sdy.mesh @m = <["a"=4]>
func.func @main(%x: tensor<4x8xf32> {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{}}]>}}, %w: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@m, [{{"a"}}, {{}}]>}}, %n: tensor<i32>) -> tensor<4x8xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %l:3 = stablehlo.while(%i = %zero, %v = %w, %y = %x) : tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
  cond {{
    %most = {}
    %c = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
{}    %p = stablehlo.dot_general %y, %used, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %v, %p : tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
  }}
  return %l#2 : tensor<4x8xf32>
}})",
                     most, body);
}

std::string whole(const char *result, const char *of) {
  return fmt::format("    %{} = sdy.sharding_constraint %{} <@m, [{{}}, {{}}]> : tensor<8x8xf32>\n", result,
                     of);
}

struct Known {
  std::string text;
  int64_t bytes, before; // of the busiest device
};

std::vector<Known> known_programs() {
  const std::string branch = R"(    %used = "stablehlo.if"(%c2) ({
)" + whole("k", "v") + R"(      stablehlo.return %k : tensor<8x8xf32>
    }, {
      %d = stablehlo.constant dense<0.0> : tensor<8x8xf32>
      stablehlo.return %d : tensor<8x8xf32>
    }) : (tensor<i1>) -> tensor<8x8xf32>
)";
  return {
      {program(whole("used", "v")), kAll, 5 * kAll},
      {program(whole("used", "v"), "stablehlo.convert %n : tensor<i32>"), kAll,
       kAll}, // unknown counts as one
      {program("    %s = stablehlo.sine %v : tensor<8x8xf32>\n" + whole("used", "s")), kAll, 5 * kAll},
      // what depends on the turn stays
      {program("    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>\n"
               "    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<8x8xf32>\n"
               "    %s = stablehlo.multiply %v, %g : tensor<8x8xf32>\n" +
               whole("used", "s")),
       5 * kAll, 5 * kAll},
      // and what one branch alone moves
      {program("    %c2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" +
               branch),
       5 * kAll, 5 * kAll},
  };
}

} // namespace

TEST_CASE("known loops move once before them what they do not change") {
  Dice random(1);
  for (const Known &known : known_programs()) {
    CAPTURE(known.text);
    const import::Imported imported = imported_text(known.text);
    const auto hoisted = planned(imported), plain = planned(imported, kPlain);
    CAPTURE(to_text(*hoisted));
    CHECK(spmd::find_statistics(*hoisted).bytes_received_max == known.bytes);
    CHECK(spmd::find_statistics(*plain).bytes_received_max == known.before);
    const auto inputs = random_inputs(*imported.graph, 0, 3, random);
    const auto got = run_on_devices(*hoisted, inputs), wanted = run_on_devices(*plain, inputs);
    CHECK(same_values(got[0], wanted[0]));
  }
}

TEST_CASE("a loop of which data decide the turns has no move in its body") {
  const auto program_of = [](const spmd::Options &options) {
    return planned(imported_text(program(whole("used", "v"), "stablehlo.convert %n : tensor<i32>")), options);
  };
  CHECK_FALSE(spmd::find_statistics(*program_of({})).unknown_trips);
  CHECK(spmd::find_statistics(*program_of(kPlain)).unknown_trips);
  // Where that would take more memory than is allowed it stays.
  CHECK(spmd::find_statistics(*program_of({.hoist_limit = 8 * 8 * 4 - 1})).unknown_trips);
  CHECK_FALSE(spmd::find_statistics(*program_of({.hoist_limit = 8 * 8 * 4})).unknown_trips);
  CHECK(spmd::find_statistics(*program_of({.without = {"hoist_moves"}})).unknown_trips);
  CHECK(spmd::find_statistics(*program_of({.gather_per_use = true})).unknown_trips);
}

TEST_CASE("random programs give the same and receive no more") { CHECK(count_leaner(kPlain) > 0); }

} // namespace tw::test_hoist_invariant
