// SPDX-License-Identifier: Apache-2.0
// Where decided neighbours do not agree: found with both ways and their actions, told once, and at nobody who
// agrees.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/import.hpp"
#include "partition/conflicts.hpp"
#include "partition/disagreements.hpp"
#include "partition/spec.hpp"

namespace tw::test_disagreements {

using partition::Conflict;
using partition::Plan;

namespace {

Plan plan_of(const std::shared_ptr<const graph::Graph> &graph, std::string_view spec) {
  Plan plan(graph, *sharding::Mesh::parse("a=2,b=2"));
  const Status status = partition::apply_spec(plan, spec, "spec.txt");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  return plan;
}

std::shared_ptr<const graph::Graph> read(std::string_view arguments, std::string_view body) {
  import::ImportOptions options;
  options.file = "test.loops";
  auto imported = import::import_text(fmt::format("func @main({}) {{\n{}\n}}\n", arguments, body), options);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  return imported->graph;
}

std::vector<std::string> told(Plan plan) {
  std::vector<std::string> all;
  for (const partition::Disagreement &c : partition::disagreements(plan)) {
    std::vector<std::string> ways;
    for (size_t i = 0; i < c.candidates.size(); ++i) {
      const auto *from = plan.entry(c.candidates[i].source, c.axis);
      ways.push_back(
          fmt::format("{} by {}", partition::candidate_text(plan, c, c.orders, i),
                      from == nullptr ? std::string("nobody") : plan.actions()[from->action].text));
    }
    all.push_back(fmt::format("{}: {}", partition::name(c.kind), fmt::join(ways, " or ")));
  }
  return all;
}

} // namespace

TEST_CASE("a later action tiles another dimension") {
  const auto graph = read("%x: tensor<8x8xf32>, %y: tensor<8x8xf32>",
                          "  %0 = stablehlo.tanh %x : tensor<8x8xf32>\n"
                          "  %1 = stablehlo.add %0, %y : tensor<8x8xf32>\n  return %1");
  const Plan agree = plan_of(graph, "tile(arg=x, dim=0, axis=a); propagate");
  CHECK(told(agree).empty());
  // The second action comes too late for what the first has decided: its argument alone is tiled.
  const Plan late = plan_of(
      graph, "tile(arg=x, dim=0, axis=a); tile(arg=y, dim=1, axis=a); rule(op=%1, \"add-tile-0\", axis=a)");
  CHECK(told(late) ==
        std::vector<std::string>{"mismatch: tile 0 by rule(op=%1, \"add-tile-0\", axis=a) or tile 1 by "
                                 "tile(arg=y, dim=1, axis=a)"});
  // Kept whole on purpose: nobody disagrees.
  CHECK(told(plan_of(graph, "tile(arg=x, dim=0, axis=a); atomic(value=%0, axis=a); propagate")).empty());
}

TEST_CASE("the same axes in another order") {
  const auto graph = read("%x: tensor<8x8xf32>, %y: tensor<8x8xf32>",
                          "  %0 = stablehlo.tanh %x : tensor<8x8xf32>\n"
                          "  %1 = stablehlo.add %0, %y : tensor<8x8xf32>\n  return %1");
  const char *const kSame = "tile(arg=x, dim=0, axis=a); tile(arg=x, dim=0, axis=b); infer-propagate";
  CHECK(told(plan_of(graph, kSame)).empty());
  CHECK(told(plan_of(graph, "shard(arg=x, [{a,b},{}]); shard(arg=y, [{b,a},{}]); infer-propagate")) ==
        std::vector<std::string>{"mismatch: tile 0 {b,a} by shard(arg=y, [{b,a},{}]) or tile 0 {a,b} by "
                                 "shard(arg=x, [{a,b},{}])"});
  // Two that read agree with each other, and not with the value that both read.
  const auto twice = read("%x: tensor<8x8xf32>, %y: tensor<8x8xf32>",
                          "  %0 = stablehlo.add %x, %y : tensor<8x8xf32>\n"
                          "  %1 = stablehlo.subtract %y, %x : tensor<8x8xf32>\n  return %0, %1");
  CHECK(told(plan_of(twice, "shard(arg=x, [{b,a},{}]); shard(arg=y, [{a,b},{}]); infer-propagate")).size() ==
        2);
  // Axes of other dimensions are in nobody's way; those that only one of the two has stay where they are.
  CHECK(told(plan_of(graph, "shard(arg=x, [{a},{b}]); shard(arg=y, [{a},{b}]); infer-propagate")).empty());
}

TEST_CASE("a contraction whose operands have its axes in two orders") {
  const auto graph = read("%x: tensor<8x8xf32>, %w: tensor<8x8xf32>", "  %0 = matmul(%x, %w)\n  return %0");
  const auto all =
      told(plan_of(graph, "shard(arg=x, [{},{a,b}]); shard(arg=w, [{b,a},{}]); infer-propagate"));
  REQUIRE(all.size() == 1);
  CHECK(all[0].starts_with("mismatch: sum {"));
}

TEST_CASE("what must stay whole") {
  const auto graph =
      read("%x: tensor<8x8xf32>",
           "  %0 = \"stablehlo.cholesky\"(%x) {lower = true} : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
           "  return %0");
  const Plan plan = plan_of(graph, "tile(arg=x, dim=0, axis=a); propagate");
  const auto all = told(plan);
  REQUIRE(all.size() == 1);
  CHECK(all[0].starts_with("illegal: whole by nobody or "));
  CHECK(all[0].ends_with("by tile(arg=x, dim=0, axis=a)"));
}

TEST_CASE("every edge whose layouts differ by a tile is told, and no other") {
  const auto graph = read("%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %w: tensor<8x8xf32>",
                          "  %0 = matmul(%x, %w)\n  %1 = stablehlo.add %0, %y : tensor<8x8xf32>\n"
                          "  %2 = matmul(%1, %w)\n  return %2");
  const char *const rules[] = {"tile-0", "tile-1", "sum"};
  for (const char *first : rules)
    for (const char *second : rules)
      for (const char *sum : {"tile-0", "tile-1"}) {
        CAPTURE(first);
        CAPTURE(second);
        CAPTURE(sum);
        Plan plan =
            plan_of(graph, fmt::format("rule(op=%0, \"matmul-{}\", axis=a); rule(op=%1, \"add-{}\", axis=a); "
                                       "rule(op=%2, \"matmul-{}\", axis=a)",
                                       first, sum, second));
        const std::string_view one = first, two = sum, three = second;
        const bool before = one != "sum" && one != two; // a sum is combined as it is wanted
        const bool after = !(three == "tile-0" && two == "tile-0") && !(three == "sum" && two == "tile-1");
        size_t mismatches = 0;
        for (const Conflict &c : partition::disagreements(plan))
          mismatches += c.kind == Conflict::Kind::mismatch;
        CHECK(mismatches == size_t{before} + size_t{after});
      }
}

} // namespace tw::test_disagreements
