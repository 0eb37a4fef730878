// SPDX-License-Identifier: Apache-2.0
// What says nothing about a program changes nothing of what is found: axes of size 1, names, and the order of
// arguments.
#include "search/search.hpp"

#include <algorithm>

#include "support/number_of.hpp"
#include "support/renumber.hpp"
#include "support/searched.hpp"

namespace tw::test_invariance {

using partition::Plan;
using search::Found;
using search::Limits;
using test::Dice;

namespace {

std::optional<Found> find(const Plan &plan, const system::System &on, uint64_t seed) {
  Limits limits;
  limits.episodes = 200;
  limits.seed = seed;
  auto found = search::search(plan, on, {}, limits);
  if (!found)
    return std::nullopt;
  return *std::move(found);
}

// Axes and factors of an op's nest, by the axes' names; without axes of size 1.
std::vector<std::pair<std::string, int>> nest_of(const Plan &plan, partition::NodeId n) {
  std::vector<std::pair<std::string, int>> nest;
  for (const partition::NestEntry &e : plan.nest(n))
    if (plan.mesh().size(e.axis) > 1)
      nest.emplace_back(plan.mesh().axis(e.axis).name, e.factor);
  return nest;
}

std::shared_ptr<const graph::Graph> draw_program(uint64_t seed, Dice &random) {
  return seed % 4 == 0 ? test::transformer_step(test::random_transformer(random))
                       : test::random_program(random).graph;
}

} // namespace

TEST_CASE("an axis of size 1 changes nothing") {
  const system::System on = test::small_machine();
  const uint64_t programs = test::slice_of(200, 6);
  uint64_t some = 0;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = draw_program(seed, random);
    const auto one = find(test::plan_of(graph, "a=2,b=3"), on, seed);
    if (!one)
      continue; // its plan cannot be lowered
    some += !one->actions.empty();
    const char *meshes[] = {"one=1,a=2,b=3", "a=2,one=1,b=3", "a=2,b=3,one=1"};
    for (uint64_t i = 0; i < test::slice_of(3, 1); ++i) { // a slice: one of them, in turn
      const char *mesh = meshes[(seed + i) % 3];
      CAPTURE(mesh);
      const auto other = find(test::plan_of(graph, mesh), on, seed);
      REQUIRE(other.has_value());
      CHECK(other->actions == one->actions);
      CHECK(other->price == one->price);
      CHECK(other->peak_bytes == one->peak_bytes);
      CHECK(other->bound == one->bound);
      CHECK(other->episodes == one->episodes);
    }
  }
  CHECK(some * 5 > programs);
}

TEST_CASE("names and the order of arguments change nothing") {
  const system::System on = test::small_machine();
  const uint64_t programs = test::slice_of(200, 6);
  uint64_t some = 0;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = draw_program(seed, random);
    const auto one = find(test::plan_of(graph, "a=2,b=3"), on, seed);
    if (!one)
      continue;
    some += !one->actions.empty();
    for (uint64_t order = 1; order <= test::slice_of(3, 1); ++order) {
      CAPTURE(order);
      const test::Renumbered again = test::renumber_arguments(*graph, order);
      const auto other = find(test::plan_of(again.graph, "a=2,b=3"), on, seed);
      REQUIRE(other.has_value());
      CHECK(other->price == one->price);
      CHECK(other->bound == one->bound);
      CHECK(other->actions.size() == one->actions.size());
      int differ = 0;
      for (graph::OpId op = 0; op < graph->ops().size(); ++op)
        differ += nest_of(*one->plan, op) != nest_of(*other->plan, again.op[op]);
      CHECK(differ == 0);
    }
  }
  CHECK(some * 5 > programs);
}

} // namespace tw::test_invariance
