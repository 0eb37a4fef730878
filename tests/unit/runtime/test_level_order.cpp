// SPDX-License-Identifier: Apache-2.0
// Stated levels decide the order in which sums add, in each step of a loop, too.
#include "unit/runtime/step_program.hpp"

namespace tw::test_level_order {

using namespace tw::test;

namespace {

// Each row is summed over four devices, in a step of its own.
std::vector<float> sums(std::string_view kind, const spmd::Options &lowering) {
  const auto graph = import_of(R"(
func.func @main(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %r = stablehlo.abs %s : tensor<2xf32>
  return %r : tensor<2xf32>
})");
  Runner runner(
      graph, "d=4",
      fmt::format(R"({}(axis="s", size=2); tile(arg=x, dim=0, axis="s"); tile(arg=x, dim=1, axis="d");
                               infer-propagate)",
                  kind),
      {}, lowering);
  // A large number takes small ones in, so the order shows.
  const std::vector<float> x{1e8f, 1, -1e8f, 1, 1, 1e8f, 2, -1e8f};
  std::ranges::copy(x, runner.inputs[0].as<float>());
  REQUIRE(runner.run().has_value());
  return {runner.outputs[0].as<float>(), runner.outputs[0].as<float>() + 2};
}

} // namespace

TEST_CASE("each step of a loop adds in the order of the stated levels") {
  using Sums = std::vector<float>;
  for (const char *kind : {"serial", "threads"}) {
    CAPTURE(kind);
    // ((a + b) + c) + d
    CHECK(sums(kind, {}) == Sums{1, 0});
    CHECK(sums(kind, {.levels = "node=2", .keep_sum_order = true}) == Sums{1, 0});
    // (a + b) + (c + d)
    CHECK(sums(kind, {.levels = "node=2"}) == Sums{0, 0});
    // (a + d) + (b + c)
    CHECK(sums(kind, {.levels = "node=[[0,3],[1,2]]"}) == Sums{0, 0});
    // (a + c) + (b + d)
    CHECK(sums(kind, {.levels = "node=[[0,2],[1,3]]"}) == Sums{2, 3});
  }
}

} // namespace tw::test_level_order
