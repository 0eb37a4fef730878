// SPDX-License-Identifier: Apache-2.0
// Integers that constants and iotas decide are read back as functions of one index, and nothing else is.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "import/import.hpp"
#include "ops/index_pattern.hpp"

namespace tw::test_index_pattern {

using ops::IndexComponent;
using ops::IndexPattern;

namespace {

// Of the result of a function with arguments %n: tensor<i32> and %v: tensor<6x1xi32>.
std::optional<IndexPattern> pattern(std::string_view type, std::string_view body,
                                    IndexComponent component = {}) {
  const std::string text = fmt::format(
      "func.func @main(%n: tensor<i32>, %v: tensor<6x1xi32>) -> tensor<{0}> {{\n{1}\n  return %r : "
      "tensor<{0}>\n}}\n",
      type, body);
  CAPTURE(text);
  const auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  const graph::Graph &graph = *imported->graph;
  return ops::index_pattern(graph, graph.operands(graph.results()[0])[0], component);
}

constexpr const char *kRows = "  %i = stablehlo.iota dim = 0 : tensor<6x1xi32>\n";

} // namespace

TEST_CASE("numbers") {
  CHECK(pattern("i32", "  %r = stablehlo.constant dense<4> : tensor<i32>") == IndexPattern{4, 0, -1});
  CHECK(pattern("3xi32", "  %r = stablehlo.constant dense<4> : tensor<3xi32>") == IndexPattern{4, 0, -1});
  CHECK(pattern("i32",
                "  %a = stablehlo.constant dense<-1> : tensor<i32>\n"
                "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
                "  %s = stablehlo.constant dense<16> : tensor<i32>\n"
                "  %p = stablehlo.compare LT, %a, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                "  %b = stablehlo.add %a, %s : tensor<i32>\n"
                "  %r = stablehlo.select %p, %b, %a : tensor<i1>, tensor<i32>") == IndexPattern{15, 0, -1});
  CHECK(pattern("i32", "  %a = stablehlo.constant dense<40> : tensor<i32>\n"
                       "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
                       "  %s = stablehlo.constant dense<16> : tensor<i32>\n"
                       "  %r = stablehlo.clamp %z, %a, %s : tensor<i32>") == IndexPattern{16, 0, -1});
  CHECK_FALSE(pattern("i32", "  %a = stablehlo.constant dense<4> : tensor<i32>\n"
                             "  %r = stablehlo.add %a, %n : tensor<i32>"));
  // What does not fit the type is another number there.
  CHECK_FALSE(pattern("i8", "  %a = stablehlo.constant dense<200> : tensor<i32>\n"
                            "  %r = stablehlo.convert %a : (tensor<i32>) -> tensor<i8>"));
  CHECK_FALSE(pattern("ui8", "  %a = stablehlo.constant dense<200> : tensor<ui8>\n"
                             "  %r = stablehlo.add %a, %a : tensor<ui8>"));
}

TEST_CASE("rows") {
  const IndexPattern rows{0, 1, 0};
  CHECK(pattern("6x1xi32", "  %r = stablehlo.iota dim = 0 : tensor<6x1xi32>") == rows);
  CHECK(pattern("1xi32", "  %r = stablehlo.iota dim = 0 : tensor<1xi32>") == IndexPattern{0, 0, -1});
  CHECK(pattern("4xi32", "  %r = stablehlo.constant dense<[3, 5, 7, 9]> : tensor<4xi32>") ==
        IndexPattern{3, 2, 0});
  CHECK_FALSE(pattern("4xi32", "  %r = stablehlo.constant dense<[3, 5, 7, 8]> : tensor<4xi32>"));
  CHECK(pattern("6x3xi32", std::string(kRows) +
                               "  %r = stablehlo.broadcast_in_dim %i, dims = [0, 1] : (tensor<6x1xi32>) -> "
                               "tensor<6x3xi32>") == rows);
  CHECK(pattern("6xi32", std::string(kRows) +
                             "  %r = stablehlo.reshape %i : (tensor<6x1xi32>) -> tensor<6xi32>") == rows);
  CHECK(pattern("3x1xi32",
                std::string(kRows) +
                    "  %r = stablehlo.slice %i [1:6:2, 0:1] : (tensor<6x1xi32>) -> tensor<3x1xi32>") ==
        IndexPattern{1, 2, 0});
  CHECK(pattern("6x1xi32", std::string(kRows) + "  %c = stablehlo.constant dense<3> : tensor<6x1xi32>\n"
                                                "  %m = stablehlo.multiply %i, %c : tensor<6x1xi32>\n"
                                                "  %r = stablehlo.subtract %m, %c : tensor<6x1xi32>") ==
        IndexPattern{-3, 3, 0});
  // Never below 0, so nothing is added; sometimes above 3, so neither is known.
  CHECK(pattern("6x1xi32", std::string(kRows) +
                               "  %z = stablehlo.constant dense<0> : tensor<6x1xi32>\n"
                               "  %p = stablehlo.compare LT, %i, %z : (tensor<6x1xi32>, tensor<6x1xi32>) -> "
                               "tensor<6x1xi1>\n"
                               "  %a = stablehlo.add %i, %v : tensor<6x1xi32>\n"
                               "  %r = stablehlo.select %p, %a, %i : tensor<6x1xi1>, tensor<6x1xi32>") ==
        rows);
  CHECK_FALSE(pattern("6x1xi32", std::string(kRows) + "  %c = stablehlo.constant dense<3> : tensor<6x1xi32>\n"
                                                      "  %r = stablehlo.minimum %i, %c : tensor<6x1xi32>"));
}

TEST_CASE("components of index vectors") {
  const std::string joined = std::string(kRows) +
                             "  %r = stablehlo.concatenate %i, %v, %i, dim = 1 : (tensor<6x1xi32>, "
                             "tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x3xi32>";
  CHECK(pattern("6x3xi32", joined, {1, 0}) == IndexPattern{0, 1, 0});
  CHECK_FALSE(pattern("6x3xi32", joined, {1, 1}));
  CHECK(pattern("6x3xi32", joined, {1, 2}) == IndexPattern{0, 1, 0});
  CHECK_FALSE(pattern("6x3xi32", joined));
  CHECK(pattern("2xi32", "  %r = stablehlo.constant dense<[15, 2]> : tensor<2xi32>", {0, 1}) ==
        IndexPattern{2, 0, -1});
  CHECK(pattern("6x2xi32",
                "  %c = stablehlo.constant dense<[15, 2]> : tensor<2xi32>\n"
                "  %r = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<6x2xi32>",
                {1, 0}) == IndexPattern{15, 0, -1});
  CHECK(pattern("4x5xi32", "  %r = stablehlo.iota dim = 1 : tensor<4x5xi32>", {1, 3}) ==
        IndexPattern{3, 0, -1});
}

} // namespace tw::test_index_pattern
