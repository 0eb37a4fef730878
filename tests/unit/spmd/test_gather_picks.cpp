// SPDX-License-Identifier: Apache-2.0
// Slices that a loop picks out of tiles: gathered once before the loop where that moves less, whether its
// body takes the array from outside or hands it on, in nested loops too; and what is said of the bytes while
// a plan changes.
#include <doctest/doctest.h>

#include <array>

#include <fmt/format.h>

#include "../partition/program.hpp"
#include "import/import.hpp"
#include "spmd/moved_bytes.hpp"
#include "spmd/program.hpp"

namespace tw::test_gather_picks {

using namespace tw::test;

namespace {

constexpr int64_t kLayers = 8, kWidth = 4, kLayerBytes = kWidth * kWidth * 4;

enum class Form { captured, handed_on, nested };

// x is multiplied with one layer of w a turn, `turns` times; `nested`: all of that three times.
std::shared_ptr<const graph::Graph> scan(Form form, int turns) {
  const std::string type = fmt::format("tensor<{}x{}x{}xf32>", kLayers, kWidth, kWidth);
  const bool carries = form != Form::captured;
  const auto loop = [&](std::string_view name, int most, std::string_view x, std::string_view w,
                        std::string_view body) {
    return fmt::format(R"(
  %{0}:{1} = stablehlo.while(%{0}i = %zero, %{0}x = {3}{4}) : tensor<i32>, tensor<2x{6}xf32>{5}
  cond {{
    %most = stablehlo.constant dense<{2}> : tensor<i32>
    %p = stablehlo.compare LT, %{0}i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    {7}
    %one = stablehlo.constant dense<1> : tensor<i32>
    %{0}j = stablehlo.add %{0}i, %one : tensor<i32>
    stablehlo.return %{0}j, %{0}y{8} : tensor<i32>, tensor<2x{6}xf32>{5}
  }})",
                       name, carries ? 3 : 2, most, x, carries ? fmt::format(", %{}w = {}", name, w) : "",
                       carries ? ", " + type : "", kWidth, body, carries ? fmt::format(", %{}w", name) : "");
  };
  const std::string turn =
      fmt::format("%s = stablehlo.dynamic_slice {1}, %ai, %zero, %zero, sizes = [1, {2}, {2}] : ({0}, "
                  "tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x{2}x{2}xf32>\n"
                  "%r = stablehlo.reshape %s : (tensor<1x{2}x{2}xf32>) -> tensor<{2}x{2}xf32>\n"
                  "%ay = stablehlo.dot_general %ax, %r, contracting_dims = [1] x [0] : (tensor<2x{2}xf32>, "
                  "tensor<{2}x{2}xf32>) -> tensor<2x{2}xf32>",
                  type, carries ? "%aw" : "%w", kWidth);
  const std::string inner =
      loop("a", turns, form == Form::nested ? "%bx" : "%x", form == Form::nested ? "%bw" : "%w", turn);
  const std::string all =
      form == Form::nested
          ? loop("b", 3, "%x", "%w",
                 inner + fmt::format("\n%by = stablehlo.negate %a#1 : tensor<2x{}xf32>", kWidth))
          : inner;
  auto imported = import::import_text(fmt::format(
      "func.func @main(%x: tensor<2x{0}xf32>, %w: {1}) -> tensor<2x{0}xf32> {{\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i32>{2}\n  return %{3}#1 : tensor<2x{0}xf32>\n}}",
      kWidth, type, all, form == Form::nested ? "b" : "a"));
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  return imported->graph;
}

partition::Plan plan_of(const std::shared_ptr<const graph::Graph> &graph) {
  partition::Plan plan(graph, mesh("layers=4"));
  act(plan, "tile(arg=w, dim=0, axis=layers); infer-propagate");
  return plan;
}

spmd::Statistics lowered(const partition::Plan &plan, spmd::Options options = {}) {
  auto program = spmd::lower(plan, options);
  REQUIRE_MESSAGE(program.has_value(), program.error().message());
  options.naive = true;
  const auto naive = spmd::lower(plan, options);
  REQUIRE_MESSAGE(naive.has_value(), naive.error().message());
  CHECK(to_text(**naive) == to_text(**program));
  CAPTURE(to_text(**program));
  return find_statistics(**program);
}

spmd::Options leaving_out(std::string name) {
  spmd::Options options;
  options.without = {std::move(name)};
  return options;
}

constexpr auto kGather = static_cast<size_t>(redistribute::Kind::all_gather),
               kReduce = static_cast<size_t>(redistribute::Kind::all_reduce);

} // namespace

TEST_CASE("what a loop picks a slice of in every turn is gathered once before it") {
  for (const Form form : {Form::captured, Form::handed_on, Form::nested}) {
    CAPTURE(static_cast<int>(form));
    const auto plan = plan_of(scan(form, kLayers));
    const spmd::Statistics with = lowered(plan), without = lowered(plan, leaving_out("gather_picks"));
    CHECK(with.executed[kGather] == 1);
    CHECK(with.executed[kReduce] == 0);
    CHECK(with.bytes_received_max == kLayers * kLayerBytes * 3 / 4);
    const int64_t turns = kLayers * (form == Form::nested ? 3 : 1);
    CHECK(without.executed[kReduce] == turns);
    CHECK(without.bytes_received_max == turns * kLayerBytes * 2 * 3 / 4);
  }
}

TEST_CASE("not where it moves more, is asked for each use, or cannot stand before the loop") {
  for (const Form form : {Form::captured, Form::handed_on}) {
    const auto few = plan_of(scan(form, kLayers / 2 - 1)), all = plan_of(scan(form, kLayers));
    CHECK(lowered(few).executed[kGather] == 0);
    CHECK(lowered(few).executed[kReduce] == kLayers / 2 - 1);
    spmd::Options per_use;
    per_use.gather_per_use = true;
    CHECK(lowered(all, per_use).executed[kGather] == 0);
    CHECK(lowered(all, leaving_out("hoist_moves")).executed[kGather] == 0);
  }
}

// The slice stands in loops over both axes, x over one of them: what is sent is there along both.
TEST_CASE("a row at a known place is sent along all axes that split the slice, more than split its array") {
  const auto imported =
      import::import_text("func.func @main(%x: tensor<12x6xf32>) -> tensor<1x6xf32> {\n"
                          "  %row = stablehlo.slice %x [11:12, 0:6] : (tensor<12x6xf32>) -> tensor<1x6xf32>\n"
                          "  return %row : tensor<1x6xf32>\n}\n",
                          {});
  REQUIRE(imported.has_value());
  const graph::Graph &graph = *imported->graph;
  const graph::OpId x = graph.arguments()[0], row = graph.uses(graph.result(x))[0].op;
  for (const char *axes : {"a=3,b=2", "b=2,a=3"}) {
    CAPTURE(axes);
    partition::Plan plan(imported->graph, mesh(axes));
    const sharding::AxisId a = *plan.mesh().find("a"), b = *plan.mesh().find("b");
    plan.begin_action({"set", {}});
    REQUIRE(plan.set(x, a, 0).has_value());
    for (const sharding::AxisId axis : {b, a})
      REQUIRE(plan.set(row, axis, plan.rule(row).operands[0][0][0]).has_value());
    const auto program = spmd::lower(plan);
    REQUIRE_MESSAGE(program.has_value(), program.error().message());
    for (const spmd::Collective &collective : (*program)->collectives())
      CHECK(collective.summary.reduction == sharding::Reduction::raw);
  }
}

TEST_CASE("bytes of a plan that changes are those of its program") {
  int changes = 0, gathered = 0;
  for (const Form form : {Form::captured, Form::handed_on, Form::nested}) {
    partition::Plan plan(scan(form, kLayers), mesh("layers=4,m=2"));
    act(plan, "tile(arg=w, dim=0, axis=layers); infer-propagate");
    auto moved = spmd::MovedBytes::create(plan);
    REQUIRE(moved.has_value());
    const auto check = [&] {
      const auto program = spmd::lower(plan, spmd::counted_options());
      REQUIRE(program.has_value());
      CAPTURE(to_text(**program));
      const spmd::Statistics statistics = find_statistics(**program);
      REQUIRE((*moved)->received_max() == statistics.bytes_received_max);
      gathered += statistics.executed[kGather] != 0;
    };
    check();
    for (partition::NodeId n = 0; n < plan.num_nodes(); ++n)
      for (size_t f = 0; plan.takes_part(n) && f < plan.rule(n).factors.size(); ++f)
        for (const sharding::AxisId axis : {0, 1}) {
          CAPTURE(n);
          CAPTURE(f);
          const auto before = plan.stamp();
          if ((plan.entry(n, axis) == nullptr || plan.take_off(n, axis)) &&
              plan.set(n, axis, static_cast<ops::FactorId>(f)) && spmd::lower(plan)) {
            REQUIRE((*moved)->update(std::array{n}));
            check();
            ++changes;
            plan.undo_to(before);
            REQUIRE((*moved)->update(std::array{n}));
            check();
          }
          plan.undo_to(before);
        }
  }
  CHECK(changes > 100);
  CHECK(gathered > 100);
}

} // namespace tw::test_gather_picks
