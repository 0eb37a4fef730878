// SPDX-License-Identifier: Apache-2.0
// What a search finds: the same on any number of threads and under any names, never dearer than what
// everybody would try first, and on small programs what trying everything finds.
#include "search/search.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "partition/annotations.hpp"
#include "partition/spec.hpp"
#include "search/strategy.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/towers.hpp"
#include "support/unit.hpp"

namespace tw::test_search {

using partition::Plan;
using search::Driver;
using search::Engine;
using search::Found;
using search::Limits;
using search::Space;
using test::Dice;
using test::graph_of;
using test::slice_of;
using test::Tower;
using test::TowerText;

namespace {

system::System machine(const std::string &bandwidth = "1e10") {
  auto made = system::parse("[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e11 launch_s=1e-8\n"
                            "[eff] matmul=0:0.1,16:0.6,128:0.9\n[axis *] bw=" +
                                bandwidth + " lat=1e-7 base=5e-7\n",
                            "test.conf");
  REQUIRE(made.has_value());
  return *made;
}

Plan plan_of(const std::shared_ptr<const graph::Graph> &graph, const std::string &mesh) {
  return {graph, *sharding::Mesh::parse(mesh)};
}

Found find(const Plan &plan, const system::System &on, Limits limits = {}) {
  if (limits.episodes > 2000)
    limits.episodes = 300;
  auto found = search::search(plan, on, {}, limits);
  REQUIRE_MESSAGE(found.has_value(), found.error().message());
  return *std::move(found);
}

std::shared_ptr<const graph::Graph> step() {
  std::ifstream file(test::source_path("examples/models/gpt_step.mlir"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return graph_of(text);
}

} // namespace

TEST_CASE("threads change nothing that is found") {
  const Plan plan = plan_of(step(), "data=2,model=2");
  const system::System on = machine();
  Limits limits;
  limits.episodes = 200;
  limits.seed = 7;
  std::vector<std::string> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    limits.threads = threads;
    const Found found = find(plan, on, limits);
    CHECK(found.episodes == limits.episodes);
    if (first.empty())
      first = found.actions;
    CHECK(found.actions == first);
  }
  REQUIRE(!first.empty());
}

TEST_CASE("names, the order of arguments and axes of size 1 change no cost") {
  const system::System on = machine();
  std::mt19937 random(46);
  const Tower tower{.layers = 6, .width = 64, .inside = 256};
  const Found wanted = find(plan_of(graph_of(TowerText::of({tower}, nullptr)), "a=4"), on);
  for (int i = 0; i < 5; ++i) {
    const auto graph = graph_of(TowerText::of({tower}, &random, i % 2 == 0));
    CHECK(find(plan_of(graph, "a=4"), on).price.time() == wanted.price.time());
    CHECK(find(plan_of(graph, "one=1,a=4"), on).price.time() == wanted.price.time());
  }
}

TEST_CASE("the plan that is found is that of its spec, costs what is said, and no more than the templates") {
  const system::System on = machine();
  for (const char *mesh : {"a=4", "a=2,b=4"}) {
    CAPTURE(mesh);
    const Plan plan = plan_of(step(), mesh);
    const Found found = find(plan, on);
    Plan again = plan;
    REQUIRE(partition::apply_spec(again, found.spec, "found"));
    for (partition::NodeId n = 0; n < again.num_nodes(); ++n)
      REQUIRE(std::ranges::equal(again.nest(n), found.plan->nest(n)));
    const auto program = spmd::lower(again, spmd::counted_options());
    REQUIRE(program.has_value());
    CHECK(cost::price_of(**program, on) == found.price);
    CHECK(found.bound <= found.price.time());
    CHECK(found.gap() >= 0);
    REQUIRE(found.tried.size() > 3);
    for (const search::Tried &tried : found.tried)
      CHECK(found.price.time() <= tried.price.time());
  }
}

TEST_CASE("more memory or a faster link never costs more") {
  const Plan plan =
      plan_of(graph_of(TowerText::of({Tower{.layers = 5, .width = 64, .inside = 256}}, nullptr)), "a=2,b=2");
  const Found open = find(plan, machine());
  int64_t last = std::numeric_limits<int64_t>::max();
  for (const double part : {0.5, 0.7, 0.8, 1.0, 2.0}) {
    Limits limits;
    limits.cap_bytes = static_cast<int64_t>(open.peak_bytes * part);
    const Found found = find(plan, machine(), limits);
    CHECK((found.ending == search::Ending::infeasible) ==
          (found.peak_bytes > static_cast<double>(limits.cap_bytes)));
    if (found.ending == search::Ending::infeasible)
      continue;
    CHECK(found.price.time() <= last);
    last = found.price.time();
  }
  CHECK(last == open.price.time());
  CHECK(find(plan, machine("1e11")).price.time() <= open.price.time());
}

TEST_CASE("an engine prices sequences of decisions, wherever it was before") {
  const system::System on = machine();
  for (uint64_t seed = 1; seed <= slice_of(400, 30); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const Plan plan(test::random_program(random).graph, *sharding::Mesh::parse("a=2,b=4"));
    const auto space = Space::create(plan, on, {});
    REQUIRE(space.has_value());
    const auto &decisions = (*space)->decisions;
    if (decisions.empty())
      continue;
    const auto engine = Engine::create(*space);
    if (!engine)
      continue; // its plan cannot be lowered
    for (int walk = 0; walk < 8; ++walk) {
      std::vector<search::Decision> chosen;
      for (int64_t left = random.below(4); left > 0; --left)
        chosen.push_back(decisions[static_cast<size_t>(random.below(std::ssize(decisions)))]);
      (*engine)->go_to(chosen);
      REQUIRE((*engine)->steps().size() == chosen.size());
      const auto fresh = Engine::create(*space);
      (*fresh)->go_to(chosen);
      CHECK((*engine)->price() == (*fresh)->price());
      for (size_t i = 0; i < chosen.size(); ++i) {
        CHECK((*engine)->steps()[i].price == (*fresh)->steps()[i].price);
        CHECK((*engine)->steps()[i].state == (*fresh)->steps()[i].state);
      }
    }
  }
}

namespace {

// The least that any sequence of so many decisions costs.
cost::Picoseconds least_of_all(const Space &space, Engine &engine, size_t most) {
  cost::Picoseconds least = std::numeric_limits<cost::Picoseconds>::max();
  std::vector<search::Decision> chosen;
  const auto visit = [&](const auto &self) -> void {
    engine.go_to(chosen);
    least = std::min(least, engine.price().time());
    if (chosen.size() == most || (!chosen.empty() && engine.steps().back().lines.empty()))
      return;
    for (const search::Decision &d : space.decisions) {
      chosen.push_back(d);
      self(self);
      chosen.pop_back();
    }
  };
  visit(visit);
  return least;
}

} // namespace

TEST_CASE("small programs: a search finds what trying all sequences of three decisions does") {
  constexpr size_t kMostDecisions = 14, kLength = 3;
  const system::System on = machine("1e11");
  int programs = 0, near = 0;
  for (uint64_t seed = 1; programs < static_cast<int>(slice_of(300, 40)) && seed < 20000; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const Plan plan(test::random_program(random).graph, *sharding::Mesh::parse("a=2,b=3"));
    const auto space = Space::create(plan, on, {});
    REQUIRE(space.has_value());
    if ((*space)->decisions.size() < 4 || (*space)->decisions.size() > kMostDecisions)
      continue;
    const auto engine = Engine::create(*space);
    if (!engine)
      continue;
    ++programs;
    const cost::Picoseconds least = least_of_all(**space, **engine, kLength);
    Limits limits;
    limits.episodes = 400;
    const auto driver = Driver::create(*space, limits);
    REQUIRE(driver.has_value());
    search::run_strategies(**driver);
    constexpr double kNear = 1.01;
    near += static_cast<double>((*driver)->best()[0].price.time()) <= kNear * static_cast<double>(least);
  }
  CHECK(programs >= 30);
  CHECK(near * 100 >= programs * 95);
  MESSAGE(near << " of " << programs);
}

TEST_CASE("programs that nobody here wrote: what is found costs no more than the templates, and is lowered") {
  const auto on = system::load("a100-80g");
  REQUIRE(on.has_value());
  for (const char *name :
       {"mlp_fsdp_jax_gspmd.mlir", "mlp_fsdp_tp_jax_shardy.mlir", "searchless_chess_9m_jax.mlir",
        "kan1_reactant.mlir", "kimi_k2_layer_torchxla_expert.mlir", "nanogpt_forward_mhlo.mlir"}) {
    const auto path = test::real_program(name);
    if (!path)
      continue;
    CAPTURE(name);
    std::ifstream file(*path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    Limits limits;
    limits.episodes = 200;
    const Found found = find(plan_of(graph_of(text), "a=4,b=8"), *on, limits);
    CHECK(found.ending != search::Ending::infeasible);
    for (const search::Tried &tried : found.tried)
      CHECK(found.price.time() <= tried.price.time());
  }
}

namespace {

// Products and tanhs, one after the other; of the last result a sum that has a rule of its own, or none.
std::string products(int layers, const std::string &rule) {
  const std::string type = "tensor<64x64xf32>";
  std::string arguments = "%x: " + type, body, at = "%x";
  for (int i = 0; i < layers; ++i) {
    arguments += fmt::format(", %w{}: {} loc(\"w\\22{}\")", i, type, i); // a quote in each name
    body += fmt::format(
        "%d{0} = stablehlo.dot_general {1}, %w{0}, contracting_dims = [1] x [0] : ({2}, {2}) -> {2}\n"
        "%t{0} = stablehlo.tanh %d{0} : {2}\n",
        i, at, type);
    at = fmt::format("%t{}", i);
  }
  return fmt::format(
      "func.func @main({0}) -> {1} {{\n{2}%r = stablehlo.add {3}, {3} {4} : {1}\nreturn %r : {1}\n}}\n",
      arguments, type, body, at, rule);
}

} // namespace

TEST_CASE("names with quotes, and rules of single ops in programs with layers") {
  const system::System on = machine();
  for (const char *rule :
       {"", "{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=64, j=64} "
            "need_replication={j}>}"}) {
    const auto imported = import::import_text(products(6, rule));
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    Plan plan(imported->graph, *sharding::Mesh::parse("a=4"));
    REQUIRE(partition::apply_annotations(plan, imported->annotations));
    CHECK(plan.opaque_rules().empty() == (*rule == '\0'));
    const Found found = find(plan, on);
    CHECK(!found.actions.empty());
  }
}

TEST_CASE("what libraries hold, gathers for each use, seconds and even tiles alone") {
  const auto graph = graph_of(TowerText::of({Tower{.layers = 5, .width = 64, .inside = 256}}, nullptr));
  const Plan plan = plan_of(graph, "a=4");
  system::System on = machine();
  on.device.library_bytes = 1e6;
  Limits limits;
  limits.cap_bytes = 1000000; // which libraries take
  const Found none = find(plan, on, limits);
  CHECK(none.ending == search::Ending::infeasible);
  for (const search::Tried &tried : none.tried)
    CHECK(!tried.fits);

  spmd::Options each_use;
  each_use.gather_per_use = true;
  limits = {};
  limits.episodes = 100;
  const auto found = search::search(plan, machine(), each_use, limits);
  REQUIRE(found.has_value());
  CHECK(found->gather_per_use);
  CHECK(found->tried.size() > 1);

  limits.episodes = std::numeric_limits<int64_t>::max();
  limits.seconds = 0.2;
  limits.cap_bytes = 1000;
  const auto timed = search::search(plan, machine(), {}, limits);
  REQUIRE(timed.has_value());
  CHECK(timed->ending == search::Ending::infeasible);

  limits = {};
  limits.episodes = 200;
  const Plan thirds = plan_of(graph, "a=3,b=2");
  const auto even = search::search(thirds, machine(), {}, limits, {.axes = {}, .even_only = true});
  REQUIRE(even.has_value());
  for (const graph::OpId argument : graph->arguments())
    for (const partition::NestEntry &e : even->plan->nest(argument))
      CHECK(graph->type(graph->result(argument)).dims[e.factor] % thirds.mesh().size(e.axis) == 0);
}

TEST_CASE("who cancels gets the best so far, and plans with axes of steps are refused") {
  const system::System on = machine();
  search::Control control;
  control.cancel();
  Limits limits;
  limits.control = &control;
  const Plan plan = plan_of(graph_of(TowerText::of({Tower{}}, nullptr)), "a=4");
  const Found found = find(plan, on, limits);
  CHECK(found.ending == search::Ending::cancelled);
  CHECK(found.episodes == 0);
  CHECK(found.actions.empty());

  Plan steps = plan;
  REQUIRE(partition::apply_spec(steps, "serial(axis=\"micro\", size=2)", "test"));
  const auto refused = search::search(steps, on, {}, limits);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().message().find("axes of steps") != std::string::npos);
}

} // namespace tw::test_search
