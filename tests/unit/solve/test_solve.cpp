// SPDX-License-Identifier: Apache-2.0
// Random problems that are small enough to try everything: what is found costs what the best does, and
// bounds, reductions and moves keep what they promise.
#include "solve/solve.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "solve/flat.hpp"
#include "solve/messages.hpp"
#include "solve/narrow.hpp"
#include "solve/random.hpp"
#include "solve/reduce.hpp"
#include "solve/sweep.hpp"

namespace tw::test_solve {

using solve::Cost;
using solve::kNever;
using solve::Problem;
using solve::Random;
using Choices = std::vector<uint32_t>;

namespace {

struct Kind {
  size_t variables = 8, choices = 4;
  int never = 0;      // one in so many costs is kNever; 0: none
  bool equal = false; // some edges tie choices to each other
  bool memory = false;
};

Cost draw_cost(Random &random, const Kind &kind) {
  return kind.never > 0 && random.below(static_cast<size_t>(kind.never)) == 0
             ? kNever
             : static_cast<Cost>(random.below(50));
}

// Parallel edges, edges from a variable to itself and variables on their own come by themselves.
Problem draw(Random &random, const Kind &kind) {
  Problem problem;
  const size_t variables = 1 + random.below(kind.variables);
  for (size_t v = 0; v < variables; ++v) {
    std::vector<Cost> costs(1 + random.below(kind.choices));
    for (Cost &cost : costs)
      cost = draw_cost(random, kind);
    problem.model.costs.push_back(std::move(costs));
  }
  const size_t edges = random.below(2 * variables + 1);
  for (size_t e = 0; e < edges; ++e) {
    const auto first = static_cast<uint32_t>(random.below(variables));
    const auto second = static_cast<uint32_t>(random.below(variables));
    solve::Table table;
    table.rows = static_cast<uint32_t>(problem.model.costs[first].size());
    table.columns = static_cast<uint32_t>(problem.model.costs[second].size());
    const bool ties = kind.equal && random.below(3) == 0;
    for (uint32_t i = 0; i < table.rows; ++i)
      for (uint32_t j = 0; j < table.columns; ++j)
        table.costs.push_back(ties ? (i % table.columns == j ? 0 : kNever) : draw_cost(random, kind));
    problem.model.edges.push_back({first, second, static_cast<uint32_t>(problem.model.tables.size())});
    problem.model.tables.push_back(std::move(table));
  }
  problem.uses.resize(variables);
  if (!kind.memory)
    return problem;
  const size_t points = 1 + random.below(6);
  for (size_t p = 0; p < points; ++p)
    problem.limits.push_back(static_cast<Cost>(2 + random.below(5 * variables)));
  for (size_t v = 0; v < variables; ++v)
    for (size_t n = random.below(3); n > 0; --n) {
      const auto begin = static_cast<uint32_t>(random.below(points));
      const auto end = begin + 1 + static_cast<uint32_t>(random.below(points - begin));
      solve::Use use{begin, end, {}};
      for (size_t k = 0; k < problem.model.costs[v].size(); ++k)
        use.amounts.push_back(static_cast<Cost>(random.below(10)));
      problem.uses[v].push_back(std::move(use));
    }
  return problem;
}

bool fits(const Problem &problem, const Choices &choices) {
  return solve::overflow_of(solve::usage_of(problem, choices), problem.limits) == 0;
}

// The least cost of all choices that fit; kNever where there are none.
Cost best_of(const Problem &problem) {
  const auto &costs = problem.model.costs;
  Choices choices(costs.size(), 0);
  Cost best = kNever;
  while (true) {
    if (const Cost cost = problem.model.cost_of(choices); cost < best && fits(problem, choices))
      best = cost;
    size_t v = 0;
    while (v < choices.size() && ++choices[v] == costs[v].size())
      choices[v++] = 0;
    if (v == choices.size())
      return best;
  }
}

constexpr Kind kKinds[] = {
    {},
    {.memory = true},
    {.never = 4},
    {.never = 4, .memory = true},
    {.never = 8, .equal = true},
    {.never = 8, .equal = true, .memory = true},
    {.variables = 12, .choices = 2, .memory = true},
    {.variables = 5, .choices = 7, .never = 3, .memory = true},
};

} // namespace

TEST_CASE("what is found costs what the best of all choices does") {
  Random random(1);
  int none = 0, some = 0;
  for (int n = 0; n < 300; ++n)
    for (const Kind &kind : kKinds) {
      const Problem problem = draw(random, kind);
      CAPTURE(n);
      const Cost best = best_of(problem);
      const solve::Solved solved = solve::solve(problem, {.rounds = 20'000});
      REQUIRE(solved.choices.has_value() == (best < kNever));
      ++(solved.choices ? some : none);
      REQUIRE(solved.cost == best);
      REQUIRE(solved.bound == best);
      if (solved.choices) {
        REQUIRE(problem.model.cost_of(*solved.choices) == best);
        REQUIRE(fits(problem, *solved.choices));
      }
    }
  CHECK(none > 100);
  CHECK(some > 1000);
}

TEST_CASE("what is found depends on the rounds and the seed alone, and is within its bound") {
  Random random(2);
  for (int n = 0; n < 6; ++n) {
    const Problem problem = draw(random, {.variables = 60, .choices = 6, .memory = true});
    const solve::Effort effort{.rounds = 300, .seed = 7};
    const solve::Solved once = solve::solve(problem, effort), again = solve::solve(problem, effort);
    CHECK(once.choices == again.choices);
    CHECK(once.rounds == again.rounds);
    CHECK(once.bound == again.bound);
    CHECK(once.bound <= once.cost);
    if (once.choices) {
      CHECK(problem.model.cost_of(*once.choices) == once.cost);
      CHECK(fits(problem, *once.choices));
    }
  }
}

TEST_CASE("it can be ended, with what it has") {
  Random random(3);
  const Problem problem = draw(random, {.variables = 60, .choices = 6});
  const solve::Solved solved =
      solve::solve(problem, {.stop = [](const solve::Progress &now) { return now.rounds == 2; }});
  CHECK(solved.rounds <= 2);
}

TEST_CASE("messages bound from below what their choices cost") {
  Random random(4);
  for (int n = 0; n < 300; ++n) {
    Problem problem = draw(random, {.never = n % 2 == 0 ? 6 : 0});
    std::erase_if(problem.model.edges, [](const solve::Edge &e) { return e.first == e.second; });
    const Cost best = best_of(problem);
    const solve::Bounded bounded = solve::pass_messages(problem.model);
    CAPTURE(n);
    REQUIRE(bounded.bound <= best + 1e-6);
    REQUIRE(bounded.cost >= best);
    if (!bounded.choices.empty())
      REQUIRE(problem.model.cost_of(bounded.choices) == bounded.cost);
  }
}

TEST_CASE("a reduced problem has the same best cost, and its choices are choices of the whole") {
  Random random(5);
  for (int n = 0; n < 300; ++n)
    for (const Kind &kind : kKinds) {
      const Problem problem = draw(random, kind);
      const solve::Reduced reduced = *solve::reduce(problem);
      const Cost best = best_of(problem);
      CAPTURE(n);
      if (!reduced.possible) {
        REQUIRE(best == kNever);
        continue;
      }
      REQUIRE(best_of(reduced.problem) + reduced.paid == best);
      Choices drawn;
      for (const auto &costs : reduced.problem.model.costs)
        drawn.push_back(static_cast<uint32_t>(random.below(costs.size())));
      const Choices whole = reduced.expand(drawn);
      REQUIRE(problem.model.cost_of(whole) == reduced.problem.model.cost_of(drawn) + reduced.paid);
      REQUIRE(fits(problem, whole) == fits(reduced.problem, drawn));
    }
}

TEST_CASE("a narrowed model has the choices that messages suggest, and costs what they do") {
  Random random(7);
  int best_kept = 0;
  for (int n = 0; n < 300; ++n) {
    Problem problem = draw(random, {.choices = 6, .never = n % 2 == 0 ? 6 : 0});
    std::erase_if(problem.model.edges, [](const solve::Edge &e) { return e.first == e.second; });
    const solve::Bounded bounded = solve::pass_messages(problem.model);
    for (const size_t most : {1, 2, 6}) {
      const solve::Narrowed narrowed = solve::narrow(problem.model, bounded, most);
      CAPTURE(n);
      CAPTURE(most);
      Choices drawn, suggested;
      for (uint32_t v = 0; v < narrowed.kept.size(); ++v) {
        const auto &kept = narrowed.kept[v];
        REQUIRE(kept.size() == std::min(most, problem.model.costs[v].size()));
        REQUIRE(narrowed.model.costs[v].size() == kept.size());
        drawn.push_back(static_cast<uint32_t>(random.below(kept.size())));
        if (!bounded.choices.empty())
          suggested.push_back(
              static_cast<uint32_t>(std::ranges::find(kept, bounded.choices[v]) - kept.begin()));
      }
      REQUIRE(narrowed.model.cost_of(drawn) == problem.model.cost_of(narrowed.expand(drawn)));
      if (!bounded.choices.empty())
        REQUIRE(narrowed.expand(suggested) == bounded.choices);
      problem.uses.assign(problem.model.costs.size(), {});
      const Problem few{narrowed.model, problem.uses, {}};
      if (most == 2)
        best_kept += best_of(few) == best_of({problem.model, problem.uses, {}});
    }
  }
  CHECK(best_kept > 250);
}

TEST_CASE("whoever stops a reduction gets none, and is not asked again") {
  Random random(7);
  const Problem problem = draw(random, {.variables = 8, .choices = 4});
  int asked = 0, most = 0; // asks; 0: nobody stops it
  const auto stop = [&] { return ++asked == most; };
  REQUIRE(solve::reduce(problem, stop).has_value());
  const int all = asked;
  REQUIRE(all > 20);
  for (most = 1; most <= all; ++most) {
    asked = 0;
    CHECK(!solve::reduce(problem, stop).has_value());
    CHECK(asked == most);
  }
}

TEST_CASE("a sweep finds the best of what is free, whatever the largest table") {
  Random random(6);
  for (int n = 0; n < 200; ++n) {
    Problem problem = draw(random, {.variables = 7, .choices = 4});
    std::erase_if(problem.model.edges, [](const solve::Edge &e) { return e.first == e.second; });
    const auto variables = static_cast<uint32_t>(problem.model.costs.size());
    std::vector<uint32_t> free;
    for (uint32_t v = 0; v < variables; ++v)
      if (random.below(4) != 0)
        free.push_back(v);
    const solve::Flat flat(problem.model);
    solve::Sweep sweep(problem.model, flat);
    sweep.plan(free, random.below(2) == 0 ? 8 : 1'000'000, random);
    const Choices before(variables, 0);
    Choices after = before;
    sweep.run(flat.costs, after);
    // The same problem with what is not in the plan's order fixed.
    Problem fixed = problem;
    for (uint32_t v = 0; v < variables; ++v)
      if (std::ranges::find(sweep.order(), v) == sweep.order().end()) {
        REQUIRE(after[v] == 0);
        for (size_t k = 1; k < fixed.model.costs[v].size(); ++k)
          fixed.model.costs[v][k] = kNever;
      }
    CAPTURE(n);
    REQUIRE(problem.model.cost_of(after) == best_of(fixed));
    REQUIRE(sweep.difference(sweep.order(), before, after) ==
            problem.model.cost_of(after) - problem.model.cost_of(before));
  }
}

} // namespace tw::test_solve
