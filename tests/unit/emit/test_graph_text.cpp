// SPDX-License-Identifier: Apache-2.0
// What is printed of a graph reads as the same graph: every program of the tree, random ones, and what stands
// in no program of the tree.
#include <doctest/doctest.h>

#include "emit/stablehlo/graph_text.hpp"
#include "kernels/ref/evaluate.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/tree_programs.hpp"
#include "unit/emit/graph_order.hpp"
#include "unit/loops/loop_text.hpp"

namespace tw::test_graph_text {

using namespace tw::test;

namespace {

import::Imported check_round_trip_of(const std::shared_ptr<const graph::Graph> &graph){
    const std::string text = emit::stablehlo::to_text(*graph);
INFO(text);
import::Imported read = load_text(text);
check_same_plan({graph, sharding::Mesh()}, {text, text_order(*graph)}, {read.graph, sharding::Mesh()});
CHECK(emit::stablehlo::to_text(*read.graph) == text);
return read;
} // namespace

} // namespace tw::test_graph_text

TEST_CASE("every program of the tree reads as itself") {
  for (const TreeProgram &program : tree_programs()) {
    CAPTURE(program.name);
    check_round_trip_of(program.imported.graph);
  }
}

TEST_CASE("random programs read as themselves and compute the same") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    const import::Imported read = check_round_trip_of(program.graph);
    const auto before = kernels::ref::evaluate(*program.graph, program.inputs),
               after = kernels::ref::evaluate(*read.graph, program.inputs);
    REQUIRE(before.has_value());
    REQUIRE(after.has_value());
    for (size_t i = 0; i < before->size(); ++i)
      REQUIRE(same_values((*before)[i], (*after)[i]));
  }
}

TEST_CASE("every op reads as itself") {
  each_instance(20, [](const ops::OpDef &, const Instance &instance, RandomChoices &) {
    check_round_trip_of(instance.graph);
  });
}

TEST_CASE("attributes that have forms of their own") {
  const char *text = R"(module @forms {
  func.func public @main(%x: tensor<2x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %m: tensor<4x4xf64>, %k: tensor<2xui64>, %c: tensor<6xcomplex<f32>>) -> (tensor<2x6x6x4xf32>, tensor<4x4xf64>) {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x6x6x4xf32>
    %1 = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    %2 = stablehlo.cholesky %m, lower = true : tensor<4x4xf64>
    %3:2 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
    %4 = stablehlo.fft %c, type = IFFT, length = [6] : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    %5 = stablehlo.reduce_precision %m, format = e5m10 : tensor<4x4xf64>
    %6 = stablehlo.custom_call @"my op"(%m) {api_version = 2 : i32, backend_config = "a \"b\"", has_side_effect = true, my.axis = [1, 2]} : (tensor<4x4xf64>) -> tensor<4x4xf64>
    %7 = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0], precision = [HIGH, HIGH] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    %8 = stablehlo.constant dense<[1.0e-7, -0.0, 0x7FC00001]> : tensor<3xf32>
    %9 = stablehlo.constant dense<[(1.0, 2.5), (-3.0, 0x7F800000)]> : tensor<2xcomplex<f32>>
    %10 = stablehlo.constant dense<> : tensor<0x3xi8>
    return %0, %7 : tensor<2x6x6x4xf32>, tensor<4x4xf64>
  }
})";
  const import::Imported imported = load_text(text);
  check_round_trip_of(imported.graph);
}

} // namespace tw::test_graph_text
