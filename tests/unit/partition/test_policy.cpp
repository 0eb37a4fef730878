// SPDX-License-Identifier: Apache-2.0
// Policies: what the same program under the same actions becomes where PartIR's rules leave a choice.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/calls.hpp"
#include "partition/conflicts.hpp"
#include "partition/policy.hpp"
#include "partition/spec.hpp"
#include "support/unit.hpp"

namespace tw::test_policy {

using partition::Plan;
using partition::Policy;

namespace {

Plan plan_of(std::string_view arguments, std::string_view body, Policy policy, std::string_view spec) {
  import::ImportOptions options;
  options.file = "test.loops";
  auto imported = import::import_text(fmt::format("func @main({}) {{\n{}\n}}\n", arguments, body), options);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  Plan plan(imported->graph, *sharding::Mesh::parse("a=2,b=2"));
  plan.set_policy(policy);
  const Status status = partition::apply_spec(plan, spec, "spec.txt");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  return plan;
}

std::string layout(const Plan &plan, std::string_view name) {
  const auto v = partition::find_value(plan.graph(), name);
  REQUIRE_MESSAGE(v.has_value(), name);
  const auto maker = plan.flow().maker(*v);
  return sharding::to_text(plan.result_sharding(maker.node, maker.index), plan.mesh());
}

std::string refusal(const Plan &plan) {
  const Status status = partition::check_stated(plan, {});
  if (status)
    return "";
  CHECK(status.error().info().id == std::string_view("TW-430"));
  CHECK(status.error().info().pos.line > 0);
  return status.error().message();
}

constexpr const char *kProduct = "  %0 = matmul(%x, %w)\n  return %0";

} // namespace

TEST_CASE("of two ways, shardy takes that of the larger array") {
  for (const bool x_is_larger : {true, false}) {
    const std::string arguments = fmt::format("%x: tensor<{}x16xf32>, %w: tensor<16x{}xf32>",
                                              x_is_larger ? 64 : 8, x_is_larger ? 8 : 64);
    const char *spec = "tile(arg=x, dim=0, axis=a); tile(arg=w, dim=1, axis=a); propagate";
    const Plan seeds = plan_of(arguments, kProduct, Policy::conservative, spec);
    CHECK(layout(seeds, "%0") == "[{}, {}]");
    CHECK(partition::real_conflicts(seeds).size() == 1);
    const Plan shardy = plan_of(arguments, kProduct, Policy::shardy, spec);
    CHECK(layout(shardy, "%0") == (x_is_larger ? "[{a}, {}]" : "[{}, {a}]"));
    CHECK(partition::real_conflicts(shardy).empty());
    CHECK(shardy.conflicts().size() == 1); // met, and decided
  }
  // Equally large ones: the first operand's.
  const Plan equal = plan_of("%x: tensor<8x8xf32>, %y: tensor<8x8xf32>",
                             "  %0 = stablehlo.add %x, %y : tensor<8x8xf32>\n  return %0", Policy::shardy,
                             "tile(arg=x, dim=1, axis=a); tile(arg=y, dim=0, axis=a); propagate");
  CHECK(layout(equal, "%0") == "[{}, {a}]");
}

TEST_CASE("under shardy, what passes a sharding on goes before products, and sums before nothing") {
  const char *arguments = "%x: tensor<8x4xf32>, %w: tensor<4x8xf32>, %b: tensor<8x8xf32>";
  const char *body = "  %0 = matmul(%x, %w)\n  %1 = stablehlo.add %0, %b : tensor<8x8xf32>\n  return %1";
  const char *spec = "tile(arg=x, dim=0, axis=a); tile(arg=b, dim=1, axis=a); propagate";
  const Plan seeds = plan_of(arguments, body, Policy::conservative, spec);
  CHECK(layout(seeds, "%0") == "[{a}, {}]"); // each goes with its argument
  CHECK(layout(seeds, "%1") == "[{}, {a}]");
  const Plan shardy = plan_of(arguments, body, Policy::shardy, spec);
  CHECK(layout(shardy, "%1") == "[{}, {a}]"); // the sum of arrays first
  CHECK(layout(shardy, "%0") == "[{}, {a}]"); // then the product: its result is larger than x
  // One tiled operand forms a sum, whichever line propagates; and the other operand follows.
  const Plan sum = plan_of("%x: tensor<8x4xf32>, %w: tensor<4x8xf32>", kProduct, Policy::shardy,
                           "tile(arg=x, dim=1, axis=a); propagate");
  CHECK(layout(sum, "%0") == "[{}, {}] +a");
  CHECK(layout(sum, "w") == "[{a}, {}]");
}

TEST_CASE("explicit goes forward only and wants the rest stated") {
  const char *arguments = "%x: tensor<8x4xf32>, %w: tensor<4x8xf32>";
  const Plan forward =
      plan_of(arguments, kProduct, Policy::explicit_, "tile(arg=x, dim=0, axis=a); infer-propagate");
  CHECK(layout(forward, "%0") == "[{a}, {}]");
  CHECK(refusal(forward) == "");
  const Plan backward =
      plan_of(arguments, kProduct, Policy::explicit_, "tile(value=%0, dim=0, axis=a); infer-propagate");
  CHECK(layout(backward, "x") == "[{}, {}]"); // it stays, and the product is cut where it is said
  CHECK(refusal(backward) == "");

  const Plan tie = plan_of(arguments, kProduct, Policy::explicit_,
                           "tile(arg=x, dim=0, axis=a); tile(arg=w, dim=1, axis=a); propagate");
  CHECK(refusal(tie).find("state the layout that is wanted") != std::string::npos);
  const Plan half = plan_of(arguments, kProduct, Policy::explicit_, "tile(arg=x, dim=1, axis=a); propagate");
  CHECK(refusal(half) != "");

  const std::string both = "tile(arg=x, dim=1, axis=a); tile(arg=w, dim=0, axis=a); ";
  const Plan partial = plan_of(arguments, kProduct, Policy::explicit_, both + "propagate");
  CHECK(layout(partial, "%0") == "[{}, {}] +a");
  CHECK(refusal(partial).find("left in partial values over 'a'") != std::string::npos);
  CHECK(refusal(plan_of(arguments, kProduct, Policy::explicit_,
                        both + "atomic(value=%0, axis=a); propagate")) == "");
  CHECK(refusal(plan_of(arguments, kProduct, Policy::explicit_,
                        both + "tile(value=%0, dim=0, axis=a); propagate")) == "");

  // A move that nobody stated, and the same one stated.
  const char *body = "  %0 = stablehlo.tanh %x : tensor<8x4xf32>\n  %1 = matmul(%0, %w)\n  return %1";
  const std::string moves = "tile(arg=x, dim=1, axis=a); tile(arg=w, dim=1, axis=a); ";
  const Plan implied = plan_of(arguments, body, Policy::explicit_, moves + "propagate");
  CHECK(refusal(implied) != "");
  CHECK(refusal(plan_of(arguments, body, Policy::explicit_,
                        moves + "shard(value=%0, [{}, {}]); propagate")) == "");
}

TEST_CASE("names of policies") {
  CHECK(*partition::parse_policy("shardy") == Policy::shardy);
  CHECK(partition::parse_policy("gspmd").error().info().id == std::string_view("TW-431"));
}

} // namespace tw::test_policy
