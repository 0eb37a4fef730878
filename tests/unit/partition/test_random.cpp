// SPDX-License-Identifier: Apache-2.0
// On random programs with random actions: renumbering the ops changes nothing, undo restores the state, derived layouts are well formed,
// and an earlier decision is never undone.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "partition/conflicts.hpp"
#include "random_program.hpp"
#include "support/renumber.hpp"

using namespace tw;
using namespace tw::test;
using partition::NodeId;
using partition::Plan;

namespace {

const char *const kMeshes[] = {"a=2", "a=2,b=3", "a=4,b=2", "a=3,b=2,c=2", "a=6,b=5"};

void check_well_formed(const Plan &plan) {
  const graph::Graph &g = plan.graph();
  for (NodeId n = 0; n < g.ops().size(); ++n) {
    for (uint32_t r = 0; r < g.op(n).num_results; ++r)
      REQUIRE(sharding::verify(plan.result_sharding(n, r), g.type(g.result(n, r)).dims, plan.mesh()));
    for (uint32_t p = 0; p < g.op(n).num_operands; ++p)
      REQUIRE(sharding::verify(plan.operand_sharding(n, p), g.type(g.operands(n)[p]).dims, plan.mesh()));
  }
}

using ConflictKey = std::tuple<int, NodeId, sharding::AxisId, std::vector<ops::FactorId>>;
std::set<ConflictKey> conflict_keys(const Plan &plan, const std::vector<graph::OpId> *op) {
  std::set<ConflictKey> keys;
  for (const auto *c : partition::open_conflicts(plan)) {
    std::vector<ops::FactorId> factors;
    for (const auto &candidate : c->candidates)
      factors.push_back(candidate.factor);
    std::ranges::sort(factors);
    if (!plan.is_pin(c->node))
      keys.insert({static_cast<int>(c->kind), op ? (*op)[c->node] : c->node, c->axis, factors});
  }
  return keys;
}

} // namespace

TEST_CASE("renumbering the ops changes nothing") {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomProgram program = random_program(seed, 10 + random() % 40);
    const Renumbered other = renumber(*program.graph, seed + 1000);
    REQUIRE(ops::verify(*other.graph));
    const sharding::Mesh m = mesh(kMeshes[random() % std::size(kMeshes)]);
    Plan plan(program.graph, m), again(other.graph, m);
    for (const RandomAction &action : random_actions(random, program, m.num_axes(), 8)) {
      const ValueId v = program.values[action.value];
      REQUIRE(act(plan, action, v) == act(again, action, other.value[v]));
    }
    check_well_formed(plan);
    const graph::Graph &g = *program.graph;
    for (NodeId n = 0; n < g.ops().size(); ++n) {
      CAPTURE(n);
      for (uint32_t r = 0; r < g.op(n).num_results; ++r) {
        REQUIRE(plan.result_sharding(n, r) == again.result_sharding(other.op[n], r));
        const NodeId pin = plan.pin_of(g.result(n, r)), other_pin = again.pin_of(other.value[g.result(n, r)]);
        REQUIRE((pin == graph::kNone) == (other_pin == graph::kNone));
        if (pin != graph::kNone)
          REQUIRE(plan.result_sharding(pin, 0) == again.result_sharding(other_pin, 0));
      }
      for (uint32_t p = 0; p < g.op(n).num_operands; ++p)
        REQUIRE(plan.operand_sharding(n, p) == again.operand_sharding(other.op[n], p));
      const auto a = plan.nest(n), b = again.nest(other.op[n]);
      REQUIRE(std::ranges::equal(a, b, [](const auto &x, const auto &y) {
        return x.axis == y.axis && x.factor == y.factor && x.tactic == y.tactic;
      }));
    }
    REQUIRE(conflict_keys(plan, &other.op) == conflict_keys(again, nullptr));
  }
}

TEST_CASE("undo restores the state, and what follows comes out the same") {
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomProgram program = random_program(seed, 30);
    const sharding::Mesh m = mesh(kMeshes[random() % std::size(kMeshes)]);
    Plan plan(program.graph, m);
    const auto all = random_actions(random, program, m.num_axes(), 6);
    for (const RandomAction &action : all)
      act(plan, action, program.values[action.value]);
    const Plan before = plan;
    const auto stamp = plan.stamp();
    const auto more = random_actions(random, program, m.num_axes(), 6);
    for (const RandomAction &action : more)
      act(plan, action, program.values[action.value]);
    const Plan after = plan;
    plan.undo_to(stamp);
    REQUIRE(plan.same_state(before));
    for (const RandomAction &action : more)
      act(plan, action, program.values[action.value]);
    REQUIRE(plan.same_state(after));
  }
}

TEST_CASE("later actions never undo earlier decisions") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomProgram program = random_program(seed, 30);
    Plan plan(program.graph, mesh("a=2,b=3"));
    for (const RandomAction &action : random_actions(random, program, 2, 10)) {
      const Plan before = plan;
      act(plan, action, program.values[action.value]);
      for (NodeId n = 0; n < before.num_nodes(); ++n) {
        const auto was = before.nest(n), is = plan.nest(n);
        REQUIRE(is.size() >= was.size());
        REQUIRE(std::equal(was.begin(), was.end(), is.begin()));
      }
    }
  }
}

TEST_CASE("each cause had decided the axis too, and leads back to an action") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomProgram program = random_program(seed, 40);
    Plan plan(program.graph, mesh("a=2,b=3"));
    for (const RandomAction &action : random_actions(random, program, 2, 8))
      act(plan, action, program.values[action.value]);
    for (NodeId n = 0; n < plan.num_nodes(); ++n)
      for (const auto &e : plan.nest(n)) {
        NodeId at = n;
        size_t steps = 0;
        for (const auto *from = &e; from->cause != graph::kNone; ++steps) {
          REQUIRE(steps < plan.num_nodes());
          at = from->cause;
          from = plan.entry(at, e.axis);
          REQUIRE(from != nullptr);
          REQUIRE(from->tactic == e.tactic);
        }
      }
  }
}
