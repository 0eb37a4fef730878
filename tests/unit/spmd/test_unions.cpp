// SPDX-License-Identifier: Apache-2.0
// What several readers want of a value around its tiles is one exchange of what they want together, corners
// too, and what only moves elements reads the array itself with it; where that moves more they stay apart.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "unit/import/planned_text.hpp"

namespace tw::test_unions {

using namespace tw::test;

namespace {

std::string program(const std::string &mesh, const std::string &type, const std::string &layout,
                    const std::string &result, const std::string &result_layout, const std::string &body) {
  return fmt::format("sdy.mesh @m = <[{}]>\n"
                     "func.func @main(%v: tensor<{}> {{sdy.sharding = #sdy.sharding<@m, [{}]>}}) -> "
                     "(tensor<{}> {{sdy.sharding = #sdy.sharding<@m, [{}]>}}) {{\n{}  return %r : "
                     "tensor<{}>\n}}\n",
                     mesh, type, layout, result, result_layout, body, result);
}

// The sum of slices of a vector of 64 that begin at some places.
std::string slices(const std::vector<int> &begins) {
  constexpr int kSize = 56;
  std::string body, sum;
  for (const int begin : begins) {
    body += fmt::format("  %s{0} = stablehlo.slice %v [{0}:{1}] : (tensor<64xf32>) -> tensor<56xf32>\n",
                        begin, begin + kSize);
    if (!sum.empty())
      body += fmt::format("  %a{0} = stablehlo.add {1}, %s{0} : tensor<56xf32>\n", begin, sum);
    sum = fmt::format("%{}{}", sum.empty() ? 's' : 'a', begin);
  }
  body += fmt::format("  %r = stablehlo.negate {} : tensor<56xf32>\n", sum);
  return program("\"x\"=4", "64xf32", "{\"x\"}", "56xf32", "{\"x\"}", body);
}

// A roll of a 16x16 array by one place in some dimensions.
std::string roll(const std::string &from, const std::string &to, int dim) {
  const auto part = [&](int begin, int end) {
    return dim == 0 ? fmt::format("[{}:{}, 0:16] : (tensor<16x16xf32>) -> tensor<{}x16xf32>", begin, end,
                                  end - begin)
                    : fmt::format("[0:16, {}:{}] : (tensor<16x16xf32>) -> tensor<16x{}xf32>", begin, end,
                                  end - begin);
  };
  return fmt::format("  %{0}a = stablehlo.slice %{1} {2}\n  %{0}b = stablehlo.slice %{1} {3}\n"
                     "  %{0} = stablehlo.concatenate %{0}a, %{0}b, dim = {4} : ({5}) -> tensor<16x16xf32>\n",
                     to, from, part(1, 16), part(0, 1), dim,
                     dim == 0 ? "tensor<15x16xf32>, tensor<1x16xf32>"
                              : "tensor<16x15xf32>, tensor<16x1xf32>");
}

std::string two_dims(const std::string &body) {
  return program("\"x\"=2, \"y\"=2", "16x16xf32", "{\"x\"}, {\"y\"}", "16x16xf32", "{\"x\"}, {\"y\"}", body);
}

// The second difference of an array with its ends on the other sides, cut three ways.
const std::string kPeriodic =
    program("\"x\"=8", "16x5xf32", "{\"x\"}, {}", "16x5xf32", "{\"x\"}, {}",
            "  %last = stablehlo.slice %v [14:16, 0:5] : (tensor<16x5xf32>) -> tensor<2x5xf32>\n"
            "  %first = stablehlo.slice %v [0:2, 0:5] : (tensor<16x5xf32>) -> tensor<2x5xf32>\n"
            "  %p = stablehlo.concatenate %last, %v, %first, dim = 0 : (tensor<2x5xf32>, tensor<16x5xf32>, "
            "tensor<2x5xf32>) -> tensor<20x5xf32>\n"
            "  %a = stablehlo.slice %p [0:16, 0:5] : (tensor<20x5xf32>) -> tensor<16x5xf32>\n"
            "  %b = stablehlo.slice %p [4:20, 0:5] : (tensor<20x5xf32>) -> tensor<16x5xf32>\n"
            "  %c = stablehlo.add %a, %b : tensor<16x5xf32>\n"
            "  %d = stablehlo.slice %p [2:18, 0:5] : (tensor<20x5xf32>) -> tensor<16x5xf32>\n"
            "  %r = stablehlo.subtract %c, %d : tensor<16x5xf32>\n");

struct Known {
  std::string text;
  int64_t bytes; // of the busiest device
};

} // namespace

TEST_CASE("known programs receive each element around their tiles once") {
  const std::vector<Known> all = {
      {slices({0, 1, 2, 3, 4, 5, 6, 7, 8}), 24},
      {slices({4}), 8},
      {slices({0, 8}), 24}, // both ends
      // what came with others does not come again: tiles of two that lie 2 and 4 apart, in two exchanges
      {kPeriodic, 120},
      // a corner is received with the edges
      {two_dims(roll("v", "p", 0) + roll("p", "r", 1)), 15 * 4},
  };
  Dice random(1);
  for (const Known &known : all) {
    CAPTURE(known.text);
    const import::Imported imported = imported_text(known.text);
    const auto joined = planned(imported), apart = planned(imported, {.without = {"share_moves"}});
    CAPTURE(to_text(*joined));
    CHECK(spmd::find_statistics(*joined).bytes_received_max == known.bytes);
    CHECK(spmd::find_statistics(*joined).bytes_received_mean <=
          spmd::find_statistics(*apart).bytes_received_mean);
    const std::vector<kernels::ref::Array> inputs{random_array(
        imported.graph->type(imported.graph->result(imported.graph->arguments()[0])), -9, 9, random)};
    const auto got = run_on_devices(*joined, inputs), wanted = run_on_devices(*apart, inputs);
    CHECK(same_values(got[0], wanted[0]));
  }
}

} // namespace tw::test_unions
