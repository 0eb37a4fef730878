// SPDX-License-Identifier: Apache-2.0
// Which op made the NaN of a result: not one whose NaN nobody takes, and not those that hand them on.
#include <limits>

#include "runtime/nonfinite.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_nonfinite {

using namespace tw::test;

namespace {

// "stablehlo.log NaN 2 of x": the op, what it makes, how many and from which arguments.
std::string found(const std::string &text, const std::vector<std::vector<float>> &values) {
  const auto graph = import_of(text);
  std::vector<kernels::ref::Array> arrays;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto *bytes = reinterpret_cast<const std::byte *>(values[i].data());
    arrays.push_back(
        {graph->type(graph->result(graph->arguments()[i])), {bytes, bytes + 4 * values[i].size()}});
  }
  const auto result = runtime::find_nonfinite(*graph, arrays);
  REQUIRE(result.has_value());
  if (!*result)
    return "";
  const runtime::Nonfinite &f = **result;
  std::string arguments;
  for (const uint32_t a : f.arguments)
    arguments += fmt::format(" {}", graph->argument_name(a));
  return fmt::format("{} {} {} of{}", ops::op_def(graph->op(f.op).code).name, f.nan ? "NaN" : "Inf", f.count,
                     arguments);
}

constexpr const char *kMasked = R"(
func.func @main(%x: tensor<4xf32> loc("x"), %y: tensor<4xf32> loc("y")) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %p = stablehlo.compare GT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %a = stablehlo.log %x : tensor<4xf32>
  %b = stablehlo.select %p, %a, %zero : tensor<4xi1>, tensor<4xf32>
  %c = stablehlo.sqrt %y : tensor<4xf32>
  %d = stablehlo.add %b, %c : tensor<4xf32>
  return %d : tensor<4xf32>
})";

} // namespace

TEST_CASE("the op that made the NaN of a result is found, and not one whose NaN are masked") {
  CHECK(found(kMasked, {{-1, 1, 2, 3}, {1, 2, 3, 4}}) == "");
  CHECK(found(kMasked, {{-1, 1, 2, 3}, {1, -2, 3, -4}}) == "stablehlo.sqrt NaN 2 of y");
}

TEST_CASE("what an argument holds is its own") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(found(kMasked, {{1, 1, 2, 3}, {nan, 2, 3, 4}}) == "func.argument NaN 1 of y");
}

TEST_CASE("NaN of infinities are made where these meet, and infinities alone where they begin") {
  constexpr const char *text = R"(
func.func @main(%x: tensor<2xf32> loc("x")) -> tensor<2xf32> {{
  %a = stablehlo.exponential %x : tensor<2xf32>
  %b = stablehlo.{} %a, %a : tensor<2xf32>
  return %b : tensor<2xf32>
}})";
  CHECK(found(fmt::format(text, "subtract"), {{1, 1000}}) == "stablehlo.subtract NaN 1 of x");
  CHECK(found(fmt::format(text, "add"), {{1, 1000}}) == "stablehlo.exponential Inf 1 of x");
}

TEST_CASE("infinities of constants are meant") {
  CHECK(found(R"(
func.func @main(%x: tensor<2xf32> loc("x")) -> tensor<2xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %b = stablehlo.minimum %x, %low : tensor<2xf32>
  return %b : tensor<2xf32>
})",
              {{1, 2}}) == "");
}

TEST_CASE("a loop is looked into, turn by turn") {
  constexpr const char *text = R"(
func.func @main(%x: tensor<2xf32> loc("x")) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.log %a : tensor<2xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
})";
  CHECK(found(text, {{2, 1e30f}}) == "stablehlo.log NaN 1 of x");  // in the last turn
  CHECK(found(text, {{-2, 1e30f}}) == "stablehlo.log NaN 1 of x"); // in the first
}

} // namespace tw::test_nonfinite
