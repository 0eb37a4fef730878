// SPDX-License-Identifier: Apache-2.0
// What is folded or chosen along a tiled dimension: each device first makes of its tile what matters to
// others. Any sizes, tiles and ties give what one device gives, and less moves.
#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "spmd/exactness.hpp"
#include "support/unit.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_fold_tiles {

using namespace tw::test;

namespace {

std::string top_k(std::string_view array, std::string_view chosen, int64_t k) {
  return fmt::format(
      "func.func @main(%x: tensor<{0}xf32>) -> (tensor<{1}xf32>, tensor<{1}xi32>) {{\n"
      "  %v, %i = chlo.top_k(%x, k = {2}) : tensor<{0}xf32> -> (tensor<{1}xf32>, tensor<{1}xi32>)\n"
      "  return %v, %i : tensor<{1}xf32>, tensor<{1}xi32>\n}}\n",
      array, chosen, k);
}

// Along dimension `dim` of rows x columns, from the first element on or from the last.
std::string cumulative(int64_t rows, int64_t columns, int64_t dim, std::string_view op, std::string_view init,
                       bool from_end) {
  const int64_t n = dim == 0 ? rows : columns;
  const std::string pad = from_end ? fmt::format("[0, {}]", n - 1) : fmt::format("[{}, 0]", n - 1);
  return fmt::format(R"(func.func @main(%x: tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32> {{
  %c = stablehlo.constant dense<{2}> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{{padding = dense<[{3}]> : tensor<2x2xi64>, window_dimensions = array<i64: {4}>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.{5} %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }}) : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}x{1}xf32>
  return %0 : tensor<{0}x{1}xf32>
}}
)",
                     rows, columns, init, dim == 0 ? pad + ", [0, 0]" : "[0, 0], " + pad,
                     dim == 0 ? fmt::format("{}, 1", n) : fmt::format("1, {}", n), op);
}

// Small whole numbers, so that there are ties and sums are exact. Answers with what devices receive at most.
int64_t check_same(std::string_view text, std::string_view mesh, std::string_view spec,
                   std::mt19937_64 &random, const spmd::Options &options = {}) {
  CAPTURE(text);
  CAPTURE(mesh);
  CAPTURE(spec);
  const auto graph = import_of(text);
  Runner whole(graph, "a=1", ""), parts(graph, mesh, spec, {}, options);
  CAPTURE(to_text(*parts.program));
  for (size_t i = 0; i < whole.inputs.size(); ++i)
    for (int64_t j = 0; j < whole.inputs[i].type().elements(); ++j) {
      const auto drawn = static_cast<float>(static_cast<int64_t>(random() % 7) - 3);
      whole.inputs[i].as<float>()[j] = parts.inputs[i].as<float>()[j] = drawn;
    }
  REQUIRE(whole.run().has_value());
  REQUIRE(parts.run().has_value());
  CHECK(whole.bytes() == parts.bytes());
  return spmd::find_statistics(*parts.program).bytes_received_max;
}

// The first k of rows x columns, or the last, in the order of one dimension, and where they were. Signs do
// not count, so that equal keys differ.
std::string first_of_sort(int64_t rows, int64_t columns, int64_t dim, int64_t k, bool at_end) {
  const int64_t n = dim == 0 ? rows : columns, begin = at_end ? n - k : 0;
  const std::string array = fmt::format("{}x{}", rows, columns);
  const std::string part = dim == 0 ? fmt::format("{}x{}", k, columns) : fmt::format("{}x{}", rows, k);
  const std::string range = dim == 0 ? fmt::format("[{}:{}, 0:{}]", begin, begin + k, columns)
                                     : fmt::format("[0:{}, {}:{}]", rows, begin, begin + k);
  return fmt::format(R"(func.func @main(%x: tensor<{0}xf32>) -> (tensor<{1}xf32>, tensor<{1}xi32>) {{
  %i = stablehlo.iota dim = {2} : tensor<{0}xi32>
  %s:2 = "stablehlo.sort"(%x, %i) <{{dimension = {2} : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.abs %a : tensor<f32>
    %d = stablehlo.abs %b : tensor<f32>
    %l = stablehlo.compare GT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }}) : (tensor<{0}xf32>, tensor<{0}xi32>) -> (tensor<{0}xf32>, tensor<{0}xi32>)
  %v = stablehlo.slice %s#0 {3} : (tensor<{0}xf32>) -> tensor<{1}xf32>
  %w = stablehlo.slice %s#1 {3} : (tensor<{0}xi32>) -> tensor<{1}xi32>
  return %v, %w : tensor<{1}xf32>, tensor<{1}xi32>
}}
)",
                     array, part, dim, range);
}

constexpr const char *kColumns = "tile(arg=x, dim=1, axis=a); infer-propagate";

} // namespace

TEST_CASE("the greatest elements are among those of each tile") {
  std::mt19937_64 random(5);
  // 7 other devices, 2 rows, 2 elements with their indices
  CHECK(check_same(top_k("2x512", "2x2", 2), "a=8", kColumns, random) == 7 * 2 * 2 * 8);
  spmd::Options without;
  without.without = {"fold_tiles"};
  CHECK(check_same(top_k("2x512", "2x2", 2), "a=8", kColumns, random, without) == 7 * 2 * 64 * 4);
  // A tile has no more than what is chosen: all of it moves.
  CHECK(check_same(top_k("2x16", "2x4", 4), "a=4", kColumns, random) == 3 * 2 * 4 * 4);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<int64_t>(1 + random() % 60), k = static_cast<int64_t>(random()) % (n + 1);
    const int64_t at_most = std::min<int64_t>(std::abs(k), 3);
    const auto devices = static_cast<int64_t>(2 + random() % 7);
    check_same(top_k(fmt::format("3x{}", n), fmt::format("3x{}", at_most), at_most),
               fmt::format("a={},b=3", devices),
               round % 2 ? kColumns
                         : "tile(arg=x, dim=1, axis=a); tile(arg=x, dim=0, axis=b); infer-propagate",
               random);
  }
}

TEST_CASE("the first of a sort are among the first of each tile") {
  std::mt19937_64 random(8);
  // 7 other devices, 2 rows, 2 elements with their places
  for (const bool at_end : {false, true})
    CHECK(check_same(first_of_sort(2, 512, 1, 2, at_end), "a=8", kColumns, random) == 7 * 2 * 2 * 8);
  spmd::Options without;
  without.without = {"fold_tiles"};
  CHECK(check_same(first_of_sort(2, 512, 1, 2, false), "a=8", kColumns, random, without) == 7 * 2 * 64 * 4);
  for (int round = 0; round < 60; ++round) {
    const auto devices = static_cast<int64_t>(2 + random() % 4);
    const auto along = devices * static_cast<int64_t>(1 + random() % 6) + (round % 4 == 0),
               other = static_cast<int64_t>(1 + random() % 5),
               k = 1 + static_cast<int64_t>(random() % 7) % along;
    const int64_t dim = round % 2;
    check_same(first_of_sort(dim == 0 ? along : other, dim == 0 ? other : along, dim, k, round % 3 == 0),
               fmt::format("a={},b=2", devices),
               fmt::format("tile(arg=x, dim={}, axis=a); tile(arg=x, dim={}, axis=b); infer-propagate", dim,
                           1 - dim),
               random);
  }
}

TEST_CASE("a cumulative fold goes on from the folds of tiles") {
  std::mt19937_64 random(6);
  // The last device gets a number a row from each of the others.
  CHECK(check_same(cumulative(2, 64, 1, "add", "0.0", false), "a=4", kColumns, random) == 3 * 2 * 4);
  CHECK(check_same(cumulative(2, 64, 1, "add", "0.0", true), "a=4", kColumns, random) == 3 * 2 * 4);
  constexpr std::pair<const char *, const char *> kFolds[] = {{"add", "0.0"},
                                                              {"maximum", "0xFF800000"},
                                                              {"minimum", "0x7F800000"},
                                                              {"multiply", "1.0"},
                                                              {"add", "1.0"}};
  for (int round = 0; round < 80; ++round) {
    const auto &[op, init] = kFolds[static_cast<size_t>(round) % 5];
    const auto rows = static_cast<int64_t>(1 + random() % 12),
               columns = static_cast<int64_t>(1 + random() % 40);
    const int64_t dim = round % 2;
    check_same(cumulative(rows, columns, dim, op, init, round % 3 == 0),
               fmt::format("a={},b=2", 2 + random() % 5),
               fmt::format("tile(arg=x, dim={}, axis=a); tile(arg=x, dim={}, axis=b); infer-propagate", dim,
                           1 - dim),
               random);
  }
}

TEST_CASE("what a loop does not change is not chosen from anew in each turn") {
  const auto loop = [](std::string_view array, std::string_view next) {
    return fmt::format(R"(func.func @main(%x: tensor<2x512xf32>) -> (tensor<2x2xf32>, tensor<2x512xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %r:3 = stablehlo.while(%i = %zero, %sum = %none, %y = %x) : tensor<i32>, tensor<2x2xf32>, tensor<2x512xf32>
  cond {{
    %less = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }} do {{
    %v, %k = chlo.top_k({}, k = 2) : tensor<2x512xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
    %s = stablehlo.add %sum, %v : tensor<2x2xf32>
    %z = {} : tensor<2x512xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s, %z : tensor<i32>, tensor<2x2xf32>, tensor<2x512xf32>
  }}
  return %r#1, %r#2 : tensor<2x2xf32>, tensor<2x512xf32>
}}
)",
                       array, next);
  };
  std::mt19937_64 random(7);
  CHECK(check_same(loop("%y", "stablehlo.negate %y"), "a=8", kColumns, random) == 3 * 7 * 2 * 2 * 8);
  CHECK(check_same(loop("%x", "stablehlo.negate %y"), "a=8", kColumns, random) == 7 * 2 * 2 * 8);
}

TEST_CASE("what moves in the place of tiles has their cause and their value") {
  partition::Plan plan(import_of(top_k("2x512", "2x2", 2)), mesh("a=8"));
  act(plan, kColumns);
  spmd::Options without;
  without.without = {"fold_tiles"};
  const auto folded = spmd::lower(plan), whole = spmd::lower(plan, without);
  REQUIRE(folded.has_value());
  REQUIRE(whole.has_value());
  const spmd::Program &p = **folded;
  CHECK(p.num_planned_ops() == plan.graph().ops().size());
  REQUIRE((*whole)->collectives().size() == 1);
  const spmd::Collective &before = (*whole)->collectives()[0];
  REQUIRE(p.collectives().size() == 2);
  for (const spmd::Collective &c : p.collectives()) {
    CHECK(c.action == before.action);
    CHECK(c.also == before.also);
    CHECK(c.value == before.value);
    CHECK(c.producer == before.producer);
    CHECK(c.consumer == before.consumer);
  }
}

TEST_CASE("sums in another order are not promised to be the same") {
  partition::Plan plan(import_of(cumulative(2, 64, 1, "add", "0.0", false)), mesh("a=4"));
  act(plan, kColumns);
  const auto folded = spmd::lower(plan);
  REQUIRE(folded.has_value());
  CHECK(spmd::exact_results(**folded) == std::vector{false});
  spmd::Options without;
  without.without = {"fold_tiles"};
  const auto whole = spmd::lower(plan, without);
  REQUIRE(whole.has_value());
  CHECK(spmd::exact_results(**whole) == std::vector{true});
}

} // namespace tw::test_fold_tiles
