// SPDX-License-Identifier: Apache-2.0
// What waves decide: examples of the PartIR slides, Megatron and ZeRO on small graphs, gates, ties,
// broadcasts, reshapes.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "partition/conflicts.hpp"
#include "partition/plan.hpp"
#include "program.hpp"
#include "spmd/program.hpp"

namespace tw::test_propagation {

using namespace tw::test;
using partition::Mode;
using partition::Plan;

TEST_CASE("earlier PartIR: data parallelism, then parameter sharding, over anonymous axes") {
  const Mlp m = mlp();
  Plan plan(m.graph, {});
  act(plan, "arg-tile 0 0 8.");
  CHECK(made(plan, m.x) == "[{\"range<16,8>\"}, {}]");
  CHECK(made(plan, m.h) == "[{}, {}]");
  act(plan, "propagate.");
  CHECK(plan.mesh().num_devices() == 2);
  for (const ValueId v : {m.x, m.h, m.y})
    CHECK(made(plan, v) == "[{\"range<16,8>\"}, {}]");
  CHECK(made(plan, m.w) == "[{}, {}]");

  act(plan, "arg-tile 1 1 128;\narg-tile 2 0 128;\npropagate.");
  CHECK(plan.mesh().num_devices() == 4);
  CHECK(made(plan, m.w) == "[{}, {\"range<256,128>\"}]");
  CHECK(made(plan, m.u) == "[{\"range<256,128>\"}, {}]");
  CHECK(made(plan, m.h) == "[{\"range<16,8>\"}, {\"range<256,128>\"}]");
  CHECK(made(plan, m.y) == "[{\"range<16,8>\"}, {}] +\"range<256,128>\"");
  CHECK(partition::open_conflicts(plan).empty());
}

TEST_CASE("PartIR 2021: one tiled parameter, the other follows by inference") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("batch=2,shard=2"));
  act(plan, "tile(arg=%x,dim=0,axis=\"batch\"); infer-propagate");
  act(plan, "tile(arg=%w,dim=1,axis=\"shard\")\ninfer-propagate");
  CHECK(made(plan, m.u) == "[{shard}, {}]");
  CHECK(made(plan, m.h) == "[{batch}, {shard}]");
  CHECK(made(plan, m.y) == "[{batch}, {}] +shard");
}

TEST_CASE("propagate forms a sum only where every operand is tiled; infer-propagate goes on from there") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("shard=2"));
  act(plan, "tile(arg=w,dim=1,axis=\"shard\"); propagate");
  CHECK(made(plan, m.h) == "[{}, {shard}]");
  CHECK(made(plan, m.y) == "[{}, {}]");
  CHECK(made(plan, m.u) == "[{}, {}]");
  REQUIRE(plan.conflicts().size() == 1);
  CHECK(plan.conflicts()[0].kind == partition::Conflict::Kind::gate);
  CHECK(partition::open_conflicts(plan).size() == 1);
  act(plan, "infer-propagate");
  CHECK(made(plan, m.u) == "[{shard}, {}]");
  CHECK(made(plan, m.y) == "[{}, {}] +shard");
  CHECK(partition::open_conflicts(plan).empty());
}

TEST_CASE("backward: a tiled result tiles what makes it") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("a=2,b=4"));
  act(plan, "tile(result=0,dim=1,axis=b); tile(result=y,dim=0,axis=a); propagate");
  CHECK(made(plan, m.y) == "[{a}, {b}]");
  CHECK(made(plan, m.u) == "[{}, {b}]");
  CHECK(made(plan, m.h) == "[{a}, {}]");
  CHECK(made(plan, m.x) == "[{a}, {}]");
  CHECK(made(plan, m.w) == "[{}, {}]");
}

TEST_CASE("two candidates at the same distance are a conflict that names both sources") {
  ProgramBuilder p;
  const ValueId a = p.arg("a", {8, 8}), b = p.arg("b", {8, 8}), c = p.name(p.add(a, b), "c"), d = p.tanh(c);
  p.result(d);
  Plan plan(p.finish(), mesh("x=2"));
  act(plan, "tile(arg=a,dim=0,axis=x); tile(arg=b,dim=1,axis=x); infer-propagate");
  CHECK(made(plan, c) == "[{}, {}]");
  CHECK(made(plan, d) == "[{}, {}]");
  const auto open = partition::open_conflicts(plan);
  REQUIRE(open.size() == 1);
  CHECK(open[0]->kind == partition::Conflict::Kind::tie);
  CHECK(open[0]->node == plan.graph().value(c).def);
  REQUIRE(open[0]->candidates.size() == 2);
  CHECK(open[0]->candidates[0].source == plan.graph().value(a).def);
  CHECK(open[0]->candidates[1].source == plan.graph().value(b).def);
  // A tie stays one when more is said later, until an action decides.
  act(plan, "tile(value=c,dim=0,axis=x); infer-propagate");
  CHECK(made(plan, c) == "[{}, {}]");
  CHECK(made(plan, d) == "[{x}, {}]");
}

TEST_CASE("the nearest action wins, and an earlier one is never undone") {
  ProgramBuilder p;
  const ValueId a = p.arg("a", {8, 8}), b = p.arg("b", {8, 8});
  const ValueId ta = p.tanh(a), sum = p.add(ta, b), out = p.tanh(sum);
  p.result(out);
  {
    Plan plan(p.finish(), mesh("x=2"));
    act(plan, "tile(arg=a,dim=0,axis=x); tile(arg=b,dim=1,axis=x); infer-propagate");
    CHECK(made(plan, ta) == "[{x}, {}]");
    CHECK(made(plan, sum) == "[{}, {x}]"); // b is nearer
    CHECK(made(plan, out) == "[{}, {x}]");
  }
}

TEST_CASE("ZeRO: batch first, parameters after; the optimizer follows, the products do not") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {16, 32}), dy = p.arg("dy", {16, 64}), w = p.arg("w", {32, 64}),
                m = p.arg("m", {32, 64});
  const ValueId y = p.matmul(x, w), gradient = p.dot(x, dy, {}, {}, {0}, {0});
  const ValueId m2 = p.add(m, gradient), w2 = p.add(w, m2);
  p.result(y);
  p.result(m2);
  p.result(w2);
  Plan plan(p.finish(), mesh("data=4"));
  act(plan, "tile(arg=x,dim=0,axis=data); tile(arg=dy,dim=0,axis=data); infer-propagate");
  CHECK(made(plan, y) == "[{data}, {}]");
  CHECK(made(plan, gradient) == "[{}, {}] +data");
  CHECK(made(plan, w) == "[{}, {}]");
  CHECK(made(plan, m2) == "[{}, {}]");
  act(plan, "tile(arg=m,dim=0,axis=data); infer-propagate");
  CHECK(made(plan, m2) == "[{data}, {}]");
  CHECK(made(plan, w2) == "[{data}, {}]");
  CHECK(made(plan, w) == "[{data}, {}]");
  CHECK(made(plan, y) == "[{data}, {}]");
  CHECK(sharding::to_text(plan.operand_sharding(plan.graph().value(y).def, 1), plan.mesh()) == "[{}, {}]");
}

TEST_CASE("Megatron: columns then rows; heads through reshape and transpose") {
  ProgramBuilder p;
  const int64_t B = 4, S = 8, H = 4, D = 16, E = H * D;
  const ValueId x = p.arg("x", {B, S, E}), wq = p.arg("wq", {E, E}), wk = p.arg("wk", {E, E}),
                wv = p.arg("wv", {E, E}), wo = p.arg("wo", {E, E});
  const auto project = [&](ValueId w) {
    return p.transpose(p.reshape(p.dot(x, w, {}, {}, {2}, {0}), {B, S, H, D}), {0, 2, 1, 3}); // [B,H,S,D]
  };
  const ValueId q = project(wq), k = project(wk), v = project(wv);
  const ValueId scores = p.tanh(p.dot(q, k, {0, 1}, {0, 1}, {3}, {3})); // [B,H,S,S]
  const ValueId mixed = p.dot(scores, v, {0, 1}, {0, 1}, {3}, {2});     // [B,H,S,D]
  const ValueId flat = p.reshape(p.transpose(mixed, {0, 2, 1, 3}), {B, S, E});
  const ValueId out = p.add(x, p.dot(flat, wo, {}, {}, {2}, {0}));
  p.result(out);
  Plan plan(p.finish(), mesh("data=2,model=4"));
  act(plan, "tile(arg=x,dim=0,axis=data); infer-propagate\n"
            "tile(arg=wq,dim=1,axis=model); tile(arg=wk,dim=1,axis=model); tile(arg=wv,dim=1,axis=model); "
            "infer-propagate");
  CHECK(made(plan, q) == "[{data}, {model}, {}, {}]");
  CHECK(made(plan, scores) == "[{data}, {model}, {}, {}]");
  CHECK(made(plan, flat) == "[{data}, {}, {model}]");
  CHECK(made(plan, wo) == "[{model}, {}]");
  CHECK(made(plan, out) == "[{data}, {}, {}]");
  CHECK(partition::open_conflicts(plan).empty());
}

TEST_CASE("a major dimension of as many tiles as elements opens the minor one only if each tile has one") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {2, 3}), flat = p.reshape(x, {6});
  p.result(flat);
  const auto g = p.finish();
  const auto layout = [&](std::string_view cuts) {
    Plan plan(g, mesh("a=2,b=3"));
    act(plan, fmt::format("split(arg=x, dim=0, axis=a, cuts={}); tile(arg=x, dim=1, axis=b); infer-propagate",
                          cuts));
    return made(plan, flat);
  };
  CHECK(layout("[0,1,2]") == "[{a,b}]");
  CHECK(layout("[0,2,2]") == "[{a}:ceil:unit=6]"); // cuts 0, 6, 6: tiles of b would be in pieces
}

TEST_CASE("cuts over an axis of one place do not move tiles inside which a minor part is tiled") {
  ProgramBuilder p;
  const ValueId r = p.reshape(p.arg("x", {16}), {4, 4});
  p.result(r);
  Plan plan(p.finish(), mesh("a=4,b=2,c=1"));
  plan.begin_action({"set", {}});
  const graph::OpId op = plan.graph().value(r).def;
  const ops::FactorId major = plan.rule(op).results[0][0][0], minor = plan.rule(op).results[0][1][0];
  const auto cuts = [](std::vector<int64_t> at) {
    return sharding::SplitRule{sharding::SplitRule::Kind::cuts, 1,
                               std::make_shared<const std::vector<int64_t>>(std::move(at))};
  };
  const sharding::SplitRule moved = cuts({0, 3, 3, 4, 4}), same = cuts({0, 1, 2, 3, 4});
  const auto start = plan.stamp();
  REQUIRE(plan.set(op, 0, major).has_value());
  REQUIRE(plan.set(op, 1, minor).has_value());
  const Status refused = plan.set(op, 2, major, &moved); // x would need elements 0, 1, 4, 5, 8, 9 in one tile
  REQUIRE(!refused.has_value());
  CHECK(refused.error().info().id == std::string("TW-407"));
  CHECK(refused.error().message().find("'c' has one place") != std::string::npos);
  REQUIRE(plan.set(op, 2, major, &same).has_value());
  CHECK(spmd::lower(plan).has_value());
  // Where nothing is tiled inside, they move tiles; then these are no single elements, and take no more axes.
  plan.undo_to(start);
  plan.begin_action({"set", {}});
  REQUIRE(plan.set(op, 0, major).has_value());
  REQUIRE(plan.set(op, 2, major, &moved).has_value());
  CHECK(made(plan, r) == "[{a,c}:cuts=[0,3,3,4,4], {}]");
  CHECK(spmd::lower(plan).has_value());
  CHECK(!plan.set(op, 1, minor).has_value());
}

TEST_CASE("a reshape keeps whole blocks: 33x79 -> 2607 with the 33 tiled") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {33, 79}), flat = p.reshape(x, {2607}), t = p.tanh(flat),
                back = p.reshape(t, {33, 79});
  p.result(back);
  auto graph = p.finish();
  Plan plan(graph, mesh("data=2"));
  act(plan, "tile(arg=x,dim=0,axis=data); infer-propagate");
  CHECK(made(plan, back) == "[{data}, {}]");
  for (const ValueId v : {flat, t}) {
    const auto layout = plan.result_sharding(graph->value(v).def, 0);
    REQUIRE(layout.dims[0].axes.size() == 1);
    CHECK(sharding::tile(layout.dims[0].rule, 2607, 2, 0) == sharding::Interval{0, 16 * 79});
    CHECK(sharding::tile(layout.dims[0].rule, 2607, 2, 1) == sharding::Interval{16 * 79, 2607});
  }
  // Tiled in the middle, 2607 is cut inside a row: that cannot go through the reshapes.
  Plan middle(graph, mesh("data=2"));
  act(middle, "tile(value=\"" + graph->value_name(t) + "\",dim=0,axis=data); infer-propagate");
  CHECK(made(middle, t) == "[{data}]");
  CHECK(made(middle, back) == "[{}, {}]");
  const auto open = partition::open_conflicts(middle);
  REQUIRE(open.size() == 2);
  CHECK(open[0]->kind == partition::Conflict::Kind::uneven);
  CHECK(open[1]->kind == partition::Conflict::Kind::uneven);
}

TEST_CASE("the minor part of a merged dimension takes an axis only when the major part is covered") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {2, 8}), flat = p.reshape(x, {16}), t = p.tanh(flat);
  p.result(t);
  auto graph = p.finish();
  {
    Plan plan(graph, mesh("a=2,b=4"));
    act(plan, "tile(arg=x,dim=1,axis=b); propagate");
    CHECK(made(plan, flat) == "[{}]");
    const auto open = partition::open_conflicts(plan);
    REQUIRE(open.size() == 1);
    CHECK(open[0]->kind == partition::Conflict::Kind::strided);
    act(plan, "tile(arg=x,dim=0,axis=a); propagate"); // covers the 2: then b goes through
    CHECK(made(plan, flat) == "[{a,b}]");
    CHECK(made(plan, t) == "[{a,b}]");
    CHECK(partition::open_conflicts(plan).empty());
  }
  {
    Plan plan(graph, mesh("a=2,b=4"));
    act(plan,
        "tile(arg=x,dim=1,axis=b); tile(arg=x,dim=0,axis=a); propagate"); // the later axis makes room for the earlier
    CHECK(made(plan, t) == "[{a,b}]");
  }
  {
    Plan plan(graph, mesh("a=2,b=4"));
    act(plan, "shard(value=\"" + graph->value_name(t) + "\", [{a,b}]); propagate");
    CHECK(made(plan, x) == "[{a}, {b}]");
  }
  { // an axis as large as 2 * 2 becomes two
    Plan plan(graph, mesh("c=4"));
    act(plan, "tile(value=\"" + graph->value_name(t) + "\", dim=0, axis=c); propagate");
    CHECK(made(plan, x) == "[{c:(1)2}, {c:(2)2}]");
    CHECK(partition::open_conflicts(plan).empty());
  }
}

TEST_CASE("constants and broadcasts carry nothing from one user to another") {
  ProgramBuilder p;
  const ValueId a = p.arg("a", {8, 8}), b = p.arg("b", {8, 8}), zero = p.zeros({8, 8}),
                scale = p.broadcast(p.arg("s", {}), {8, 8}, {});
  const ValueId c = p.add(a, zero), d = p.add(b, zero), e = p.add(c, scale), f = p.add(d, scale);
  p.result(e);
  p.result(f);
  Plan plan(p.finish(), mesh("x=2"));
  act(plan, "tile(arg=a,dim=1,axis=x); infer-propagate");
  CHECK(made(plan, c) == "[{}, {x}]");
  CHECK(made(plan, e) == "[{}, {x}]");
  CHECK(made(plan, d) == "[{}, {}]");
  CHECK(made(plan, f) == "[{}, {}]");
  CHECK(made(plan, b) == "[{}, {}]");
}

TEST_CASE("atomic stops propagation") {
  ProgramBuilder p;
  const ValueId a = p.arg("a", {8, 8}), t = p.name(p.tanh(a), "t"), u = p.tanh(t);
  p.result(u);
  Plan plan(p.finish(), mesh("x=2,y=2"));
  act(plan, "atomic(value=t, axis=x); tile(arg=a,dim=0,axis=x); tile(arg=a,dim=1,axis=y); infer-propagate");
  CHECK(made(plan, t) == "[{x}, {y}]"); // made in tiles, then gathered over x
  CHECK(sharding::to_text(plan.result_sharding(plan.source(t), 0), plan.mesh()) == "[{}, {y}]");
  CHECK(made(plan, u) == "[{}, {y}]");
}

TEST_CASE("a pin keeps the layout that its value has") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2,model=4"));
  act(plan, "tile(arg=x,dim=0,axis=data); infer-propagate");
  act(plan, "tile(value=\"" + m.graph->value_name(m.h) + "\",dim=1,axis=model); infer-propagate");
  CHECK(made(plan, m.h) == "[{data}, {model}]");
  CHECK(made(plan, m.w) == "[{}, {model}]");
  CHECK(made(plan, m.y) == "[{data}, {}] +model");
  CHECK(sharding::to_text(plan.result_sharding(plan.source(m.h), 0), plan.mesh()) == "[{data}, {model}]");
}

TEST_CASE("axes of one dimension nest in the order in which they were set, everywhere") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("a=2,b=4"));
  act(plan, "tile(arg=x,dim=0,axis=b); tile(arg=x,dim=0,axis=a); infer-propagate");
  for (const ValueId v : {m.x, m.h, m.y})
    CHECK(made(plan, v) == "[{b,a}, {}]");
}

TEST_CASE("a layout asked of a result is no evidence") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("a=2"));
  act(plan, "shard(result=0, [{}, {a}]); tile(arg=x,dim=0,axis=a); infer-propagate");
  CHECK(made(plan, m.y) == "[{a}, {}]");
  CHECK(sharding::to_text(plan.operand_sharding(m.graph->results()[0], 0), plan.mesh()) == "[{}, {a}]");
}

TEST_CASE("undo brings back the state, bit for bit") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("a=2,b=4"));
  act(plan, "tile(arg=x,dim=0,axis=a); infer-propagate");
  const Plan before = plan;
  const auto stamp = plan.stamp();
  act(plan, "tile(value=\"" + m.graph->value_name(m.h) +
                "\",dim=1,axis=b); arg-tile 1 0 100; shard(result=0,[{},{}]); expect no all_gather\n"
                "propagate; infer-propagate");
  CHECK(!plan.same_state(before));
  plan.undo_to(stamp);
  CHECK(plan.same_state(before));
  act(plan, "infer-propagate");
  CHECK(made(plan, m.y) == "[{a}, {}]");
}

TEST_CASE(
    "a factor of one element takes no axis once the factor behind it in a reshaped dimension is split") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {13});
  const ValueId y = p.reshape(x, {1, 13}); // ([i j])->([i],[j])
  p.result(p.add(y, y), "y");
  Plan plan(p.finish(), mesh("a=3,c=5"));
  act(plan, "tile(arg=x, dim=0, axis=a); propagate; tile(result=y, dim=0, axis=c); infer-propagate");
  CHECK(made(plan, y) == "[{}, {a}]");
  const auto lowered = spmd::lower(plan);
  CHECK(lowered.has_value());
}

} // namespace tw::test_propagation
