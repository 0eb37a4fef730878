// SPDX-License-Identifier: Apache-2.0
// On random programs with random actions: renumbering the ops changes nothing, undo restores the state,
// derived layouts are well formed, and an earlier decision is never undone.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "random_values.hpp"
#include "spmd/moved_bytes.hpp"
#include "support/same_plan.hpp"

namespace tw::test_random {

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

} // namespace

TEST_CASE("renumbering ops and arguments changes nothing") {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomValues program = random_values(seed, 10 + random() % 40);
    const Renumbered other = renumber(*program.graph, seed + 1000);
    REQUIRE(ops::verify(*other.graph));
    const sharding::Mesh m = mesh(kMeshes[random() % std::size(kMeshes)]);
    Plan plan(program.graph, m), again(other.graph, m);
    constexpr partition::Policy kPolicies[] = {partition::Policy::shardy, partition::Policy::cheapest,
                                               partition::Policy::explicit_};
    if (seed % 2 == 0)
      for (Plan *p : {&plan, &again})
        p->set_policy(kPolicies[seed / 2 % 3], seed % 4 == 0 ? spmd::count_moves : nullptr);
    for (const RandomAction &action : random_actions(random, program, m.num_axes(), 8)) {
      const ValueId v = program.values[action.value];
      REQUIRE(act(plan, action, v) == act(again, action, other.value[v]));
    }
    check_well_formed(plan);
    REQUIRE(difference(plan, again, other) == "");
  }
}

TEST_CASE("what is silent at first stays where it was put, and numbering means nothing to it") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomValues program = random_values(seed, 10 + random() % 40);
    const Renumbered other = renumber(*program.graph, seed + 1000);
    const sharding::Mesh m = mesh(kMeshes[random() % std::size(kMeshes)]);
    Plan plan(program.graph, m), again(other.graph, m);
    partition::ActionSet silent;
    for (const RandomAction &action : random_actions(random, program, m.num_axes(), 8))
      if (action.what == RandomAction::tile) {
        const ValueId v = program.values[action.value];
        REQUIRE(act(plan, action, v) == act(again, action, other.value[v]));
        if (random() % 2 == 0)
          silent.insert(static_cast<partition::ActionId>(plan.actions().size() - 1));
      }
    Plan stated = plan;
    for (Plan *p : {&plan, &again})
      p->propagate(partition::Mode::infer_propagate, silent);
    // What is stated, in the parts into which waves split axes.
    for (uint16_t axis = 0; axis < plan.mesh().num_axes(); ++axis)
      if (stated.mesh().size(axis) != plan.mesh().size(axis))
        REQUIRE(stated.refine(axis, plan.mesh().size(axis)));
    for (NodeId n = 0; n < stated.num_nodes(); ++n) {
      REQUIRE(std::ranges::equal(stated.nest(n), plan.nest(n).first(stated.nest(n).size())));
      for (const auto &e : plan.nest(n))
        REQUIRE((e.cause == graph::kNone || !silent.contains(e.action)));
    }
    const auto stamp = plan.stamp();
    const Plan before = plan;
    for (Plan *p : {&plan, &again})
      p->propagate(partition::Mode::infer_propagate, {}, silent);
    check_well_formed(plan);
    REQUIRE(difference(plan, again, other) == "");
    plan.undo_to(stamp);
    REQUIRE(plan.same_state(before));
  }
}

TEST_CASE("undo restores the state, and what follows comes out the same") {
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RandomValues program = random_values(seed, 30);
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
    const RandomValues program = random_values(seed, 30);
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
    const RandomValues program = random_values(seed, 40);
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
          REQUIRE(from->action == e.action);
        }
      }
  }
}

} // namespace tw::test_random
