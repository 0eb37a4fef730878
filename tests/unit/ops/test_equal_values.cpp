// SPDX-License-Identifier: Apache-2.0
// Which values are equal: equal expressions, what ops and loops hand on; and what only looks like it.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "ops/equal_values.hpp"

namespace tw::test_equal_values {

namespace {

std::shared_ptr<const graph::Graph> graph_of(const std::string &text) {
  auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  return imported->graph;
}

// Whether the values of the first two results are equal.
bool are_equal(const std::string &body) {
  const auto graph = graph_of("func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %n: tensor<i32>) -> "
                              "(tensor<4x4xf32>, tensor<4x4xf32>) {\n" +
                              body + "  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>\n}\n");
  const ops::EqualValues equal(*graph, ops::Variables(*graph));
  const auto result = [&](size_t i) { return graph->operands(graph->results()[i])[0]; };
  return equal.of(result(0)) == equal.of(result(1));
}

std::string unary(const char *name, const char *op, const char *of) {
  return fmt::format("  %{} = stablehlo.{} %{} : tensor<4x4xf32>\n", name, op, of);
}

// `a` is a max or sum of x over itself, and broadcast.
std::string reduced(const char *name, const char *with) {
  return fmt::format("  %z{0} = stablehlo.constant dense<0.0> : tensor<f32>\n"
                     "  %r{0} = stablehlo.reduce(%x init: %z{0}) applies stablehlo.{1} across dimensions = "
                     "[0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
                     "  %{0} = stablehlo.broadcast_in_dim %r{0}, dims = [1] : (tensor<4xf32>) -> "
                     "tensor<4x4xf32>\n",
                     name, with);
}

// A loop that carries x and y; the body gives on `x_next` and tanh of y. b is what it leaves of x.
std::string loop(const char *body, const char *x_next) {
  return fmt::format(R"(
  %a = stablehlo.negate %x : tensor<4x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %w:3 = stablehlo.while(%i = %zero, %p = %x, %q = %y) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
{}    %t = stablehlo.tanh %q : tensor<4x4xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, {}, %t : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }}
  %b = stablehlo.negate %w#1 : tensor<4x4xf32>
)",
                     body, x_next);
}

} // namespace

TEST_CASE("the same of the same is equal, with regions and constants too") {
  CHECK(are_equal(unary("a", "tanh", "x") + unary("b", "tanh", "x")));
  CHECK_FALSE(are_equal(unary("a", "tanh", "x") + unary("b", "tanh", "y")));
  CHECK_FALSE(are_equal(unary("a", "tanh", "x") + unary("b", "sine", "x")));
  CHECK(are_equal(unary("p", "tanh", "x") + unary("q", "tanh", "x") + unary("a", "sine", "p") +
                  unary("b", "sine", "q")));
  CHECK(are_equal(reduced("a", "maximum") + reduced("b", "maximum")));
  CHECK_FALSE(are_equal(reduced("a", "maximum") + reduced("b", "add")));
}

TEST_CASE("what changes nothing hands on its operand") {
  const auto is_handed_on = [](const char *op) {
    return are_equal(unary("a", "tanh", "x") + fmt::format("  %b = stablehlo.{}\n", op));
  };
  CHECK(is_handed_on("reshape %a : (tensor<4x4xf32>) -> tensor<4x4xf32>"));
  CHECK(is_handed_on("convert %a : tensor<4x4xf32>"));
  CHECK(is_handed_on("slice %a [0:4, 0:4] : (tensor<4x4xf32>) -> tensor<4x4xf32>"));
  CHECK(is_handed_on("transpose %a, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>"));
  CHECK(is_handed_on("broadcast_in_dim %a, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>"));
  CHECK(is_handed_on("optimization_barrier %a : tensor<4x4xf32>"));
  CHECK(is_handed_on("dynamic_slice %a, %n, %n, sizes = [4, 4] : (tensor<4x4xf32>, tensor<i32>, "
                     "tensor<i32>) -> tensor<4x4xf32>"));
  CHECK(is_handed_on("dynamic_update_slice %y, %a, %n, %n : (tensor<4x4xf32>, tensor<4x4xf32>, "
                     "tensor<i32>, tensor<i32>) -> tensor<4x4xf32>"));
  CHECK_FALSE(is_handed_on("transpose %a, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>"));
  CHECK_FALSE(is_handed_on("reverse %a, dims = [0] : tensor<4x4xf32>"));
  CHECK_FALSE(is_handed_on("broadcast_in_dim %a, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>"));
  CHECK(are_equal(unary("a", "tanh", "x") +
                  "  %e = stablehlo.slice %x [0:4, 0:0] : (tensor<4x4xf32>) -> tensor<4x0xf32>\n"
                  "  %b = stablehlo.concatenate %e, %a, dim = 1 : (tensor<4x0xf32>, tensor<4x4xf32>) -> "
                  "tensor<4x4xf32>\n"));
}

TEST_CASE("a loop hands on what no turn changes") {
  CHECK(are_equal(loop("", "%p")));
  CHECK(are_equal(loop("    %same = stablehlo.optimization_barrier %p : tensor<4x4xf32>\n", "%same")));
  CHECK(are_equal(loop("", "%x")));
  CHECK_FALSE(are_equal(loop("", "%q")));
  CHECK_FALSE(are_equal(loop("    %d = stablehlo.negate %p : tensor<4x4xf32>\n", "%d")));
}

TEST_CASE("what is drawn twice is not equal, and a barrier may be what stops") {
  const auto graph = graph_of(R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.tanh %x : tensor<4xf32>
  %h = stablehlo.optimization_barrier %x : tensor<4xf32>
  %b = stablehlo.tanh %h : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
})");
  const ops::Variables variables(*graph);
  const auto result = [&](size_t i) { return graph->operands(graph->results()[i])[0]; };
  const ops::EqualValues all(*graph, variables);
  CHECK(all.of(result(0)) == all.of(result(1)));
  const ops::EqualValues some(*graph, variables,
                              [&](graph::OpId op) { return ops::handed_on(*graph, op).has_value(); });
  CHECK(some.of(result(0)) != some.of(result(1)));
  const std::string draw = "  %lo{0} = stablehlo.constant dense<0.0> : tensor<f32>\n"
                           "  %hi{0} = stablehlo.constant dense<1.0> : tensor<f32>\n"
                           "  %s{0} = stablehlo.constant dense<4> : tensor<2xi64>\n"
                           "  %{0} = stablehlo.rng %lo{0}, %hi{0}, %s{0}, distribution = UNIFORM : "
                           "(tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>\n";
  CHECK_FALSE(are_equal(fmt::format(fmt::runtime(draw), "a") + fmt::format(fmt::runtime(draw), "b")));
}

} // namespace tw::test_equal_values
