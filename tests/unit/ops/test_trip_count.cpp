// SPDX-License-Identifier: Apache-2.0
// How often loops run: counted by running the same counter here, and unknown wherever data decide.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "import/import.hpp"
#include "ops/trip_count.hpp"
#include "ops/variables.hpp"

namespace tw::test_trip_count {

namespace {

std::optional<int64_t> turns_of(const std::string &text) {
  const auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), (imported ? std::string() : imported.error().message()));
  const graph::Graph &graph = *(*imported).graph;
  for (graph::OpId op = 0; op < graph.ops().size(); ++op)
    if (graph.op(op).num_regions == 2 && ops::is_loop(graph, op))
      return ops::trip_count(graph, op);
  FAIL("no loop");
  return {};
}

std::string loop(const std::string &first, const std::string &condition, const std::string &next) {
  return fmt::format(R"(func.func @main(%x: tensor<i32>) -> tensor<i32> {{
  %first = stablehlo.constant dense<{}> : tensor<i32>
  %bound = stablehlo.constant dense<7> : tensor<i32>
  %0:2 = stablehlo.while(%i = %first, %n = %bound) : tensor<i32>, tensor<i32>
   cond {{
    %c = stablehlo.constant dense<7> : tensor<i32>
    %1 = {} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %s = stablehlo.constant dense<2> : tensor<i32>
    %2 = {} : tensor<i32>
    stablehlo.return %2, %n : tensor<i32>, tensor<i32>
  }}
  return %0#0 : tensor<i32>
}}
)",
                     first, condition, next);
}

bool holds(const std::string &direction, int64_t a, int64_t b) {
  return direction == "LT"   ? a < b
         : direction == "LE" ? a <= b
         : direction == "GT" ? a > b
         : direction == "GE" ? a >= b
                             : a != b;
}

} // namespace

TEST_CASE("counted loops") {
  for (const int64_t first : {-4, 1, 6, 7, 8, 20})
    for (const char *direction : {"LT", "LE", "GT", "GE", "NE"})
      for (const bool down : {false, true}) {
        const std::string next = down ? "stablehlo.subtract %i, %s" : "stablehlo.add %s, %i";
        int64_t expected = 0, i = first;
        for (; expected < 100 && holds(direction, i, 7); ++expected)
          i += down ? -2 : 2;
        const std::string mirrored = direction[1] == 'E' && direction[0] == 'N'
                                         ? "NE"
                                         : fmt::format("{}{}", direction[0] == 'L' ? 'G' : 'L', direction[1]);
        for (const std::string &condition : {fmt::format("stablehlo.compare {}, %i, %c", direction),
                                             fmt::format("stablehlo.compare {}, %c, %i", mirrored),
                                             fmt::format("stablehlo.compare {}, %i, %n", direction)}) {
          const auto turns = turns_of(loop(std::to_string(first), condition, next));
          CHECK_MESSAGE(turns == (expected < 100 ? std::optional(expected) : std::nullopt), condition,
                        " from ", first, down ? " down" : " up");
        }
      }
}

TEST_CASE("data decide") {
  CHECK(!turns_of(loop("0", "stablehlo.compare LT, %i, %x", "stablehlo.add %i, %s")));
  CHECK(!turns_of(loop("0", "stablehlo.compare LT, %i, %c", "stablehlo.add %i, %x")));
  CHECK(!turns_of(loop("0", "stablehlo.compare LT, %i, %c", "stablehlo.multiply %i, %s")));
  CHECK(!turns_of(loop("0", "stablehlo.compare LT, %i, %c", "stablehlo.add %i, %i")));
  CHECK(!turns_of(loop("0", "stablehlo.compare EQ, %i, %c", "stablehlo.add %i, %s")));
}

} // namespace tw::test_trip_count
