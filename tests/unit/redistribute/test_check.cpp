// SPDX-License-Identifier: Apache-2.0
// The checker passes what is right: plans of every kind for random uneven problems, each moved and compared
// element by element.
#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redistribute/bounds.hpp"
#include "redistribute/check.hpp"
#include "redistribute/cost.hpp"
#include "redistribute/planner.hpp"
#include "support/number_of.hpp"
#include "support/random_problem.hpp"

namespace tw::redistribute_test_check {

using namespace tw::redistribute;
using tw::test::draw;
using tw::test::Random;
using tw::test::RandomProblem;

namespace {

std::string to_text(const Problem &p) {
  return fmt::format("{} of {}: {} {} -> {} {}", tw::graph::to_short_text(p.type()), p.num_devices(),
                     p.src().mesh.text(), to_text(p.src().sharding, p.src().mesh), p.dst().mesh.text(),
                     to_text(p.dst().sharding, p.dst().mesh));
}

// No plan beats what no plan can beat.
void check_bounds(const Plan &plan, const Topology &topology, const PlanCost &cost) {
  const Bounds bounds = find_bounds(*plan.problem, topology, CostModel{});
  INFO(name(plan.method), ", ", to_text(*plan.problem));
  REQUIRE(bounds.b1_max <= cost.received_max);
  REQUIRE(bounds.b1_mean <= cost.received_mean * (1 + 1e-12));
  REQUIRE(bounds.fig11_floor <= plan.fig11_cost);
  REQUIRE(bounds.height_bytes <= cost.height_bytes);
  REQUIRE(bounds.time_us <= cost.time_us * (1 + 1e-12));
  for (size_t level = 0; level < bounds.b2.size(); ++level) {
    REQUIRE(bounds.b2[level] <= tw::test::most_across(plan, topology.groups[level], true));
    if (!bounds.b3.empty())
      REQUIRE(bounds.b3[level] <= tw::test::most_across(plan, topology.groups[level], false));
  }
}

void pass(const Plan &plan, const Topology &topology = {}) {
  const PlanCost cost = find_cost(plan, topology, CostModel{});
  const CheckReport report = check(plan, {.cost = cost});
  if (!report.pass())
    FAIL(name(plan.method), ", ", to_text(*plan.problem), "\n  ",
         fmt::format("{}", fmt::join(report.failures, "\n  ")));
  REQUIRE(report.moved);
  REQUIRE(report.certificate == plan.exact);
  check_bounds(plan, topology, cost);
}

} // namespace

TEST_CASE("random uneven problems: every plan is right, and moves every element to its place") {
  Random random(20211231);
  int problems = 0, partial = 0, crossing = 0;
  const auto all = static_cast<int>(test::slice_of(20'000, 2'000));
  while (problems < all) {
    const auto problem = tw::test::random_problem(random);
    if (problem == nullptr)
      continue;
    ++problems;
    partial += !problem->combined().empty();
    crossing += !problem->same_mesh();
    pass(tw::test::direct_plan_of(problem));
    if (!problem->combined().empty())
      pass(tw::test::combine_plan_of(problem));
    if (problems % 2 == 0) {
      const Topology topology = tw::test::random_topology(random, problem->num_devices());
      pass(tw::test::level_plan_of(problem, topology), topology);
      if (problems % 8 == 0)
        pass(tw::test::relay_plan_of(problem, topology, draw(random, 1, 5)), topology);
    }
  }
  CHECK(partial > all / 10);
  CHECK(crossing > all / 10);
}

TEST_CASE("everything that the planner makes is right, proofs included") {
  Random random(3);
  int sequences = 0, excluding = 0;
  const auto all = static_cast<int>(tw::test::slice_of(3'000, 400));
  for (int problems = 0; problems < all;) {
    const auto problem =
        tw::test::random_problem(random, {.partial = problems % 4 == 0, .balanced = problems % 8 != 1});
    if (problem == nullptr)
      continue;
    ++problems;
    PlanOptions options;
    options.topology = tw::test::random_topology(random, problem->num_devices());
    const auto plans = make_plans(problem, options);
    REQUIRE(plans.has_value());
    for (const Costed &costed : *plans) {
      pass(*costed.plan, options.topology);
      sequences += costed.plan->method >= Method::scalar;
      excluding += !costed.plan->certificate.excluded.empty();
    }
  }
  CHECK(sequences * 3 > all * 2);
  CHECK(excluding * 30 > all);
}

} // namespace tw::redistribute_test_check
