// SPDX-License-Identifier: Apache-2.0
// No plan costs less than what relax allows: random plans of random programs, and of those of the tree. Of
// small programs all choices are tried.
#include "search/relaxation.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>

#include "search/distances.hpp"
#include "search/engine.hpp"
#include "search/search.hpp"
#include "sharding/spans_text.hpp"
#include "solve/messages.hpp"
#include "solve/solve.hpp"
#include "spmd/kept_lowering.hpp"
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

TEST_CASE("nothing moves from tiles with halos but what lies in them") {
  const auto graph = test::graph_of("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                                    "  %0 = stablehlo.tanh %a : tensor<8xf32>\n"
                                    "  return %0 : tensor<8xf32>\n}\n");
  const Plan plan(graph, *sharding::Mesh::parse("a=2"));
  const auto kept = spmd::KeptLowering::create(plan);
  REQUIRE(kept.has_value());
  const auto on = small_machine("1e10");
  const cost::Terms terms(*graph, plan.rules(), plan.mesh(), on);
  const graph::TensorType type{graph::DType::f32, {8}};
  const auto layout = [&](int64_t before, int64_t after) {
    auto tiled = sharding::Sharding::replicated(1);
    tiled.dims[0].axes = {0};
    if (before + after > 0)
      tiled.dims[0].rule = sharding::spans_around(tiled.dims[0], {before, after}, 8, plan.mesh());
    return (*kept)->lowering().intern(std::move(tiled), type);
  };
  const auto tiles = layout(0, 0), before = layout(1, 0), after = layout(0, 1), both = layout(1, 1);
  search::Distances distances((*kept)->lowering(), terms, graph->value(0).type);
  for (const auto each : {tiles, before, after, both})
    distances.add(each);
  distances.close();
  CHECK(distances.of(both, before) < distances.of(tiles, before));
  CHECK(distances.of(before, after) == distances.of(before, tiles) + distances.of(tiles, after));
}

TEST_CASE("random plans of random programs cost no less than the bound") {
  for (uint64_t seed = 1; seed <= slice_of(3000, 24); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = test::random_program(random).graph;
    // Three axes take a hundred times as long.
    const char *mesh = seed % 9 == 2 ? "a=2,b=3,c=2" : seed % 3 == 0 ? "a=2,b=4" : "a=3";
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
    double combinations = 1;
    for (const auto &costs : model_.costs)
      combinations *= static_cast<double>(costs.size());
    constexpr double kTooMany = 1e16; // of so many, too few are left out below
    if (combinations > kTooMany)
      return std::nullopt;
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
  const auto programs = static_cast<int>(slice_of(300, 12));
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

namespace {

// What the cheapest of all plans takes, whatever leads to it: each op has each nest of the relaxation.
cost::Picoseconds least_of_plans(const Plan &plan, const system::System &on,
                                 const search::Relaxation &relaxed) {
  std::vector<std::pair<partition::NodeId, std::vector<search::Nest>>> ops;
  for (uint32_t v = 0; v < relaxed.ops.size(); ++v) {
    if (relaxed.ops[v] == graph::kNone)
      continue;
    std::vector<search::Nest> nests = relaxed.nests[relaxed.kinds[v]];
    std::ranges::sort(nests);
    nests.erase(std::unique(nests.begin(), nests.end()), nests.end());
    ops.emplace_back(relaxed.ops[v], std::move(nests));
  }
  cost::Picoseconds least = std::numeric_limits<cost::Picoseconds>::max();
  Plan now = plan;
  const auto visit = [&](const auto &self, size_t at) -> void {
    if (at == ops.size()) {
      if (const auto price = cost::PlanPrice::create(now, on))
        least = std::min(least, (*price)->price().time());
      return;
    }
    for (const search::Nest &nest : ops[at].second) {
      const Plan::Stamp before = now.stamp();
      if (std::ranges::all_of(nest, [&](const auto &loop) {
            return now.set(ops[at].first, loop.first, loop.second).has_value();
          }))
        self(self, at + 1);
      now.undo_to(before);
    }
  };
  visit(visit, 0);
  return least;
}

// tanh(x w) v, of x[m,k], w[k,n] and v[n,p].
std::string products(int m, int k, int n, int p) {
  const auto type = [](int rows, int columns) { return fmt::format("tensor<{}x{}xf32>", rows, columns); };
  return fmt::format("func.func @main(%x: {0}, %w: {1}, %v: {2}) -> {4} {{\n"
                     "%a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({0}, {1}) -> {3}\n"
                     "%b = stablehlo.tanh %a : {3}\n"
                     "%c = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0] : ({3}, {2}) -> {4}\n"
                     "return %c : {4}\n}}\n",
                     type(m, k), type(k, n), type(n, p), type(m, n), type(m, p));
}

} // namespace

TEST_CASE("a bound that is proven is the least of all choices") {
  int exact = 0;
  for (uint64_t seed = 1; seed <= slice_of(4000, 100); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const Plan plan(test::random_program(random).graph, *sharding::Mesh::parse("a=2"));
    const system::System on = small_machine("1e11");
    const auto relaxed = search::relax(plan, on, {});
    if (!relaxed)
      continue;
    const auto least = TryAll(relaxed->model, solve::kNever).run();
    if (!least)
      continue;
    const auto stop = [](cost::Picoseconds) { return false; };
    const auto proven = static_cast<double>(search::prove(*relaxed, {}, stop) - relaxed->rest);
    CHECK(proven <= *least);
    CHECK(proven >= *least * (1 - 1e-8) - 2);
    CHECK(search::solve(*relaxed, {.bounding = 1e6}).bound <=
          proven + static_cast<double>(relaxed->rest) + 2);
    ++exact;
  }
  CHECK(exact >= 20);
  MESSAGE(exact << " programs");
}

TEST_CASE(
    "small programs: what is called optimal is the cheapest of all plans, and the cheapest is so called") {
  int programs = 0, cheapest = 0, optimal = 0;
  for (const char *bandwidth : {"1e9", "1e10", "1e11"})
    for (const std::array<int, 4> &sizes : {std::array{64, 64, 64, 64},
                                            {512, 64, 512, 64},
                                            {64, 512, 2048, 512},
                                            {4096, 64, 256, 64},
                                            {8, 1024, 1024, 8}}) {
      const auto &[m, k, n, p] = sizes;
      const Plan plan(test::graph_of(products(m, k, n, p)), *sharding::Mesh::parse("a=4"));
      const system::System on = small_machine(bandwidth);
      search::Limits limits;
      limits.episodes = 200;
      limits.exact = true;
      const auto found = search::search(plan, on, {}, limits);
      REQUIRE(found.has_value());
      const auto relaxed = search::relax(plan, on, {});
      REQUIRE(relaxed.has_value());
      const cost::Picoseconds least = least_of_plans(plan, on, *relaxed);
      CAPTURE(fmt::format("{} {}: {} of all plans, {} found, bound {}", bandwidth, fmt::join(sizes, " "),
                          least, found->price.time(), found->bound));
      CHECK(found->bound <= least);
      CHECK(least <= found->price.time());
      if (found->ending == search::Ending::optimal)
        CHECK(static_cast<double>(found->price.time()) <= static_cast<double>(least) * (1 + 1e-6));
      ++programs;
      cheapest += found->price.time() == least;
      optimal += found->ending == search::Ending::optimal;
    }
  MESSAGE(programs << " programs, of which the cheapest plan was found of " << cheapest << ", and proven of "
                   << optimal);
  CHECK(cheapest == programs);
  CHECK(optimal == programs);
}

// A layer hands on to the next one what that one wants, though the next one is not there.
TEST_CASE("few layers are bounded by what all are") {
  for (const char *mesh : {"a=4", "a=2,b=2"}) {
    const Plan plan(
        test::transformer_step("--layers 8 --heads 4 --d 64 --ffn 256 --vocab 64 --seq 16 --batch 8 "
                               "--type f32"),
        *sharding::Mesh::parse(mesh));
    const system::System on = small_machine("1e10");
    const auto space = Space::create(plan, on, {});
    REQUIRE(space.has_value());
    REQUIRE(!(*space)->all_layers);
    const auto few = search::relax(*(*space)->plan, on, {}, &(*space)->few.repeats);
    const auto all = search::relax(plan, on, {});
    REQUIRE(few.has_value());
    REQUIRE(all.has_value());
    constexpr search::Effort kLong{.bounding = 1e12};
    const auto of_few = static_cast<double>(search::solve(*few, kLong).bound);
    const auto of_all = static_cast<double>(search::solve(*all, kLong).bound);
    CAPTURE(mesh);
    CHECK(of_few >= 0.99 * of_all);
    CHECK(of_few <= 1.01 * of_all);
  }
}

TEST_CASE("random plans of a training step cost no less than the bound") {
  const auto graph = test::gpt_step();
  Dice random(46);
  for (const char *mesh : {"a=4", "a=2,b=2"})
    check({graph, *sharding::Mesh::parse(mesh)}, small_machine("1e10"), random, 100);
}

} // namespace tw::test_relaxation
