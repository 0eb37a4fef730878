// SPDX-License-Identifier: Apache-2.0
// What a plan costs, kept while actions come and go, is what its program costs when lowered from the
// beginning.
#include <doctest/doctest.h>

#include <algorithm>

#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "spmd/program.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/tree_programs.hpp"

namespace tw::test_price {

using namespace tw::test;
using cost::Price;
using partition::NodeId;
using partition::Plan;

namespace {

system::System machine(const std::string &more = "") {
  auto made = system::parse("[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e11 launch_s=1e-6\n"
                            "[eff] matmul=0:0.1,16:0.6,128:0.9\n[axis *] bw=1e10 lat=1e-6 base=5e-6\n" +
                                more,
                            "test.conf");
  REQUIRE(made.has_value());
  return *made;
}

// A plan that cannot be lowered is none of ours.
bool is_lowered(const Plan &plan) { return spmd::lower(plan, spmd::counted_options()).has_value(); }

Price from_the_beginning(const Plan &plan, const system::System &on) {
  const auto program = spmd::lower(plan, spmd::counted_options());
  REQUIRE(program.has_value());
  return cost::price_of(**program, on);
}

void check_equal(const Price &price, const Price &wanted) {
  REQUIRE(price.computing == wanted.computing);
  REQUIRE(price.moving == wanted.moving);
  REQUIRE(price.received == wanted.received);
  REQUIRE(price.peak == wanted.peak);
}

struct Figures {
  int64_t actions = 0, refused = 0, others = 0, moving = 0;
};

// One dimension of what a node makes over an axis, and what follows from it. False: it is refused.
bool act(Plan &plan, Dice &random) {
  const auto n = static_cast<NodeId>(random.below(static_cast<int64_t>(plan.num_nodes())));
  const auto axis = static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes())));
  const auto &factors = plan.rule(n).factors;
  if (factors.empty() || !plan.takes_part(n) || plan.is_source(n))
    return false;
  plan.begin_action({"random", {}});
  if (!plan.set(n, axis, static_cast<ops::FactorId>(random.below(static_cast<int64_t>(factors.size())))))
    return false;
  if (!random.chance(4))
    plan.propagate(random.chance(2) ? partition::Mode::infer_propagate : partition::Mode::propagate);
  return true;
}

void check_program(const std::shared_ptr<const graph::Graph> &graph, const sharding::Mesh &mesh,
                   const system::System &on, uint64_t actions, Dice &random, Figures &figures) {
  Plan plan(graph, mesh);
  auto price = cost::PlanPrice::create(plan, on);
  REQUIRE(price.has_value());
  check_equal((*price)->price(), from_the_beginning(plan, on));
  for (uint64_t a = 0; a < actions; ++a) {
    const Plan::Stamp before = plan.stamp();
    const Price was = (*price)->price();
    if (!act(plan, random)) {
      plan.undo_to(before);
      ++figures.refused;
      continue;
    }
    const auto changed = plan.changed_since(before);
    if (!changed || !is_lowered(plan)) { // an axis became two
      plan.undo_to(before);
      ++figures.others;
      continue;
    }
    CAPTURE(a);
    REQUIRE((*price)->update(*changed));
    check_equal((*price)->price(), from_the_beginning(plan, on));
    ++figures.actions;
    figures.moving += !((*price)->price() == was);
    if (random.chance(4))
      continue; // it stays
    plan.undo_to(before);
    if (random.chance(3))
      REQUIRE((*price)->update(*changed));
    else
      (*price)->undo();
    check_equal((*price)->price(), was);
  }
}

} // namespace

TEST_CASE("random programs: each price is that of the program lowered from the beginning") {
  Figures figures;
  for (uint64_t seed = 1; seed <= slice_of(1200, 60); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    sharding::Mesh mesh = random_mesh(random);
    if (seed % 16 == 0)
      mesh = with_random_loops(mesh, random);
    check_program(program.graph, mesh, machine(seed % 3 == 0 ? "[overlap] enabled=0\n" : ""), 25, random,
                  figures);
  }
  CHECK(figures.actions * 2 > figures.refused);
  CHECK(figures.moving * 2 > figures.actions);
}

// What comes again is found in a table; in a small one it is not.
TEST_CASE("random programs: a few actions to and fro, each price is that of the program lowered anew") {
  int64_t applied = 0;
  for (uint64_t seed = 1; seed <= slice_of(300, 20); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    Plan plan(program.graph, random_mesh(random));
    const system::System on = machine();
    auto made = cost::PlanPrice::create(plan, on);
    REQUIRE(made.has_value());
    cost::PlanPrice &price = **made;
    if (seed % 4 == 0)
      price.set_most_words(0);
    std::vector<uint64_t> actions; // a seed each, of one that can be lowered from the beginning
    for (int tries = 0; tries < 40 && actions.size() < 4; ++tries) {
      const uint64_t action = seed * 1000 + static_cast<uint64_t>(tries);
      Dice its(action);
      const Plan::Stamp before = plan.stamp();
      if (act(plan, its) && is_lowered(plan))
        actions.push_back(action);
      plan.undo_to(before);
    }
    std::vector<Plan::Stamp> stamps;
    std::vector<Price> prices;
    for (int step = 0; step < 40 && !actions.empty(); ++step) {
      if (!stamps.empty() && random.chance(2)) {
        price.undo();
        plan.undo_to(stamps.back());
        check_equal(price.price(), prices.back());
        stamps.pop_back();
        prices.pop_back();
        continue;
      }
      const Plan::Stamp before = plan.stamp();
      Dice its(actions[static_cast<size_t>(random.below(static_cast<int64_t>(actions.size())))]);
      const bool acts = act(plan, its);
      const auto changed = plan.changed_since(before);
      if (!acts || !changed || !is_lowered(plan)) {
        plan.undo_to(before);
        continue;
      }
      stamps.push_back(before);
      prices.push_back(price.price());
      REQUIRE(price.update(*changed));
      check_equal(price.price(), from_the_beginning(plan, on));
      ++applied;
    }
  }
  CHECK(applied > 100);
}

TEST_CASE("programs of the tree: each price is that of the program lowered from the beginning") {
  constexpr size_t kMostOps = 1200; // each price is compared with a whole lowering
  Figures figures;
  Dice random(number_of("TW_SEED", 1));
  for (const TreeProgram &program : tree_programs()) {
    if (program.imported.graph->ops().size() > kMostOps)
      continue;
    CAPTURE(program.name);
    check_program(program.imported.graph, *sharding::Mesh::parse("a=2,b=4"), machine(), slice_of(100, 10),
                  random, figures);
  }
  CHECK(figures.actions > 100);
  CHECK(figures.moving > 50);
}

TEST_CASE("the most of what lies in memory at a time: more places than one block has") {
  cost::PeakTree tree(1000);
  tree.add(0, 999, 1);
  tree.add(60, 70, 10);
  tree.add(700, 999, 5);
  CHECK(tree.most() == 11);
  tree.add(999, 999, 6);
  CHECK(tree.most() == 12);
  tree.add(999, 999, -6);
  tree.add(63, 64, 2);
  CHECK(tree.most() == 13);
}

TEST_CASE("the most of what lies in memory at a time") {
  cost::PeakTree tree(5);
  tree.add(0, 4, 10);
  tree.add(1, 2, 5);
  tree.add(2, 3, 7);
  CHECK(tree.most() == 22);
  tree.add(1, 2, -5);
  CHECK(tree.most() == 17);
  tree.add(4, 4, 100);
  CHECK(tree.most() == 110);
  Dice random(7);
  for (uint32_t places = 1; places <= 270; ++places) {
    cost::PeakTree some(places);
    std::vector<int64_t> all(places, 0);
    struct Range {
      uint32_t first, last;
      int64_t bytes;
    };
    std::vector<Range> there;
    const auto put = [&](const Range &range, int sign) {
      some.add(range.first, range.last, sign * range.bytes);
      for (uint32_t p = range.first; p <= range.last; ++p)
        all[p] += sign * range.bytes;
      REQUIRE(some.most() == std::ranges::max(all));
    };
    for (int i = 0; i < 50; ++i) {
      const auto first = static_cast<uint32_t>(random.below(places));
      there.push_back(
          {first, first + static_cast<uint32_t>(random.below(places - first)), random.below(200)});
      put(there.back(), 1);
      if (random.chance(3)) {
        std::swap(there.back(), there[static_cast<size_t>(random.below(static_cast<int64_t>(there.size())))]);
        put(there.back(), -1);
        there.pop_back();
      }
    }
  }
}

} // namespace tw::test_price
