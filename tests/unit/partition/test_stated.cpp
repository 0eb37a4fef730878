// SPDX-License-Identifier: Apache-2.0
// Layouts that a module states: what is stated stays where it stands, in its order; results are scattered
// into; sums that are left open on purpose are combined once; `explicit` takes what is stated, and refuses
// what is not.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/annotations.hpp"
#include "partition/calls.hpp"
#include "partition/policy.hpp"
#include "partition/spec.hpp"
#include "partition/target.hpp"
#include "report/tally.hpp"
#include "spmd/program.hpp"

namespace tw::test_stated {

using partition::Plan;
using partition::Policy;

namespace {

import::Imported read(std::string_view mesh, std::string_view signature, std::string_view body){
    auto imported = import::import_text(fmt::format("sdy.mesh @m = <[{}]>\nfunc.func @main{} {{\n{}\n}}",
                                                    mesh, signature, body));
REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
return std::move(*imported);
} // namespace

Plan empty_plan(const import::Imported &imported, Policy policy) {
  const auto mesh = partition::mesh_for(imported.annotations, std::nullopt);
  REQUIRE_MESSAGE(mesh.has_value(), mesh.error().message());
  Plan plan(imported.graph, *mesh);
  plan.set_policy(policy);
  return plan;
}

Plan plan_of(const import::Imported &imported, Policy policy, size_t notes = 0) {
  Plan plan = empty_plan(imported, policy);
  const auto stamp = plan.stamp();
  const Plan before = plan;
  const auto said = partition::apply_annotations(plan, imported.annotations);
  REQUIRE_MESSAGE(said.has_value(), said.error().message());
  CHECK(said->size() == notes);
  Plan undone = plan;
  undone.undo_to(stamp);
  CHECK(undone.same_state(before));
  return plan;
}

std::string argument(const Plan &plan, size_t index) {
  return sharding::to_text(plan.result_sharding(plan.graph().arguments()[index], 0), plan.mesh());
}
std::string result(const Plan &plan, size_t index) {
  return sharding::to_text(plan.operand_sharding(plan.graph().results()[index], 0), plan.mesh());
}
std::string made(const Plan &plan, std::string_view name) {
  const auto v = partition::find_value(plan.graph(), name);
  REQUIRE_MESSAGE(v.has_value(), name);
  const auto maker = plan.flow().maker(*v);
  return sharding::to_text(plan.result_sharding(maker.node, maker.index), plan.mesh());
}

struct Moved {
  double bytes;
  size_t all_reduces, reduce_scatters;
};
Moved moved(const Plan &plan) {
  const auto program = spmd::lower(plan);
  REQUIRE_MESSAGE(program.has_value(), program.error().message());
  return {find_statistics(**program).bytes_received_mean, *report::count_kind(**program, "all_reduce"),
          *report::count_kind(**program, "reduce_scatter")};
}

std::string refusal(const Plan &plan) {
  const Status status = partition::check_stated(plan, {});
  if (status)
    return "";
  CHECK(status.error().info().id == std::string_view("TW-430"));
  return status.error().message();
}

constexpr Policy kGuessing[] = {Policy::conservative, Policy::shardy};

constexpr const char *kArrays =
    R"((%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@m, [{}]>}}, %b: tensor<8x16xf32>
  {{sdy.sharding = #sdy.sharding<@m, [{}]>}}) -> (tensor<8x16xf32> {})";
constexpr const char *kAdd = "  %0 = stablehlo.add %a, %b : tensor<8x16xf32>\n  return %0 : tensor<8x16xf32>";

std::string arrays(std::string_view a, std::string_view b, std::string_view asked = "") {
  return fmt::format(fmt::runtime(kArrays), a, b,
                     asked.empty() ? ")" : fmt::format("{{sdy.sharding = #sdy.sharding<@m, [{}]>}})", asked));
}

// Two matrices and their product, in which all that is stated may be changed.
std::string matrices(std::string_view a, std::string_view b, std::string_view asked = "") {
  return fmt::format(
      "(%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@m, [{}]>}}, %b: tensor<16x8xf32> "
      "{{sdy.sharding = #sdy.sharding<@m, [{}]>}}) -> (tensor<8x8xf32>{}",
      a, b, asked.empty() ? ")" : fmt::format(" {{sdy.sharding = #sdy.sharding<@m, [{}]>}})", asked));
}
std::string product(std::string_view to, std::string_view of, std::string_view stated = "") {
  return fmt::format(
      "  {} = stablehlo.dot_general {}, %b, contracting_dims = [1] x [0] {}: (tensor<8x16xf32>, "
      "tensor<16x8xf32>) -> tensor<8x8xf32>\n",
      to, of,
      stated.empty() ? "" : fmt::format("{{sdy.sharding = #sdy.sharding_per_value<[<@m, {}>]>}} ", stated));
}
constexpr const char *kReturn = "  return %0 : tensor<8x8xf32>";

} // namespace tw::test_stated

TEST_CASE("axes lie in the order in which they are stated, though another operand is closed and whole") {
  const auto dot =
      read("\"a\"=2, \"b\"=2", matrices("{}, {}", "{}, {\"b\", \"a\"}"), product("%0", "%a") + kReturn);
  for (const Policy policy : {Policy::conservative, Policy::shardy, Policy::explicit_}) {
    const Plan plan = plan_of(dot, policy);
    CHECK(made(plan, "%0") == "[{}, {b,a}]");
    CHECK(moved(plan).bytes == 0);
    CHECK(refusal(plan) == "");
  }
  // Two parts of a program in two orders, whichever is written first: neither moves.
  const auto apart =
      read("\"a\"=2, \"b\"=2", arrays("{\"a\", \"b\"}, {}", "{\"b\", \"a\"}, {}"),
           "  %0 = stablehlo.tanh %a : tensor<8x16xf32>\n  %1 = stablehlo.tanh %b : tensor<8x16xf32>\n"
           "  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>\n"
           "  return %0 : tensor<8x16xf32>");
  const Plan both = plan_of(apart, Policy::conservative);
  CHECK(made(both, "%0") == "[{a,b}, {}]");
  CHECK(made(both, "%2") == "[{}, {b,a}]");
  // The major axis is heard last.
  const Plan late =
      plan_of(read("\"a\"=2, \"c\"=2", arrays("{\"c\", ?}p2, {?}", "{\"a\", ?}, {?}"),
                   "  %0 = stablehlo.add %a, %a : tensor<8x16xf32>\n  %1 = stablehlo.add %0, %b : "
                   "tensor<8x16xf32>\n  return %0 : tensor<8x16xf32>"),
              Policy::conservative);
  CHECK(argument(late, 0) == "[{c,a}, {}]");
  CHECK(made(late, "%0") == "[{c,a}, {}]");
  CHECK(argument(late, 1) == "[{a,c}, {}]");
  // Stated of a result alone.
  const Plan last =
      plan_of(read("\"a\"=2, \"b\"=2", arrays("{?}, {?}", "{?}, {?}", "{\"b\", \"a\"}, {}"), kAdd),
              Policy::conservative);
  CHECK(argument(last, 0) == "[{b,a}, {}]");
  CHECK(result(last, 0) == "[{b,a}, {}]");
  CHECK(moved(last).bytes == 0);
}

TEST_CASE("a sum is scattered into the layout that is stated of a result") {
  const char *gradient =
      "  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<64x16xf32>, "
      "tensor<64x32xf32>) -> tensor<16x32xf32>\n  return %0 : tensor<16x32xf32>";
  const auto stated = [&](std::string_view result) {
    return fmt::format(
        "(%x: tensor<64x16xf32> {{sdy.sharding = #sdy.sharding<@m, [{{\"x\"}}, {{}}]>}}, %g: "
        "tensor<64x32xf32> {{sdy.sharding = #sdy.sharding<@m, [{{\"x\"}}, {{}}]>}}) -> (tensor<16x32xf32> "
        "{{sdy.sharding = #sdy.sharding<@m, [{}]>}})",
        result);
  };
  for (const char *result_layout : {"{\"x\"}, {}", "{}, {\"x\"}", "{\"x\", ?}, {?}"})
    for (const Policy policy : kGuessing) {
      CAPTURE(result_layout);
      const Plan plan = plan_of(read("\"x\"=4", stated(result_layout), gradient), policy);
      CHECK(made(plan, "%0") == "[{}, {}] +x");
      CHECK(moved(plan).bytes == 1536);
      CHECK(moved(plan).reduce_scatters == 1);
    }
  // Where nothing else decides, a result does.
  const Plan alone =
      plan_of(read("\"x\"=4", matrices("{}, {}", "{}, {}", "{\"x\"}, {}"), product("%0", "%a") + kReturn),
              Policy::conservative);
  CHECK(made(alone, "%0") == "[{x}, {}]");
  CHECK(moved(alone).bytes == 0);
  // A lower priority of an argument comes after the result of a higher one.
  const Plan first =
      plan_of(read("\"x\"=4", arrays("{\"x\", ?}p1, {?}", "{?}, {?}", "{?}, {\"x\", ?}p0"), kAdd),
              Policy::conservative);
  CHECK(made(first, "%0") == "[{}, {x}]");
  CHECK(argument(first, 0) == "[{x}, {}]");
}

TEST_CASE("what a caller states stays where it stands") {
  for (const char *b : {"{\"a\", ?}, {?}", "{\"a\", ?}p1, {?}"})
    for (const Policy policy : kGuessing) {
      CAPTURE(b);
      const Plan plan = plan_of(read("\"a\"=2, \"c\"=2", arrays("{\"c\"}, {?}", b), kAdd), policy);
      CHECK(argument(plan, 0) == "[{c}, {}]");
      CHECK(argument(plan, 1) == "[{a,c}, {}]");
    }
  // Of a result, too; and a dimension of a lower priority, which nobody else may take.
  const Plan plan =
      plan_of(read("\"a\"=2, \"c\"=2", arrays("{\"c\", ?}, {?}", "{?}, {?}", "{\"a\", ?}p1, {?}"), kAdd),
              Policy::conservative);
  CHECK(result(plan, 0) == "[{a,c}, {}]");
  CHECK(argument(plan, 0) == "[{c,a}, {}]");
}

TEST_CASE("closed dimensions stay whole, whatever is said later or made") {
  // Of a result of which nothing else is said.
  for (const Policy policy : kGuessing) {
    const Plan plan =
        plan_of(read("\"a\"=2, \"c\"=2", arrays("{\"a\"}, {\"c\"}", "{?}, {?}", "{}, {?}"), kAdd), policy);
    CHECK(result(plan, 0) == "[{}, {c}]");
    CHECK(moved(plan).bytes == 128);
  }
  // Of an argument of which a constraint says something else, too.
  const auto again =
      read("\"a\"=2, \"c\"=2", arrays("{}, {\"a\", ?}", "{?}, {?}"),
           "  %1 = sdy.sharding_constraint %a <@m, [{\"c\"}, {?}]> : tensor<8x16xf32>\n" + std::string(kAdd));
  CHECK(argument(plan_of(again, Policy::conservative, 1), 0) == "[{}, {a}]");
}

TEST_CASE("sums that are left open on purpose are combined once") {
  const std::string two = "  %n = stablehlo.negate %a : tensor<8x16xf32>\n";
  const std::string add = "  %0 = stablehlo.add %p, %q : tensor<8x8xf32>\n";
  for (const char *stated : {"[{}, {}], unreduced={\"y\"}", "[{?}, {?}], unreduced={\"y\"}"})
    for (const Policy policy : kGuessing) {
      CAPTURE(stated);
      const Plan plan =
          plan_of(read("\"x\"=2, \"y\"=2", matrices("{}, {\"y\"}", "{\"y\"}, {}"),
                       two + product("%p", "%a", stated) + product("%q", "%n", stated) + add + kReturn),
                  policy);
      CHECK(moved(plan).bytes == 256);
      CHECK(moved(plan).all_reduces == 1);
    }
  // As constraints, and of the sum of both as well; closed dimensions take no axis from elsewhere.
  const std::string held =
      "  %{0}h = sdy.sharding_constraint %{0} <@m, [{{}}, {{}}], unreduced={{\"y\"}}> : tensor<8x8xf32>\n";
  const auto constrained =
      read("\"x\"=2, \"y\"=2", matrices("{}, {\"y\"}", "{\"y\"}, {}"),
           two + product("%p", "%a") + fmt::format(fmt::runtime(held), "p") + product("%q", "%n") +
               fmt::format(fmt::runtime(held), "q") + "  %r = stablehlo.add %ph, %qh : tensor<8x8xf32>\n" +
               fmt::format(fmt::runtime(held), "r") +
               "  %0 = sdy.sharding_constraint %rh <@m, [{}, {}]> : tensor<8x8xf32>\n" + kReturn);
  const Plan plan = plan_of(constrained, Policy::explicit_);
  CHECK(refusal(plan) == "");
  CHECK(moved(plan).all_reduces == 1);
  CHECK(result(plan, 0) == "[{}, {}]");
}

TEST_CASE("explicit refuses what works on the parts of an open sum") {
  const auto through = [](const std::string &op, std::string_view stated) {
    return plan_of(read("\"x\"=2, \"y\"=2", matrices("{}, {\"y\"}", "{\"y\"}, {}"),
                        product("%p", "%a", stated) + "  %0 = " + op + " : tensor<8x8xf32>\n" + kReturn),
                   Policy::explicit_);
  };
  for (const char *stated : {"[{}, {}], unreduced={\"y\"}", "[{?}, {?}], unreduced={\"y\"}"}) {
    CHECK(refusal(through("stablehlo.tanh %p", stated))
              .find("left in partial values over 'y', and %0 stablehlo.tanh") != std::string::npos);
    CHECK(refusal(through("stablehlo.multiply %p, %p", stated)) != "");
    CHECK(refusal(through("stablehlo.add %p, %p", stated)).find("nobody") == std::string::npos);
    CHECK(refusal(through("sdy.sharding_constraint %p <@m, [{}, {}]>", stated)) == "");
    CHECK(refusal(through("sdy.sharding_constraint %p <@m, [{\"y\"}, {}]>", stated)) == "");
  }
}

TEST_CASE("explicit takes what is stated") {
  // Both arguments are cut in rows, and so is the product: one of them is gathered, as the product says.
  const std::string stated = "[{\"x\"}, {}]",
                    held = "  %0 = sdy.sharding_constraint %p <@m, [{\"x\"}, {}]> : tensor<8x8xf32>\n";
  for (const std::string &body :
       {product("%0", "%a", stated) + kReturn, product("%p", "%a") + held + kReturn}) {
    const Plan plan =
        plan_of(read("\"x\"=4", matrices("{\"x\"}, {}", "{\"x\"}, {}"), body), Policy::explicit_);
    CHECK(refusal(plan) == "");
    CHECK(result(plan, 0) == "[{x}, {}]");
    CHECK(moved(plan).bytes == 384); // three quarters of the right matrix
  }
  const Plan whole = plan_of(
      read("\"x\"=4", matrices("{\"x\"}, {}", "{\"x\"}, {}"), product("%0", "%a", "[{}, {}]") + kReturn),
      Policy::explicit_);
  CHECK(refusal(whole) == "");
  CHECK(result(whole, 0) == "[{}, {}]");
  const Plan unsaid =
      plan_of(read("\"x\"=4", matrices("{\"x\"}, {}", "{\"x\"}, {}"), product("%0", "%a") + kReturn),
              Policy::explicit_);
  CHECK(refusal(unsaid).find("state the layout that is wanted") != std::string::npos);
}

TEST_CASE("explicit lets a whole array be cut, which moves nothing") {
  const Plan plan = plan_of(read("\"x\"=4", arrays("{\"x\"}, {}", "{}, {}"), kAdd), Policy::explicit_);
  CHECK(refusal(plan) == "");
  CHECK(moved(plan).bytes == 0);
  CHECK(refusal(plan_of(read("\"x\"=4", arrays("{\"x\"}, {}", "{}, {\"x\"}"), kAdd), Policy::explicit_)) !=
        "");
}

TEST_CASE("what explicit suggests, it takes") {
  const char *signature =
      "(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\", \"y\"}]>}) -> tensor<3x4xf32>";
  const auto reshape = [](std::string_view stated) {
    return fmt::format(
        "  %0 = stablehlo.reshape %a {}: (tensor<12xf32>) -> tensor<3x4xf32>\n  return %0 : tensor<3x4xf32>",
        stated);
  };
  const Plan stated =
      plan_of(read("\"x\"=2, \"y\"=2", signature,
                   reshape("{sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {\"x\", \"y\"}]>]>} ")),
              Policy::explicit_);
  CHECK(refusal(stated) == "");
  CHECK(result(stated, 0) == "[{}, {x,y}]");

  const auto bare = read("\"x\"=2, \"y\"=2", signature, reshape(""));
  const std::string advice = refusal(plan_of(bare, Policy::explicit_));
  const size_t at = advice.find("shard(");
  REQUIRE(at != std::string::npos);
  Plan advised = plan_of(bare, Policy::explicit_);
  const Status taken = partition::apply_spec(advised, advice.substr(at) + "; propagate", "spec.txt");
  REQUIRE_MESSAGE(taken.has_value(), taken.error().message());
  CHECK(refusal(advised) == "");
}

TEST_CASE("members of a group that are stated in layouts that do not agree are an error that names both") {
  const auto group = [](std::string_view a, std::string_view b) {
    const auto imported = read("\"x\"=2, \"y\"=2", arrays(a, b),
                               "  sdy.sharding_group %a group_id=3 : tensor<8x16xf32>\n"
                               "  sdy.sharding_group %b group_id=3 : tensor<8x16xf32>\n" +
                                   std::string(kAdd));
    Plan plan = empty_plan(imported, Policy::conservative);
    const auto notes = partition::apply_annotations(plan, imported.annotations);
    if (notes)
      return argument(plan, 0) == argument(plan, 1) ? argument(plan, 0) : "differ";
    CHECK(notes.error().info().id == std::string_view("TW-412"));
    CHECK(notes.error().info().pos.line == 2);
    return notes.error().message();
  };
  const std::string error = group("{\"x\"}, {}", "{}, {\"x\"}");
  CHECK(error.find("argument 'a' f32[8,16] and argument 'b' f32[8,16] are members of one sharding group") ==
        0);
  CHECK(error.find("[{\"x\"}, {}]") != std::string::npos);
  CHECK(error.find("[{}, {\"x\"}]") != std::string::npos);
  for (const char *other : {"{\"y\", ?}, {?}", "{}, {}", "{?}, {\"x\", ?}"})
    CHECK(group("{\"x\", ?}, {?}", other).find("argument 'a'") == 0);
  CHECK(group("{\"x\", ?}, {?}", "{\"x\", \"y\"}, {?}") == "[{x,y}, {}]");
  CHECK(group("{\"x\", ?}, {?}", "{?}, {\"y\", ?}") == "[{x}, {y}]");
}

} // namespace tw::test_stated
