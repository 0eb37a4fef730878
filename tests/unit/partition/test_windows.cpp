// SPDX-License-Identifier: Apache-2.0
// Windows in propagation: space passes through them in both directions, and what an op needs is a tile with
// its halo.
#include <doctest/doctest.h>

#include <utility>

#include "partition/plan.hpp"
#include "program.hpp"

namespace tw::partition_test_windows {

using namespace tw::test;
using partition::Plan;

namespace {

// x[12] under windows of 3 at a distance of `stride`, one channel, and what follows it.
struct Line {
  ValueId x, k, y;
  std::shared_ptr<const graph::Graph> graph;
};
Line line(int64_t stride, Ints padding) {
  ProgramBuilder p;
  Line l;
  l.x = p.arg("x", {1, 12, 1});
  l.k = p.arg("k", {3, 1, 1});
  l.y = p.op("convolution", {l.x, l.k},
             {{"lhs_dimensions", Ints{0, 2, 1}},
              {"rhs_dimensions", Ints{1, 2, 0}},
              {"result_dimensions", Ints{0, 2, 1}},
              {"window_strides", Ints{stride}},
              {"padding", std::move(padding)}});
  p.result(p.name(l.y, "y"), "y");
  l.graph = p.finish();
  return l;
}

std::string needed(const Plan &plan, ValueId made, uint32_t operand) {
  return sharding::to_text(plan.operand_sharding(plan.graph().value(made).def, operand), plan.mesh());
}

} // namespace

TEST_CASE("tiled images tile the result, and need a halo") {
  const Line l = line(1, {1, 1});
  Plan plan(l.graph, mesh("s=3"));
  act(plan, "tile(arg=x, dim=1, axis=\"s\"); propagate");
  CHECK(made(plan, l.y) == "[{}, {s}, {}]");
  CHECK(needed(plan, l.y, 0) == "[{}, {s}:spans=[0,5,3,9,7,12], {}]");
  CHECK(needed(plan, l.y, 1) == "[{}, {}, {}]");
}

TEST_CASE("a tiled result tiles the images") {
  const Line l = line(2, {0, 1});
  Plan plan(l.graph, mesh("s=4"));
  act(plan, "tile(value=y, dim=1, axis=\"s\"); propagate");
  CHECK(made(plan, l.x) == "[{}, {s}, {}]");
  CHECK(needed(plan, l.y, 0) == "[{}, {s}:spans=[0,3,2,7,6,9,8,12], {}]"); // 6 places: 1, 2, 1, 2
}

TEST_CASE("cuts follow the size of the other side") {
  const Line l = line(2, {0, 1});
  for (const auto &[given, follows] :
       {std::pair{"{s}:ceil", "{s}:ceil"}, {"{s}:cuts=[0,2,10,12]", "{s}:cuts=[0,1,5,6]"}}) {
    Plan plan(l.graph, mesh("s=3"));
    auto asked = sharding::parse_sharding(std::string("[{}, ") + given + ", {}]", plan.mesh());
    REQUIRE(asked.has_value());
    plan.begin_action({"test", {}});
    REQUIRE(plan.set(plan.graph().arguments()[0], 0, 1, &asked->dims[1].rule));
    plan.propagate(partition::Mode::propagate);
    const std::string expected =
        std::string(given) == "{s}:ceil" ? "[{}, {s}, {}]" : std::string("[{}, ") + follows + ", {}]";
    CHECK(made(plan, l.y) == expected);
  }
}

TEST_CASE("windows side by side need no halo") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {12, 4});
  const ValueId y = p.op("convolution", {p.reshape(x, {1, 12, 4}), p.arg("k", {3, 4, 4})},
                         {{"lhs_dimensions", Ints{0, 2, 1}},
                          {"rhs_dimensions", Ints{1, 2, 0}},
                          {"result_dimensions", Ints{0, 2, 1}},
                          {"window_strides", Ints{3}}});
  p.result(y, "y");
  const auto graph = p.finish();
  Plan plan(graph, mesh("s=2"));
  act(plan, "tile(arg=x, dim=0, axis=\"s\"); propagate");
  CHECK(made(plan, y) == "[{}, {s}, {}]");
  CHECK(needed(plan, y, 0) == "[{}, {s}, {}]");
}

TEST_CASE("where the kernel is a gradient, its taps are shared out and the images' halo follows them") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {1, 12, 2}), dy = p.arg("dy", {1, 12, 3});
  const ValueId dk = p.op("convolution", {x, dy},
                          {{"lhs_dimensions", Ints{2, 0, 1}},
                           {"rhs_dimensions", Ints{0, 2, 1}},
                           {"result_dimensions", Ints{1, 2, 0}},
                           {"padding", Ints{1, 1}}});
  p.result(dk, "dk");
  const auto graph = p.finish();
  Plan plan(graph, mesh("s=3"));
  act(plan, "tile(arg=dy, dim=1, axis=\"s\"); tile(arg=x, dim=1, axis=\"s\"); propagate");
  CHECK(made(plan, dk) == "[{}, {}, {}] +s");
  CHECK(needed(plan, dk, 0) == "[{}, {s}:spans=[0,5,3,9,7,12], {}]");
  CHECK(needed(plan, dk, 1) == "[{}, {s}, {}]");
}

} // namespace tw::partition_test_windows
