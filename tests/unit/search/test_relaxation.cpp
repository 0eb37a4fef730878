// SPDX-License-Identifier: Apache-2.0
// No plan costs less than what relax allows: random plans of random programs, and of those of the tree. Of
// small programs all choices are tried.
#include "search/relaxation.hpp"

#include <algorithm>

#include "search/engine.hpp"
#include "solve/solve.hpp"
#include "support/number_of.hpp"
#include "support/searched.hpp"

namespace tw::test_relaxation {

using partition::Plan;
using search::Engine;
using search::Space;
using test::Dice;
using test::slice_of;
using test::small_machine;

namespace {

// Prices of random plans; how near the bound the least is.
void check(const Plan &plan, const system::System &on, Dice &random, int walks) {
  const auto space = Space::create(plan, on, {});
  REQUIRE(space.has_value());
  const auto engine = Engine::create(*space);
  if (!engine)
    return; // its plan cannot be lowered
  const auto relaxed = search::relax(*(*space)->plan, on, {}, &(*space)->few.repeats);
  REQUIRE_MESSAGE(relaxed.has_value(), relaxed.error().message());
  const solve::Bounded bounded = solve::pass_messages(relaxed->model);
  CHECK(bounded.bound <= bounded.cost * (1 + 1e-9));
  const double bound = (bounded.bound + static_cast<double>(relaxed->rest)) * (1 - 1e-9);
  CHECK(bound <= static_cast<double>((*engine)->price().time()));
  const auto &decisions = (*space)->decisions;
  for (int walk = 0; walk < walks && !decisions.empty(); ++walk) {
    std::vector<search::Decision> chosen;
    for (int64_t left = 1 + random.below(6); left > 0; --left)
      chosen.push_back(decisions[static_cast<size_t>(random.below(std::ssize(decisions)))]);
    (*engine)->go_to(chosen);
    CAPTURE(walk);
    CHECK(bound <= static_cast<double>((*engine)->price().time()));
  }
}

} // namespace

TEST_CASE("random plans of random programs cost no less than the bound") {
  for (uint64_t seed = 1; seed <= slice_of(3000, 150); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = test::random_program(random).graph;
    const char *mesh = seed % 3 == 0 ? "a=2,b=4" : seed % 3 == 1 ? "a=3" : "a=2,b=3,c=2";
    check({graph, *sharding::Mesh::parse(mesh)}, small_machine(seed % 2 == 0 ? "1e10" : "1e12"), random, 20);
  }
}

namespace {

// The least that the choices of a model cost, by trying all of them but those that cost more already.
class TryAll {
public:
  TryAll(const solve::Model &model, double most)
      : model_(model), best_(most), rest_(model.costs.size() + 1, 0) {
    edges_.resize(model.costs.size());
    for (const solve::Edge &e : model.edges)
      edges_[std::max(e.first, e.second)].push_back(e);
    for (size_t v = model.costs.size(); v-- > 0;)
      rest_[v] = rest_[v + 1] + *std::ranges::min_element(model.costs[v]);
    choices_.resize(model.costs.size());
  }
  // Nothing where that takes too long; `most` where none cost less.
  std::optional<double> run() {
    visit(0, 0);
    return left_ > 0 ? std::optional(best_) : std::nullopt;
  }

private:
  void visit(size_t v, double sum) {
    if (sum + rest_[v] >= best_ || --left_ <= 0)
      return;
    if (v == choices_.size()) {
      best_ = sum;
      return;
    }
    for (uint32_t c = 0; c < model_.costs[v].size(); ++c) {
      choices_[v] = c;
      double now = sum + model_.costs[v][c];
      for (const solve::Edge &e : edges_[v])
        now += model_.tables[e.table].at(choices_[e.first], choices_[e.second]);
      visit(v + 1, now);
    }
  }

  const solve::Model &model_;
  double best_;
  std::vector<double> rest_; // by variable: what it and those behind it cost at least by themselves
  std::vector<std::vector<solve::Edge>> edges_; // by the later of their variables
  std::vector<uint32_t> choices_;
  int64_t left_ = 1'000'000;
};

} // namespace

TEST_CASE("the solver finds the best choices for small programs") {
  const std::vector<std::string> meshes{"a=2,b=3", "a=2,b=2", "a=4"};
  const auto programs = static_cast<int>(slice_of(300, 30));
  int tried = 0, left_out = 0, spread = 0;
  for (uint64_t seed = 1; tried < programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const Plan plan = test::plan_of(test::random_program(random).graph, random.pick(meshes));
    const auto relaxed = search::relax(plan, small_machine("1e11"), {});
    if (!relaxed || relaxed->model.costs.empty())
      continue;
    solve::Problem problem{relaxed->model, {}, {}};
    problem.uses.resize(problem.model.costs.size());
    const solve::Solved solved = solve::solve(problem, {.rounds = 2000});
    REQUIRE(solved.choices.has_value());
    constexpr double kRounding = 1e-9;
    CHECK(problem.model.cost_of(*solved.choices) == solved.cost);
    const auto best = TryAll(problem.model, solved.cost * (1 + kRounding) + 1).run();
    if (!best) {
      ++left_out;
      continue;
    }
    ++tried;
    CHECK(*best >= solved.cost * (1 - kRounding));
    CHECK(*best <= solved.cost * (1 + kRounding));
    CHECK(solved.bound <= *best * (1 + kRounding));
    CHECK(solve::pass_messages(problem.model).bound <= *best * (1 + kRounding));
    spread += *std::ranges::max_element(*solved.choices) > 0;
  }
  CHECK(spread * 4 > tried);
  MESSAGE(tried << " programs, of " << left_out << " more not all choices can be tried");
}

TEST_CASE("random plans of a training step cost no less than the bound") {
  const auto graph = test::gpt_step();
  Dice random(46);
  for (const char *mesh : {"a=4", "a=2,b=2"})
    check({graph, *sharding::Mesh::parse(mesh)}, small_machine("1e10"), random, 100);
}

} // namespace tw::test_relaxation
