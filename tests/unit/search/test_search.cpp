// SPDX-License-Identifier: Apache-2.0
// What a search finds: never dearer than what everybody would try first, and what its spec makes.
#include "search/search.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>

#include "partition/annotations.hpp"
#include "partition/spec.hpp"
#include "support/number_of.hpp"
#include "support/searched.hpp"

namespace tw::test_search {

using partition::Plan;
using search::Engine;
using search::Found;
using search::Limits;
using search::Space;
using test::Dice;
using test::graph_of;
using test::plan_of;
using test::slice_of;
using test::small_machine;
using test::Tower;
using test::TowerText;

namespace {

Found find(const Plan &plan, const system::System &on, Limits limits = {}) {
  if (limits.episodes > 2000)
    limits.episodes = 300;
  auto found = search::search(plan, on, {}, limits);
  REQUIRE_MESSAGE(found.has_value(), found.error().message());
  return *std::move(found);
}

} // namespace

TEST_CASE("names, the order of arguments and axes of size 1 change no cost") {
  const system::System on = small_machine();
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
  const system::System on = small_machine();
  for (const char *mesh : {"a=4", "a=2,b=4"}) {
    CAPTURE(mesh);
    const Plan plan = plan_of(test::gpt_step(), mesh);
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
  const Found open = find(plan, small_machine());
  int64_t last = std::numeric_limits<int64_t>::max();
  for (const double part : {0.5, 0.7, 0.8, 1.0, 2.0}) {
    Limits limits;
    limits.cap_bytes = static_cast<int64_t>(open.peak_bytes * part);
    const Found found = find(plan, small_machine(), limits);
    CHECK((found.ending == search::Ending::infeasible) ==
          (found.peak_bytes > static_cast<double>(limits.cap_bytes)));
    if (found.ending == search::Ending::infeasible)
      continue;
    CHECK(found.price.time() <= last);
    last = found.price.time();
  }
  CHECK(last == open.price.time());
  CHECK(find(plan, small_machine("1e11")).price.time() <= open.price.time());
}

TEST_CASE("an engine prices sequences of decisions, wherever it was before") {
  const system::System on = small_machine();
  for (uint64_t seed = 1; seed <= slice_of(400, 30); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const Plan plan(test::random_program(random).graph, *sharding::Mesh::parse("a=2,b=4"));
    const auto space = Space::create(plan, on, {});
    REQUIRE(space.has_value());
    const auto &decisions = (*space)->decisions;
    if (decisions.empty())
      continue;
    const auto engine = Engine::create(*space, seed % 2 == 0 ? 12 : 1000); // that forgets, and that does not
    if (!engine)
      continue;                               // its plan cannot be lowered
    std::map<uint64_t, cost::Price> of_state; // candidates are told apart by their states
    for (int walk = 0; walk < 12; ++walk) {
      std::vector<search::Decision> chosen;
      for (int64_t left = random.below(4); left > 0; --left)
        chosen.push_back(decisions[static_cast<size_t>(random.below(std::ssize(decisions)))]);
      (*engine)->go_to(chosen);
      REQUIRE((*engine)->steps().size() == chosen.size());
      const auto fresh = Engine::create(*space);
      (*fresh)->go_to(chosen);
      CHECK((*engine)->price() == (*fresh)->price());
      if (random.chance(2)) { // else the plan stays behind
        const Plan &there = (*engine)->plan(), &wanted = (*fresh)->plan();
        const auto is_same = [&](const partition::NestEntry &a, const partition::NestEntry &b) {
          return a.axis == b.axis && a.factor == b.factor && a.action == b.action && a.cause == b.cause &&
                 there.split(a.split) == wanted.split(b.split); // their numbers may differ
        };
        for (partition::NodeId n = 0; n < wanted.num_nodes(); ++n)
          REQUIRE(std::ranges::equal(there.nest(n), wanted.nest(n), is_same));
        const auto program = spmd::lower(there, spmd::counted_options());
        REQUIRE(program.has_value());
        if ((*space)->all_layers)
          CHECK(cost::price_of(**program, on) == (*engine)->price());
        for (const search::Decision &decision : decisions)
          CHECK((*engine)->may(decision) == (*fresh)->may(decision));
      }
      for (size_t i = 0; i < chosen.size(); ++i) {
        CHECK((*engine)->steps()[i].price == (*fresh)->steps()[i].price);
        CHECK((*engine)->steps()[i].state == (*fresh)->steps()[i].state);
        const auto &[state, price] =
            *of_state.emplace((*fresh)->steps()[i].state, (*fresh)->steps()[i].price).first;
        CHECK(price == (*fresh)->steps()[i].price);
      }
    }
  }
}

TEST_CASE("plans whose tiles alone differ are two states") {
  // Over both axes the dimension of 2 has tiles of 6 elements of %x or none, that of 12 has tiles of 3.
  const auto graph =
      graph_of(R"(func.func @main(%x: tensor<12x12xf32>) -> (tensor<12x2x3x2xf32>, tensor<12x2x3x2xf32>) {
    %r = stablehlo.reshape %x : (tensor<12x12xf32>) -> tensor<12x2x3x2xf32>
    %t = stablehlo.tanh %r : tensor<12x2x3x2xf32>
    %n = stablehlo.negate %r : tensor<12x2x3x2xf32>
    return %t, %n : tensor<12x2x3x2xf32>, tensor<12x2x3x2xf32>
  })");
  const system::System on = small_machine();
  const auto space = Space::create(plan_of(graph, "a=2,b=2"), on, {});
  REQUIRE(space.has_value());
  const auto engine = Engine::create(*space);
  REQUIRE(engine.has_value());
  const search::Decision x_over_a{search::Decision::Kind::tile, 0, 0, 1},
      x_over_b{search::Decision::Kind::tile, 1, 0, 1}, r_over_b{search::Decision::Kind::value, 1, 0, 1};
  const auto last = [&](std::vector<search::Decision> decisions) {
    (*engine)->go_to(decisions);
    return (*engine)->steps().back();
  };
  const auto one = last({x_over_a, r_over_b}), other = last({x_over_a, x_over_b, r_over_b});
  REQUIRE(!one.lines.empty());
  REQUIRE(!other.lines.empty());
  CHECK(!(one.price == other.price));
  CHECK(one.state != other.state);
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

namespace {

// A step of gradient descent of tanh(..tanh(x w0) w1..), which is to be y.
std::string chain_step(int layers, int rows, int width) {
  const std::string x = fmt::format("tensor<{}x{}xf32>", rows, width),
                    w = fmt::format("tensor<{0}x{0}xf32>", width);
  const auto product = [](const std::string &name, const std::string &a, const std::string &b,
                          const char *contracted, const std::string &types, const std::string &of) {
    return fmt::format("%{} = stablehlo.dot_general %{}, %{}, contracting_dims = {} : ({}) -> {}\n", name, a,
                       b, contracted, types, of);
  };
  const auto binary = [&](const char *op, const std::string &name, const std::string &a, const std::string &b,
                          const std::string &type) {
    return fmt::format("%{} = stablehlo.{} %{}, %{} : {}\n", name, op, a, b, type);
  };
  std::string text = "func.func @main(", results, names;
  for (int i = 0; i < layers; ++i) {
    text += fmt::format("%w{}: {}, ", i, w);
    results += w + (i + 1 < layers ? ", " : "");
    names += fmt::format("{}%v{}", i == 0 ? "" : ", ", i);
  }
  text += fmt::format("%h0: {0}, %y: {0}) -> ({1}) {{\n", x, results);
  text += fmt::format(
      "%one = stablehlo.constant dense<1.0> : {}\n%rate = stablehlo.constant dense<0.001> : {}\n", x, w);
  for (int i = 0; i < layers; ++i) {
    text += product(fmt::format("p{}", i), fmt::format("h{}", i), fmt::format("w{}", i), "[1] x [0]",
                    x + ", " + w, x);
    text += fmt::format("%h{} = stablehlo.tanh %p{} : {}\n", i + 1, i, x);
  }
  text += binary("subtract", fmt::format("g{}", layers), fmt::format("h{}", layers), "y", x);
  for (int i = layers; i-- > 0;) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text +=
        binary("multiply", "s" + n, "h" + next, "h" + next, x) +
        binary("subtract", "t" + n, "one", "s" + n, x) + binary("multiply", "d" + n, "g" + next, "t" + n, x) +
        product("q" + n, "h" + n, "d" + n, "[0] x [0]", x + ", " + x, w) +
        product("g" + n, "d" + n, "w" + n, "[1] x [1]", x + ", " + w, x) +
        binary("multiply", "r" + n, "rate", "q" + n, w) + binary("subtract", "v" + n, "w" + n, "r" + n, w);
  }
  return text + fmt::format("return {} : {}\n}}\n", names, results);
}

} // namespace

TEST_CASE("products one after the other, which are tiled by turns though they are alike") {
  const auto on = system::load("a100-40g");
  REQUIRE(on.has_value());
  for (const int layers : {4, 5}) {
    CAPTURE(layers);
    Limits limits;
    limits.episodes = 500;
    const Found found =
        find(plan_of(graph_of(chain_step(layers, 1024, 4096)), "data=4,model=2"), *on, limits);
    MESSAGE(layers << " products: gap " << found.gap());
    CHECK(found.gap() < 0.07);
  }
}

TEST_CASE("names with quotes, and rules of single ops in programs with layers") {
  const system::System on = small_machine();
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
  system::System on = small_machine();
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
  const auto found = search::search(plan, small_machine(), each_use, limits);
  REQUIRE(found.has_value());
  CHECK(found->gather_per_use);
  CHECK(found->tried.size() > 1);

  limits.episodes = std::numeric_limits<int64_t>::max();
  limits.seconds = 0.2;
  limits.cap_bytes = 1000;
  const auto timed = search::search(plan, small_machine(), {}, limits);
  REQUIRE(timed.has_value());
  CHECK(timed->ending == search::Ending::infeasible);
  for (const double seconds : {1e-9, 0.01, 0.1}) { // whatever there is time for, what is said is true
    limits = {};
    limits.seconds = seconds;
    const Found some = find(plan, small_machine(), limits);
    CHECK(some.ending != search::Ending::infeasible);
    CHECK(some.bound <= some.price.time());
    Plan again = plan;
    REQUIRE(partition::apply_spec(again, some.spec, "found"));
    const auto program = spmd::lower(again, spmd::counted_options());
    REQUIRE(program.has_value());
    CHECK(cost::price_of(**program, small_machine()) == some.price);
  }

  limits = {};
  limits.episodes = 200;
  const Plan thirds = plan_of(graph, "a=3,b=2");
  const auto even = search::search(thirds, small_machine(), {}, limits, {.axes = {}, .even_only = true});
  REQUIRE(even.has_value());
  for (const graph::OpId argument : graph->arguments())
    for (const partition::NestEntry &e : even->plan->nest(argument))
      CHECK(graph->type(graph->result(argument)).dims[e.factor] % thirds.mesh().size(e.axis) == 0);
}

TEST_CASE("plans with axes of steps are refused") {
  const system::System on = small_machine();
  Plan steps = plan_of(graph_of(TowerText::of({Tower{}}, nullptr)), "a=4");
  REQUIRE(partition::apply_spec(steps, "serial(axis=\"micro\", size=2)", "test"));
  const auto refused = search::search(steps, on, {}, {});
  REQUIRE(!refused.has_value());
  CHECK(refused.error().message().find("axes of steps") != std::string::npos);
}

} // namespace tw::test_search
