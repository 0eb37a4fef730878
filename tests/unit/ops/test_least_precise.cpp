// SPDX-License-Identifier: Apache-2.0
// The least precise type on the ways from the arguments to each result.
#include <doctest/doctest.h>

#include "import/import.hpp"
#include "ops/least_precise.hpp"
#include "support/tree_programs.hpp"

namespace tw::test_least_precise {

using graph::DType;

namespace {

std::vector<DType> least(const std::string &body) {
  const auto imported = import::import_text("func.func @main" + body);
  if (!imported)
    FAIL(imported.error().message());
  return ops::least_precise(*imported->graph);
}

} // namespace

TEST_CASE("what lies on the way counts, what does not come from an argument does not") {
  CHECK(least(R"((%a: tensor<4xf32>, %b: tensor<4xbf16>, %n: tensor<4xi32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xi1>) {
    %c = stablehlo.constant dense<1.0> : tensor<4xbf16>
    %1 = stablehlo.convert %c : (tensor<4xbf16>) -> tensor<4xf32>
    %2 = stablehlo.add %a, %1 : tensor<4xf32>
    %3 = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf32>
    %4 = stablehlo.add %a, %3 : tensor<4xf32>
    %5 = stablehlo.convert %n : (tensor<4xi32>) -> tensor<4xf64>
    %6 = stablehlo.compare LT, %a, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return %2, %4, %5, %n, %1, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4xi32>, tensor<4xf32>, tensor<4xi1>
  })") == std::vector{DType::f32, DType::bf16, DType::f64, DType::invalid, DType::invalid, DType::f32});
}

TEST_CASE("loops carry it back, what decides is on the way, and regions compute in their own types") {
  CHECK(
      least(
          R"((%a: tensor<f32>, %b: tensor<f16>, %v: tensor<4xf16>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<f16>
    %1:3 = stablehlo.while(%i = %0, %x = %a, %y = %a) : tensor<i32>, tensor<f32>, tensor<f32>
      cond {
        %c = stablehlo.constant dense<3> : tensor<i32>
        %2 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %c = stablehlo.constant dense<1> : tensor<i32>
        %3 = stablehlo.add %i, %c : tensor<i32>
        %4 = stablehlo.convert %b : (tensor<f16>) -> tensor<f32>
        stablehlo.return %3, %y, %4 : tensor<i32>, tensor<f32>, tensor<f32>
      }
    %5 = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf16>, tensor<f16>) -> tensor<f16>
    %6 = stablehlo.convert %5 : (tensor<f16>) -> tensor<f32>
    return %1#1, %a, %6 : tensor<f32>, tensor<f32>, tensor<f32>
  })") == std::vector{DType::f16, DType::f32, DType::f16});
}

TEST_CASE("master gradients of a bf16 model are no more precise than the model") {
  for (const auto &program : test::programs_of(test::source_path("tests/golden/comparison/bf16_mlp.mlir")))
    for (const DType dtype : ops::least_precise(*program.imported.graph))
      CHECK(dtype == DType::bf16);
}

} // namespace tw::test_least_precise
