// SPDX-License-Identifier: Apache-2.0
// Ops that must keep whole what their operand is tiled along: the axis goes to another loop of theirs, unless
// somebody offers something better.
#include <doctest/doctest.h>

#include "program.hpp"
#include "spmd/program.hpp"

namespace tw::test_turn {

using namespace tw::test;
using partition::Plan;

namespace {

ValueId top_k(ProgramBuilder &p, ValueId x, int64_t k) { return p.op("chlo.top_k", {x}, {{"k", k}}); }

int64_t count(const Plan &plan, redistribute::Kind kind) {
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  int64_t found = 0;
  for (const auto &c : (*program)->collectives())
    found += c.summary.kind == kind ? 1 : 0;
  return found;
}

} // namespace

TEST_CASE("top_k along a tiled dimension takes the tiles of another one") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {6, 16, 64}), y = p.tanh(x), k = top_k(p, y, 4), z = p.tanh(k);
  p.result(z, "z");
  const auto g = p.finish();
  Plan plan(g, mesh("a=4"));
  act(plan, "tile(arg=x, dim=2, axis=a); propagate");
  CHECK(made(plan, z) == "[{}, {a}, {}]"); // 16 and not 6, which 4 does not divide
  CHECK(count(plan, redistribute::Kind::all_to_all) == 1);
  CHECK(count(plan, redistribute::Kind::all_gather) == 0);
  Plan both(g, mesh("a=4,b=2"));
  act(both, "tile(arg=x, dim=2, axis=a); tile(arg=x, dim=1, axis=b); propagate");
  CHECK(made(both, z) == "[{}, {b,a}, {}]");
  Plan narrow(g, mesh("a=64"));
  act(narrow, "tile(arg=x, dim=2, axis=a); propagate");
  CHECK(made(narrow, z) == "[{}, {}, {}]"); // no loop has tiles for so many
  Plan stated(g, mesh("a=4"));
  stated.set_policy(partition::Policy::explicit_);
  act(stated, "tile(arg=x, dim=2, axis=a); propagate");
  CHECK(made(stated, z) == "[{}, {}, {}]"); // nothing but what is stated
}

TEST_CASE("what others decide about an op comes first, and those who follow it stay as they are") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {16, 64}), k = top_k(p, x, 64), z = p.add(x, k);
  p.result(z, "z");
  const auto g = p.finish();
  Plan plan(g, mesh("a=4"));
  act(plan, "tile(arg=x, dim=1, axis=a); propagate");
  CHECK(made(plan, k) == "[{a}, {}]");
  CHECK(made(plan, z) == "[{}, {a}]"); // as the other operand said
  CHECK(count(plan, redistribute::Kind::all_to_all) == 2);
  Plan kept(g, mesh("a=4"));
  act(kept, "atomic(value=\"" + g->value_name(k) + "\", axis=a); tile(arg=x, dim=1, axis=a); propagate");
  CHECK(made(kept, k) == "[{a}, {}]"); // as it is made; its users get all of it
}

} // namespace tw::test_turn
