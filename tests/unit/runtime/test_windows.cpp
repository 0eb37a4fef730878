// SPDX-License-Identifier: Apache-2.0
// Windows over space that lies on several devices: what moves, and that results are right where other
// partitioners are known to be wrong.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "support/unit.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::runtime_test_windows {

using namespace tw::test;

namespace {

// A residual block and gradients of it.
std::string block() {
  std::ifstream file(source_path("tests/golden/programs/residual_block.mlir"));
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

const float *values(const runtime::Tensor &t) { return reinterpret_cast<const float *>(t.data()); }

// Runs on one device and partitioned; answers with the largest difference of any result, beside the largest
// value of that result.
double difference(std::string_view text, std::string_view mesh, std::string_view spec) {
  const auto graph = import_of(text);
  Runner whole(graph, "a=1", ""), parts(graph, mesh, spec);
  REQUIRE(whole.run().has_value());
  REQUIRE(parts.run().has_value());
  double worst = 0;
  for (size_t i = 0; i < whole.outputs.size(); ++i) {
    double most = 0, off = 0;
    for (int64_t j = 0; j < whole.outputs[i].type().elements(); ++j) {
      const double want = values(whole.outputs[i])[j], got = values(parts.outputs[i])[j];
      most = std::max(most, std::abs(want));
      off = std::max(off, std::isnan(got) ? 1e30 : std::abs(got - want));
    }
    CHECK(most > 0);
    worst = std::max(worst, off / most);
  }
  return worst;
}

int64_t count(const spmd::Program &program, redistribute::Kind kind) {
  return spmd::find_statistics(program).counts[static_cast<size_t>(kind)];
}

constexpr const char *kSpace = "tile(arg=x, dim=1, axis=\"space\"); tile(arg=dy, dim=1, axis=\"space\")\n"
                               "infer-propagate\n";

} // namespace

TEST_CASE("a residual block over four tiles of space moves halos only") {
  Runner parts(import_of(block()), "space=4", kSpace);
  CAPTURE(to_text(*parts.program));
  CHECK(count(*parts.program, redistribute::Kind::all_gather) == 0);
  CHECK(count(*parts.program, redistribute::Kind::all_to_all) == 0);
  CHECK(count(*parts.program, redistribute::Kind::all_reduce) == 2); // the mean, the gradient of the weights
  CHECK(count(*parts.program, redistribute::Kind::exchange) >= 4);
  // A device has 4 rows of x and takes at most one from each side.
  const int64_t row = 2 * 12 * 8 * 4;
  for (const spmd::Collective &c : parts.program->collectives())
    if (c.summary.kind == redistribute::Kind::exchange)
      CHECK(c.summary.bytes_received_max <= 2 * row);
  for (const char *mesh : {"space=2", "space=3", "space=4", "space=7"})
    CHECK(difference(block(), mesh, kSpace) < 1e-5);
}

TEST_CASE("both dimensions of space, images and features at once") {
  const char *spec = "tile(arg=x, dim=1, axis=\"y\"); tile(arg=dy, dim=1, axis=\"y\")\n"
                     "tile(arg=x, dim=2, axis=\"x\"); tile(arg=dy, dim=2, axis=\"x\")\n"
                     "infer-propagate\n"
                     "tile(arg=x, dim=0, axis=\"b\"); tile(arg=dy, dim=0, axis=\"b\")\n"
                     "infer-propagate\n"
                     "tile(arg=w1, dim=3, axis=\"f\")\n"
                     "infer-propagate\n";
  CHECK(difference(block(), "y=3,x=2,b=2,f=3", spec) < 1e-5);
}

// XLA's partitioner is known to give wrong numbers for the three that follow.
TEST_CASE("the gradient of a maximum beside that of an average is right on tiles of space") {
  const char *text = R"(
func.func @main(%x: tensor<2x13x10x3xf32>, %dmax: tensor<2x6x5x3xf32>, %davg: tensor<2x6x5x3xf32>)
    -> tensor<2x13x10x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = "stablehlo.select_and_scatter"(%x, %dmax, %zero) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 0]]> :
    tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %ge : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x13x10x3xf32>, tensor<2x6x5x3xf32>, tensor<f32>) -> tensor<2x13x10x3xf32>
  %avg = "stablehlo.reduce_window"(%davg, %zero) <{base_dilations = array<i64: 1, 2, 2, 1>,
    padding = dense<[[0, 0], [2, 2], [2, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x6x5x3xf32>, tensor<f32>) -> tensor<2x13x10x3xf32>
  %sum = stablehlo.add %max, %avg : tensor<2x13x10x3xf32>
  return %sum : tensor<2x13x10x3xf32>
}
)";
  for (const char *mesh : {"s=2", "s=3", "s=4", "s=6"})
    for (const char *arg : {"x", "dmax", "davg"})
      for (const int dim : {1, 2}) {
        const std::string spec = fmt::format("tile(arg={}, dim={}, axis=\"s\"); infer-propagate", arg, dim);
        CAPTURE(mesh);
        CAPTURE(spec);
        CHECK(difference(text, mesh, spec) == 0);
      }
}

TEST_CASE("the kernel's gradient of a grouped convolution is right with the images on several devices") {
  const char *text = R"(
func.func @main(%x: tensor<5x9x8x6xf32>, %dy: tensor<5x9x8x4xf32>) -> tensor<3x3x3x4xf32> {
  %dw = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
    : (tensor<5x9x8x6xf32>, tensor<5x9x8x4xf32>) -> tensor<3x3x3x4xf32>
  return %dw : tensor<3x3x3x4xf32>
}
)";
  for (const char *mesh : {"b=2", "b=3", "b=6"})
    for (const int dim : {0, 1}) { // images, and space, where the taps are shared out
      const std::string spec = fmt::format(
          "tile(arg=x, dim={}, axis=\"b\"); tile(arg=dy, dim={}, axis=\"b\"); infer-propagate", dim, dim);
      CAPTURE(mesh);
      CAPTURE(dim);
      Runner parts(import_of(text), mesh, spec);
      CHECK(count(*parts.program, redistribute::Kind::all_reduce) == 1);
      CHECK(count(*parts.program, redistribute::Kind::all_gather) == 0);
      CHECK(difference(text, mesh, spec) < 1e-5);
    }
}

TEST_CASE("cumulative sums and maxima are right along a dimension on several devices") {
  for (const std::string_view op : {"add", "maximum"}) {
    const std::string text = fmt::format(R"(
func.func @main(%x: tensor<3x11xf32>) -> tensor<3x11xf32> {{
  %init = stablehlo.constant dense<{}> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %init) <{{padding = dense<[[0, 0], [10, 0]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1, 11>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.{} %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<3x11xf32>, tensor<f32>) -> tensor<3x11xf32>
  return %r : tensor<3x11xf32>
}}
)",
                                         op == "add" ? "0.0" : "0xFF800000", op);
    for (const char *mesh : {"s=2", "s=3", "s=4", "s=13"})
      CHECK(difference(text, mesh, "tile(arg=x, dim=1, axis=\"s\"); infer-propagate") <=
            (op == "add" ? 1e-6 : 0)); // a tile's sum is added up before it is carried on
  }
}

} // namespace tw::runtime_test_windows
