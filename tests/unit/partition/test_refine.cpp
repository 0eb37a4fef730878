// SPDX-License-Identifier: Apache-2.0
// Axes that become several: a reshape splits the axis of a dimension with the dimension, so nothing moves;
// said by specs, kept by undo.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "partition/annotations.hpp"
#include "partition/conflicts.hpp"
#include "partition/explain.hpp"
#include "program.hpp"
#include "spmd/program.hpp"

namespace tw::test_refine {

using namespace tw::test;
using partition::Plan;

namespace {

int64_t moved_bytes(const Plan &plan) {
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  int64_t bytes = 0;
  for (const auto &c : (*program)->collectives())
    bytes += c.summary.bytes_received_max;
  return bytes;
}

// What a chain of reshapes of one argument makes of a tiled dimension 0.
struct Chain {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<ValueId> values; // the argument first
};
Chain chain(const std::vector<graph::Shape> &shapes) {
  ProgramBuilder p;
  Chain made;
  made.values.push_back(p.arg("x", shapes[0]));
  for (size_t i = 1; i < shapes.size(); ++i)
    made.values.push_back(p.reshape(p.tanh(made.values.back()), shapes[i]));
  p.result(p.tanh(made.values.back()), "y");
  made.graph = p.finish();
  return made;
}

struct Split {
  std::vector<graph::Shape> shapes;
  const char *mesh;
  const char *last;  // the layout of the last one where x is [{a, ..}, {}, ..]
  bool still = true; // nothing moves
};

} // namespace

TEST_CASE("a reshape that splits a tiled dimension splits its axis, forwards and backwards") {
  const Split cases[] = {
      {{{8}, {2, 4}}, "a=4", "[{a:(1)2}, {a:(2)2}]"},
      {{{4096, 16}, {4, 1024, 16}}, "a=8", "[{a:(1)4}, {a:(4)2}, {}]"},
      {{{8}, {2, 4}, {2, 2, 2}}, "a=8", "[{a:(1)2}, {a:(2)2}, {a:(4)2}]"},
      {{{8}, {2, 4}, {8}, {4, 2}}, "a=8", "[{a:(1)4}, {a:(4)2}]"},
      {{{16}, {4, 4}, {2, 2, 4}}, "a=8", "[{a:(1)2}, {a:(2)2}, {a:(4)2}]"},
      {{{6}, {2, 3}}, "a=4", "[{a:(1)2}, {a:(2)2}]"}, // 0 1 3 4 6
      {{{12}, {3, 4}}, "a=6", "[{a:(1)3}, {a:(3)2}]"},
      {{{16}, {8, 2}}, "b=2,a=8", "[{a:(1)8}, {}]"},
      {{{12}, {4, 3}}, "a=4", "[{a}, {}]"},
      // Only a divisor in common: that much goes through, the rest is gathered among fewer.
      {{{24}, {6, 4}}, "a=4", "[{a:(1)2}, {}]", false},
      {{{12}, {4, 3}}, "a=6", "[{a:(1)2}, {}]", false},
      {{{9}, {3, 3}}, "a=2", "[{}, {}]", false},
  };
  for (const Split &c : cases) {
    const Chain made = chain(c.shapes);
    CAPTURE(fmt::format("{} on {}", c.last, c.mesh));
    Plan plan(made.graph, mesh(c.mesh));
    act(plan, "tile(arg=x, dim=0, axis=a); propagate");
    CHECK(test::made(plan, made.values.back()) ==
          (std::string_view(c.last) == "[{a:(1)8}, {}]" ? "[{a}, {}]" : c.last));
    CHECK((moved_bytes(plan) == 0) == c.still);
    if (!c.still)
      continue;
    // Backwards: from the flat end of the chain turned around.
    std::vector<graph::Shape> back(c.shapes.rbegin(), c.shapes.rend());
    const Chain turned = chain(back);
    Plan other(turned.graph, mesh(c.mesh));
    act(other, "tile(result=y, dim=0, axis=a); propagate");
    CHECK(test::made(other, turned.values.front()) == test::made(plan, made.values.back()));
    CHECK(moved_bytes(other) == 0);
  }
}

TEST_CASE("of two axes each goes as far as it fits") {
  const Chain made = chain({{16}, {2, 8}});
  Plan plan(made.graph, mesh("a=4,b=2"));
  act(plan, "shard(arg=x, [{a,b}]); propagate");
  CHECK(test::made(plan, made.values.back()) == "[{a:(1)2}, {a:(2)2,b}]");
  CHECK(moved_bytes(plan) == 0);
  Plan other(made.graph, mesh("a=4,b=2"));
  act(other, "shard(arg=x, [{b,a}]); propagate");
  CHECK(test::made(other, made.values.back()) == "[{b}, {a}]");
  CHECK(moved_bytes(other) == 0);
}

TEST_CASE("specs name parts of axes, and a plan that needed none is printed without") {
  const Chain made = chain({{8}, {2, 4}});
  const std::string last = made.graph->value_name(made.values.back());
  Plan plan(made.graph, mesh("a=4"));
  act(plan, fmt::format("shard(value=\"{}\", [{{a:(1)2}}, {{a:(2)2}}]); propagate", last));
  CHECK(test::made(plan, made.values.front()) == "[{a}]");
  CHECK(moved_bytes(plan) == 0);
  CHECK(plan.mesh().text() == "a=4");

  Plan tiled(made.graph, mesh("b=2,a=8"));
  act(tiled, fmt::format("tile(value=\"{}\", dim=1, axis=\"a:(2)4\"); propagate", last));
  CHECK(tiled.mesh().num_axes() == 3);
  CHECK(partition::explain(tiled, last, "a")->find("axis a:(1)2: whole") != std::string::npos);
  for (const char *wrong : {"a:(3)2", "a:(1)3", "a:(4)4", "c:(1)2", "a:(0)2"}) {
    CAPTURE(wrong);
    const auto before = tiled.stamp();
    const auto status =
        partition::apply_spec(tiled, fmt::format("tile(arg=x, dim=0, axis=\"{}\")", wrong), "spec.txt");
    REQUIRE(!status);
    CHECK(std::string(status.error().info().id) == "TW-403");
    CHECK(tiled.stamp() == before);
  }
}

TEST_CASE("what was decided before an axis became two stays, and undo brings the whole axis back") {
  const Chain made = chain({{10, 8}, {10, 2, 4}});
  Plan plan(made.graph, mesh("b=2,a=4,c=3"));
  act(plan, "split(arg=x, dim=0, axis=a, rule=ceil); tile(arg=x, dim=1, axis=c); propagate; shard(result=y, "
            "[{c}, {a}, {}])");
  const std::string before = test::made(plan, made.values.back());
  const Plan kept = plan;
  const auto stamp = plan.stamp();
  REQUIRE(plan.refine(*plan.mesh().find("a"), 2));
  CHECK(plan.mesh().num_axes() == 4);
  CHECK(test::made(plan, made.values.back()) == before); // parts side by side are the axis
  CHECK(sharding::to_text(*plan.result_layout(0), plan.mesh()) == "[{c}, {a}, {}]");
  CHECK(moved_bytes(plan) == moved_bytes(kept));
  act(plan, "tile(arg=x, dim=1, axis=b); propagate");
  plan.undo_to(stamp);
  CHECK(plan.same_state(kept));
}

TEST_CASE("an axis splits over which a node has been decided since it was reported") {
  const Mlp m = mlp();
  Plan plan(m.graph, *sharding::Mesh::parse("a=4"));
  act(plan, "split(arg=x, dim=1, axis=a, cuts=[0,1,5,9,256]); propagate");
  REQUIRE(plan.conflicts().size() == 1); // w is whole where x is tiled
  const partition::Conflict gate = plan.conflicts()[0];
  const sharding::SplitRule cuts = plan.split(gate.candidates[0].split);
  REQUIRE(plan.set(gate.node, gate.axis, gate.candidates[0].factor, &cuts).has_value());
  REQUIRE(plan.refine(0, 2).has_value());
  REQUIRE(plan.conflicts().size() == 2);
  CHECK(*plan.split(plan.conflicts()[0].candidates[0].split).cuts == std::vector<int64_t>{0, 5, 256});
}

} // namespace tw::test_refine
