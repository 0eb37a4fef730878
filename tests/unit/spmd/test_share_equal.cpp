// SPDX-License-Identifier: Apache-2.0
// Moves of equal values are one: known programs, and random ones with ops and expressions twice, which give
// the same and receive no more.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "partition/spec.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "unit/import/planned_text.hpp"
#include "unit/spmd/leaner.hpp"

namespace tw::test_share_equal {

using namespace tw::test;

namespace {

const spmd::Options kPlain{.without = {"share_equal"}};

struct Known {
  std::string body;
  int64_t bytes, before; // of the busiest device
};

// %x is tiled over four devices; results %r and %s are wanted whole.
std::string program(const std::string &body) {
  const std::string type = "tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}";
  return fmt::format("sdy.mesh @m = <[\"a\"=4]>\n"
                     "func.func @main(%x: tensor<16x4xf32> {{sdy.sharding = #sdy.sharding<@m, [{{\"a\"}}, "
                     "{{}}]>}}) -> ({0}, {0}) {{\n{1}  return %r, %s : tensor<16x4xf32>, "
                     "tensor<16x4xf32>\n}}\n",
                     type, body);
}

std::string op(const char *result, const char *name, const char *of) {
  return fmt::format("  %{} = stablehlo.{} {} : tensor<16x4xf32>\n", result, name, of);
}

std::string whole(const char *result, const char *of) {
  return fmt::format("  %{} = sdy.sharding_constraint %{} <@m, [{{}}, {{}}]> : tensor<16x4xf32>\n", result,
                     of);
}

std::vector<Known> known_programs() {
  constexpr int64_t kAll = 16 * 4 * 4 * 3 / 4;
  const std::string zero = "  %c = stablehlo.constant dense<2.0> : tensor<f32>\n"
                           "  %z = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> "
                           "tensor<16x4xf32>\n";
  return {
      // equal wishes
      {op("y", "sine", "%x") + whole("p", "y") + whole("q", "y") + op("r", "negate", "%p") +
           op("s", "cosine", "%q"),
       kAll, 2 * kAll},
      // equal expressions
      {op("r", "sine", "%x") + op("s", "sine", "%x"), kAll, 2 * kAll},
      {op("u", "sine", "%x") + op("v", "sine", "%x") + op("r", "add", "%u, %x") + op("s", "add", "%v, %x"),
       kAll, 2 * kAll},
      // what is made of what is there
      {op("y", "sine", "%x") + whole("p", "y") + op("r", "negate", "%p") + zero + op("s", "add", "%y, %z"),
       kAll, 2 * kAll},
      // what iotas decide
      {"  %i = stablehlo.iota dim = 0 : tensor<16xf32>\n"
       "  %j = stablehlo.sine %i : tensor<16xf32>\n"
       "  %s = stablehlo.broadcast_in_dim %j, dims = [0] : (tensor<16xf32>) -> tensor<16x4xf32>\n" +
           op("r", "add", "%x, %s"),
       kAll, 2 * kAll},
      // an op that changes nothing
      {op("y", "sine", "%x") + whole("r", "y") +
           "  %s = stablehlo.reshape %y : (tensor<16x4xf32>) -> tensor<16x4xf32>\n",
       kAll, 2 * kAll},
      // values that differ
      {op("r", "sine", "%x") + op("s", "cosine", "%x"), 2 * kAll, 2 * kAll},
      // a barrier keeps them apart
      {op("r", "sine", "%x") + op("h", "optimization_barrier", "%x") + op("s", "sine", "%h"), 2 * kAll,
       2 * kAll},
  };
}

} // namespace

TEST_CASE("known programs move equal values once") {
  Dice random(1);
  for (const Known &known : known_programs()) {
    CAPTURE(known.body);
    const import::Imported imported = imported_text(program(known.body));
    const auto shared = planned(imported), plain = planned(imported, kPlain);
    CAPTURE(to_text(*shared));
    CHECK(spmd::find_statistics(*shared).bytes_received_max == known.bytes);
    CHECK(spmd::find_statistics(*plain).bytes_received_max == known.before);
    const std::vector<kernels::ref::Array> inputs{random_array(
        imported.graph->type(imported.graph->result(imported.graph->arguments()[0])), -9, 9, random)};
    const auto got = run_on_devices(*shared, inputs), wanted = run_on_devices(*plain, inputs);
    for (size_t i = 0; i < wanted.size(); ++i)
      CHECK(same_values(got[i], wanted[i]));
  }
}

TEST_CASE("without share_moves, and where arguments are gathered for each use, nothing is shared") {
  const import::Imported imported = imported_text(
      program(whole("p", "x") + whole("q", "x") + op("r", "sine", "%p") + op("s", "cosine", "%q")));
  const auto bytes = [&](const spmd::Options &options) {
    return spmd::find_statistics(*planned(imported, options)).bytes_received_max;
  };
  CHECK(bytes({}) == 192);
  CHECK(bytes({.without = {"share_moves"}}) == 384);
  CHECK(bytes({.gather_per_use = true}) == 384);
}

TEST_CASE("random programs give the same and receive no more") { CHECK(count_leaner(kPlain) > 5); }

} // namespace tw::test_share_equal
