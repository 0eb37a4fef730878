// SPDX-License-Identifier: Apache-2.0
// Programs in double precision: the programs of the tree are ones still, and what depends on a type keeps its
// meaning.
#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "kernels/ref/evaluate.hpp"
#include "ops/builder.hpp"
#include "ops/in_double.hpp"
#include "support/tree_programs.hpp"

namespace tw::test_in_double {

using graph::DType;

namespace {

std::vector<size_t> all_results(const graph::Graph &graph) {
  std::vector<size_t> all(graph.results().size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

// Runs a program of f32[n] -> f32[n] in double precision.
std::vector<double> run(const std::string &text, std::vector<double> values) {
  const auto imported = import::import_text("func.func @main" + text);
  if (!imported)
    FAIL(imported.error().message());
  const auto wide = ops::in_double(*imported->graph, all_results(*imported->graph));
  if (!wide)
    FAIL(wide.error().message());
  kernels::ref::Array array{{DType::f64, {static_cast<int64_t>(values.size())}}, {}};
  array.bytes.resize(values.size() * sizeof(double));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  const auto results = kernels::ref::evaluate(**wide, std::vector{array});
  if (!results)
    FAIL(results.error().message());
  REQUIRE((*results)[0].type.dtype == DType::f64);
  std::vector<double> made((*results)[0].bytes.size() / sizeof(double));
  std::memcpy(made.data(), (*results)[0].bytes.data(), (*results)[0].bytes.size());
  return made;
}

} // namespace

TEST_CASE("programs of the tree in double precision") {
  for (const auto &program : test::tree_programs()) {
    const auto &name = program.name;
    const auto &imported = program.imported;
    CAPTURE(name);
    const graph::Graph &graph = *imported.graph;
    const auto wide = ops::in_double(graph, all_results(graph));
    if (!wide)
      FAIL_CHECK(wide.error().message());
    if (!wide)
      continue;
    const auto status = ops::verify(**wide);
    CHECK_MESSAGE(status.has_value(), (status ? "" : status.error().message()));
    REQUIRE((*wide)->results().size() == graph.results().size());
    for (size_t i = 0; i < graph.results().size(); ++i)
      CHECK((*wide)->type((*wide)->operands((*wide)->results()[i])[0]).dtype ==
            ops::in_double(graph.type(graph.operands(graph.results()[i])[0]).dtype));
  }
}

TEST_CASE("nothing rounds to the program's types") {
  const double third = 1.0 / 3;
  CHECK(run(R"((%a: tensor<1xf32>) -> tensor<1xf32> {
    %1 = stablehlo.convert %a : (tensor<1xf32>) -> tensor<1xbf16>
    %2 = stablehlo.convert %1 : (tensor<1xbf16>) -> tensor<1xf32>
    %3 = stablehlo.reduce_precision %2, format = e5m2 : tensor<1xf32>
    return %3 : tensor<1xf32>
  })",
            {third}) == std::vector{third});
}

TEST_CASE("literals are the numbers that the program has") {
  CHECK(run(R"((%a: tensor<1xf32>) -> tensor<1xf32> {
    %c = stablehlo.constant dense<0.1> : tensor<1xf32>
    %1 = stablehlo.add %a, %c : tensor<1xf32>
    return %1 : tensor<1xf32>
  })",
            {1}) == std::vector{1 + static_cast<double>(0.1f)});
}

TEST_CASE("bits of a float are those of its own type") {
  CHECK(run(R"((%a: tensor<2xf32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<2147483647> : tensor<2xi32>
    %1 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi32>
    %2 = stablehlo.and %1, %c : tensor<2xi32>
    %3 = stablehlo.bitcast_convert %2 : (tensor<2xi32>) -> tensor<2xf32>
    return %3 : tensor<2xf32>
  })",
            {-2.5, 3}) == std::vector{2.5, 3.0});
}

TEST_CASE("foreign code with side effects runs once only") {
  const auto imported = import::import_text(R"(func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {
    %1 = stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<1xf32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  })");
  REQUIRE(imported.has_value());
  const auto wide = ops::in_double(*imported->graph, all_results(*imported->graph));
  REQUIRE(!wide);
  CHECK(wide.error().message().find("side effects") != std::string::npos);
}

} // namespace tw::test_in_double
