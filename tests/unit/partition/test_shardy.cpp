// SPDX-License-Identifier: Apache-2.0
// What Shardy's ops and attributes make a plan do: groups, barriers, unreduced axes, rules of single ops,
// constraints without users, explicit collectives, edges of loops.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/annotations.hpp"
#include "partition/calls.hpp"
#include "partition/conflicts.hpp"
#include "partition/target.hpp"
#include "support/unit.hpp"

namespace tw::test_shardy {

using partition::Plan;

namespace {

// A module of this function, planned on its own mesh.
struct Planned {
  std::shared_ptr<Plan> plan;
  std::vector<std::string> notes;

  // Of an argument or value by its name, as its users get it.
  std::string operator[](std::string_view name) const {
    const auto id = partition::find_value(plan->graph(), name);
    REQUIRE_MESSAGE(id.has_value(), id.error().message());
    const auto node = plan->source(*id);
    return sharding::to_text(
        plan->result_sharding(node, plan->is_pin(node) ? 0 : plan->flow().maker(*id).index), plan->mesh());
  }
  // As it is made.
  std::string made(std::string_view name) const {
    const auto id = partition::find_value(plan->graph(), name);
    REQUIRE_MESSAGE(id.has_value(), id.error().message());
    const auto maker = plan->flow().maker(*id);
    return sharding::to_text(plan->result_sharding(maker.node, maker.index), plan->mesh());
  }
};

Planned plan_of(std::string_view arguments, std::string_view body) {
  const std::string text = fmt::format(
      "sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\nfunc.func @main({}) {{\n{}\n  return\n}}", arguments, body);
  auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  auto mesh = partition::mesh_for(imported->annotations, std::nullopt);
  REQUIRE_MESSAGE(mesh.has_value(), mesh.error().message());
  Planned planned{std::make_shared<Plan>(imported->graph, *mesh), {}};
  const auto stamp = planned.plan->stamp();
  const Plan before = *planned.plan;
  auto notes = partition::apply_annotations(*planned.plan, imported->annotations);
  REQUIRE_MESSAGE(notes.has_value(), notes.error().message());
  planned.notes = *notes;
  Plan undone = *planned.plan;
  undone.undo_to(stamp);
  CHECK(undone.same_state(before));
  return planned;
}

std::string refusal(std::string_view body) {
  const auto imported = import::import_text(fmt::format(
      "sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\nfunc.func @main(%a: tensor<8x16xf32>, %b: tensor<4xf32>) "
      "{{\n{}\n  return\n}}",
      body));
  REQUIRE(!imported.has_value());
  CHECK(imported.error().info().pos.line == 3);
  return imported.error().message();
}

constexpr std::string_view kTwo = "%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\", ?}, "
                                  "{?}]>}, %b: tensor<8x16xf32> {sdy.sharding "
                                  "= #sdy.sharding<@m, [{?}, {\"y\", ?}]>}";
constexpr std::string_view kOne =
    "%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\", ?}, {\"y\", ?}]>}, %b: tensor<8x16xf32>";

} // namespace

TEST_CASE("members of a group are sharded alike, though no data flows between them") {
  const Planned p = plan_of(kOne, R"(
  %0 = stablehlo.tanh %b : tensor<8x16xf32>
  %1 = stablehlo.iota dim = 0 : tensor<8x16xi32>
  %2 = stablehlo.multiply %1, %1 : tensor<8x16xi32>
  sdy.sharding_group %a group_id=21 : tensor<8x16xf32>
  "sdy.sharding_group"(%0) <{group_id = 21 : i64}> : (tensor<8x16xf32>) -> ()
  sdy.sharding_group %1 group_id=21 : tensor<8x16xi32>)");
  CHECK(p["%0"] == "[{x}, {y}]");
  CHECK(p["b"] == "[{x}, {y}]");
  REQUIRE(p.notes.size() == 1);
  CHECK(p.notes[0] ==
        "<text>:9: a member of sharding group 21 is left out: a constant is made anew wherever it "
        "is used");
  // Two groups that share a member are one, and a closed member closes all.
  const Planned q = plan_of(
      "%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>}, %b: tensor<8x16xf32>, %c: "
      "tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {\"y\", ?}]>}",
      R"(
  %0 = stablehlo.tanh %b : tensor<8x16xf32>
  %1 = stablehlo.add %0, %c : tensor<8x16xf32>
  sdy.sharding_group %a group_id=1 : tensor<8x16xf32>
  sdy.sharding_group %b group_id=1 : tensor<8x16xf32>
  sdy.sharding_group %b group_id=2 : tensor<8x16xf32>
  sdy.sharding_group %0 group_id=2 : tensor<8x16xf32>)");
  CHECK(q["a"] == "[{x}, {}]");
  CHECK(q["b"] == "[{x}, {}]");
  CHECK(q["%0"] == "[{x}, {}]");
  CHECK(q["%1"] == "[{x}, {y}]");
  CHECK(refusal("  sdy.sharding_group %a group_id=1 : tensor<8x16xf32> sdy.sharding_group %b group_id=1 : "
                "tensor<4xf32>") ==
        "tensor<4xf32> joins sharding group 1, whose members are tensor<8x16xf32>");
}

TEST_CASE("GSPMD's shard_as is a group") {
  const auto planned = [](std::string_view other) {
    const auto imported = import::import_text(fmt::format(
        "func.func @main(%a: tensor<8x16xf32> {{mhlo.sharding = \"{{devices=[2,1,4]<=[8] "
        "last_tile_dim_replicate "
        "shard_as 4}}\"}}, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {{ %0 = stablehlo.custom_call "
        "@Sharding(%b) "
        "{{mhlo.sharding = \"{{unknown {} 4}}\"}} : (tensor<8x16xf32>) -> tensor<8x16xf32> return %0 : "
        "tensor<8x16xf32> }}",
        other));
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    Plan plan(imported->graph, *partition::mesh_for(imported->annotations, std::nullopt));
    REQUIRE(partition::apply_annotations(plan, imported->annotations).has_value());
    return sharding::to_text(plan.result_sharding(plan.graph().arguments()[1], 0), plan.mesh());
  };
  CHECK(planned("shard_as") == "[{axis0}, {}]");
  CHECK(planned("shard_like") == "[{}, {}]"); // a group of its own
}

TEST_CASE("a barrier lets layouts pass in its direction alone") {
  const auto through = [](std::string_view direction) {
    return plan_of(kTwo, fmt::format(R"(
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction={} : tensor<8x16xf32>
  %2 = stablehlo.add %1, %b : tensor<8x16xf32>)",
                                     direction));
  };
  const auto seen = [](const Planned &p) { return p["a"] + " " + p["%1"] + " " + p["b"]; };
  CHECK(seen(through("FORWARD")) == "[{x}, {}] [{x}, {y}] [{x}, {y}]");
  CHECK(seen(through("BACKWARD")) == "[{x}, {y}] [{}, {y}] [{}, {y}]");
  CHECK(seen(through("NONE")) == "[{x}, {}] [{}, {y}] [{}, {y}]");
  const Planned generic = plan_of(kTwo, R"(
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = "sdy.propagation_barrier"(%0) <{allowed_direction = #sdy<propagation_direction NONE>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %1, %b : tensor<8x16xf32>)");
  CHECK(seen(generic) == "[{x}, {}] [{}, {y}] [{}, {y}]");
  CHECK(refusal("  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x16xf32>") ==
        "sdy.propagation_barrier: allowed_direction is BOTH, and NONE, FORWARD or BACKWARD is expected");
}

TEST_CASE("unreduced axes split the sum that makes a value") {
  constexpr std::string_view kMatrices = "%a: tensor<8x16xf32>, %b: tensor<16x8xf32>";
  const Planned stated = plan_of(kMatrices, R"(
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}], unreduced={"x"}>]>} : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>)");
  CHECK(stated.made("%0") == "[{}, {}] +x");
  CHECK(stated["a"] == "[{}, {x}]");
  CHECK(stated["b"] == "[{x}, {}]");
  const Planned reduced = plan_of(kMatrices, R"(
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reduce_scatter [{"y"}, {}] %0 out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>)");
  CHECK(reduced.made("%0") == "[{}, {}] +x +y");
  CHECK(reduced["%1"] == "[{y}, {}]");
  CHECK(reduced["%2"] == "[{y}, {}]");
  CHECK(reduced.notes.empty());
  const Planned no_sum = plan_of(kOne, R"(
  %0 = stablehlo.tanh %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}], unreduced={"x"}>]>} : tensor<8x16xf32>)");
  CHECK(no_sum["%0"] == "[{y}, {}]");
  REQUIRE(no_sum.notes.size() == 1);
  CHECK(no_sum.notes[0] ==
        "<text>:4: the unreduced axis 'x' of sharding <@m, [{\"y\"}, {}], unreduced={\"x\"}> is left "
        "out: what makes the value is no sum");
}

TEST_CASE("explicit collectives say how their result is held") {
  const Planned p =
      plan_of("%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\", \"y\"}, {}]>}", R"(
  %0 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@m, [{"x"}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<16x8xf32>
  %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@m, [{}, {"y", "x"}]> : tensor<16x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {"x", "y"}]> : tensor<16x8xf32>
  %4 = "sdy.all_gather"(%3) <{gathering_axes = #sdy<list_of_axis_ref_lists[{}, {"y"}]>, out_sharding = #sdy.sharding<@m, [{}, {"x"}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %5 = sdy.reshard %4 <@m, [{"y":(2)2}, {"x"}]> : tensor<16x8xf32>
  %6 = sdy.sharded_to_unreduced [{}, {"x"}] %5 out_sharding=<@m, [{"y":(2)2}, {}], unreduced={"x"}> : tensor<16x8xf32>
  %7 = sdy.all_to_all {"y":(2)2} 0->1 %6 out_sharding=<@m, [{}, {"y":(2)2}]> : tensor<16x8xf32>
  %8 = stablehlo.tanh %7 : tensor<16x8xf32>)");
  const std::string expected[] = {"[{x}, {}]", "[{x}, {y}]",      "[{}, {y,x}]",    "[{}, {x,y}]",
                                  "[{}, {x}]", "[{y:(2)2}, {x}]", "[{y:(2)2}, {}]", "[{}, {y:(2)2}]"};
  for (size_t i = 0; i < std::size(expected); ++i)
    CHECK(p["%" + std::to_string(i)] == expected[i]);
  CHECK(partition::real_conflicts(*p.plan).empty());
}

TEST_CASE("a constraint that nobody uses is about its operand, another one about its users") {
  const Planned alone = plan_of("%a: tensor<8x16xf32>", R"(
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"x"}, {}]> : tensor<8x16xf32>
  %2 = stablehlo.sine %0 : tensor<8x16xf32>)");
  CHECK(alone["%2"] == "[{x}, {}]");
  CHECK(alone["%0"] == "[{x}, {}]");
  const Planned closed = plan_of(kOne, R"(
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}, {}]> : tensor<8x16xf32>
  %2 = stablehlo.sine %1 : tensor<8x16xf32>
  %3 = stablehlo.sine %0 : tensor<8x16xf32>)");
  CHECK(closed["%1"] == "[{}, {}]");
  CHECK(closed["%2"] == "[{}, {}]");
  CHECK(closed["%3"] == "[{x}, {y}]");
}

TEST_CASE("a stated rule is that of an unknown call, and holds known ops back") {
  const Planned p = plan_of(kOne, R"(
  %0 = stablehlo.custom_call @f(%a, %b) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}, custom>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=16, k=3} reduction={j} need_replication={k}>} : (tensor<8x16xf32>) -> tensor<8x3xf32>
  %2 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([ij, k]) {i=8, j=4, k=4}>} : (tensor<8x16xf32>) -> tensor<32x4xf32>
  %3 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16} need_replication={j}>} : tensor<8x16xf32>
  %4 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([k, j]) {i=8, j=16, k=8}>} : tensor<8x16xf32>
  %5 = stablehlo.custom_call @f(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>)");
  CHECK(p.made("%0") == "[{x}, {y}]");
  CHECK(p.made("%1") == "[{x}, {}] +y");
  CHECK(p.made("%2") == "[{x}, {}]");   // y would tile j, which is behind i in the result
  CHECK(p.made("%3") == "[{x,y}, {}]"); // j must stay whole: its axis goes to i
  CHECK(p.made("%4") == "[{}, {y,x}]");
  CHECK(p.made("%5") == "[{}, {}]");
  const auto wrong = [](std::string_view rule) {
    return refusal(
        fmt::format("  %0 = stablehlo.add %a, %a {{sdy.sharding_rule = #sdy.op_sharding_rule<{}>}} : "
                    "tensor<8x16xf32>",
                    rule));
  };
  CHECK(wrong("([i, j])->([i, j]) {i=8, j=16}") ==
        "sharding rule \"([i, j])->([i, j]) {i=8, j=16}\": 1 operands, and the op has 2");
  CHECK(wrong("([i], [i])->([i]) {i=8}").ends_with("1 dimensions of operand 0, f32[8,16]"));
  CHECK(wrong("([i, j], [i, j])->([i, j]) {i=8}").ends_with("the factor j has no size"));
  CHECK(wrong("([i, i], [i, j])->([i, j]) {i=8, j=8}").ends_with("the factor i stands twice in one value"));
  CHECK(wrong("([i, j], [i, j])->([i, j]) {i=8, j=8} odd").ends_with("cannot be read at \"odd\""));
}

TEST_CASE("an edge of a loop shards what the loop carries") {
  const Planned p = plan_of("%a: tensor<8x16xf32>, %n: tensor<i32>", R"(
  %0:2 = stablehlo.while(%i = %n, %s = %a) : tensor<i32>, tensor<8x16xf32>
    cond {
      %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.tanh %s : tensor<8x16xf32>
      stablehlo.return %i, %t : tensor<i32>, tensor<8x16xf32>
    }
  %1 = sdy.data_flow_edge %0#1 sharding=<@m, [{"y"}, {?}]> : tensor<8x16xf32>)");
  CHECK(p["a"] == "[{y}, {}]");
  CHECK(p.made("%0#1") == "[{y}, {}]");
}

TEST_CASE("shardings of a called function's signature are constraints") {
  const auto imported = import::import_text(R"(sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = call @f(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func private @f(%p: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}) {
  %0 = stablehlo.tanh %p : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
})");
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  CHECK(imported->notes.empty());
  Plan plan(imported->graph, *partition::mesh_for(imported->annotations, std::nullopt));
  REQUIRE(partition::apply_annotations(plan, imported->annotations).has_value());
  CHECK(sharding::to_text(plan.result_sharding(plan.graph().arguments()[0], 0), plan.mesh()) == "[{x}, {}]");
  CHECK(sharding::to_text(plan.operand_sharding(plan.graph().results()[0], 0), plan.mesh()) == "[{}, {y}]");
}

} // namespace tw::test_shardy
