// SPDX-License-Identifier: Apache-2.0
// Policy `cheapest` as tw has it: no other policy moves less, results stay what they are, and where one step
// after the other leads nowhere, all ops together do.
#include "search/wishes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cost/price.hpp"
#include "import/import.hpp"
#include "partition/policy.hpp"
#include "partition/spec.hpp"
#include "spmd/kept_lowering.hpp"
#include "spmd/moved_bytes.hpp"
#include "support/compare.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/renumber.hpp"
#include "support/searched.hpp"
#include "support/simulate.hpp"
#include "support/tiled_somewhere.hpp"

namespace tw::test_wishes {

using partition::Plan;
using partition::Policy;
using test::tiled_somewhere;

namespace {

using search::count_for;
using test::received; // beside the one below

std::string text_of(const std::string &file) {
  const char *root = std::getenv("TW_SOURCE_ROOT");
  std::ifstream in(std::filesystem::path(root != nullptr ? root : "..") / file);
  REQUIRE(in.good());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

int64_t received(const std::string &text, const char *mesh, Policy policy, const char *spec) {
  const auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  Plan plan(imported->graph, *sharding::Mesh::parse(mesh));
  plan.set_policy(policy, count_for(policy));
  const Status status = partition::apply_spec(plan, spec, "spec");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  return received(plan);
}

// Every loop leads back to an action.
void check_causes(const Plan &plan) {
  for (partition::NodeId n = 0; n < plan.num_nodes(); ++n)
    for (const partition::NestEntry &e : plan.nest(n)) {
      partition::NodeId at = n;
      for (size_t steps = 0; at != graph::kNone; ++steps) {
        REQUIRE(steps <= plan.num_nodes());
        const partition::NestEntry *of = plan.entry(at, e.axis);
        REQUIRE(of != nullptr);
        REQUIRE(of->action == e.action);
        at = of->cause;
      }
    }
}

} // namespace

TEST_CASE("random programs: cheapest moves no more than conservative and shardy, and nothing changes") {
  int64_t fewer = 0, moving = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made =
        seed % 4 == 0 ? test::random_products(random) : test::random_program(random);
    const sharding::Mesh mesh = test::random_mesh(random);
    const Plan plan = tiled_somewhere(made, mesh, Policy::cheapest, count_for(Policy::cheapest), random);
    const int64_t cheapest = received(plan),
                  shardy = received(
                      tiled_somewhere(made, mesh, Policy::shardy, count_for(Policy::shardy), random)),
                  conservative = received(tiled_somewhere(made, mesh, Policy::conservative,
                                                          count_for(Policy::conservative), random));
    CHECK(cheapest <= conservative);
    CHECK(cheapest <= shardy);
    fewer += cheapest < std::min(conservative, shardy);
    moving += conservative > 0;
    check_causes(plan);
    const auto whole = spmd::lower_unpartitioned(made.graph), parts = spmd::lower(plan);
    REQUIRE(whole.has_value());
    const auto expected = test::simulate(**whole, made.inputs), got = test::simulate(**parts, made.inputs);
    REQUIRE(expected.has_value());
    REQUIRE(got.has_value());
    for (size_t i = 0; i < got->size(); ++i)
      REQUIRE(test::same_values((*got)[i], (*expected)[i]));
  }
  CHECK(fewer > 20);
  CHECK(moving > 100);
}

namespace {

cost::Picoseconds time_of(const Plan &plan, const system::System &on) {
  const auto program = spmd::lower(plan, spmd::counted_options());
  REQUIRE(program.has_value());
  return cost::price_of(**program, on).time();
}

} // namespace

TEST_CASE("random programs: cheapest on a system takes no longer than conservative and shardy there") {
  int64_t faster_than_bytes = 0, slower_than_bytes = 0;
  double by_time = 0, by_bytes = 0;
  for (const char *bandwidth : {"1e9", "1e12"}) {
    const auto on = std::make_shared<system::System>(test::small_machine(bandwidth));
    for (uint64_t seed = 1; seed <= test::slice_of(400, 60); ++seed) {
      CAPTURE(seed);
      CAPTURE(bandwidth);
      test::Dice random(seed);
      const test::RandomProgram made =
          seed % 4 == 0 ? test::random_products(random) : test::random_program(random);
      const sharding::Mesh mesh = test::random_mesh(random);
      const auto plan_of = [&](Policy policy, const std::shared_ptr<system::System> &system) {
        return tiled_somewhere(made, mesh, policy, count_for(policy, system), random);
      };
      const Plan plan = plan_of(Policy::cheapest, on);
      const cost::Picoseconds time = time_of(plan, *on);
      CHECK(time <= time_of(plan_of(Policy::conservative, on), *on));
      CHECK(time <= time_of(plan_of(Policy::shardy, on), *on));
      const cost::Picoseconds of_bytes = time_of(plan_of(Policy::cheapest, nullptr), *on);
      faster_than_bytes += time < of_bytes;
      slower_than_bytes += time > of_bytes;
      by_time += static_cast<double>(time);
      by_bytes += static_cast<double>(of_bytes);
      check_causes(plan);
    }
  }
  MESSAGE(faster_than_bytes << " plans are faster than by bytes, " << slower_than_bytes << " slower; "
                            << by_time / by_bytes << " of their time");
  CHECK(faster_than_bytes > 4 * slower_than_bytes);
  CHECK(by_time < by_bytes);
}

TEST_CASE("random actions: undo goes back, and results stay what they are") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    Plan plan(made.graph, test::random_mesh(random));
    plan.set_policy(Policy::cheapest, count_for(Policy::cheapest));
    const Plan before = plan;
    test::random_actions(plan, random);
    if (const auto program = spmd::lower(plan)) {
      const auto whole = spmd::lower_unpartitioned(made.graph);
      REQUIRE(whole.has_value());
      const auto expected = test::simulate(**whole, made.inputs),
                 got = test::simulate(**program, made.inputs);
      REQUIRE(expected.has_value());
      REQUIRE(got.has_value());
      for (size_t i = 0; i < got->size(); ++i)
        REQUIRE(test::same_values((*got)[i], (*expected)[i]));
    }
    plan.undo_to(before.stamp());
    REQUIRE(plan.same_state(before));
  }
}

// Ops that look alike as far as wishes look are told apart by their numbers.
TEST_CASE("the numbering of ops hardly means anything to wishes") {
  int compared = 0, other_bytes = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_products(random);
    const test::Renumbered other = test::renumber(*made.graph, seed + 1000);
    const sharding::Mesh mesh = test::random_mesh(random);
    Plan plan(made.graph, mesh), again(other.graph, mesh);
    for (Plan *p : {&plan, &again}) {
      p->set_policy(Policy::cheapest, count_for(Policy::cheapest));
      p->begin_action({"random", {}});
    }
    for (int tries = 0; tries < 4; ++tries) {
      const auto node =
          static_cast<partition::NodeId>(random.below(static_cast<int64_t>(made.graph->ops().size())));
      const auto axis = static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(mesh.num_axes())));
      const auto factors = static_cast<int64_t>(plan.rule(node).factors.size());
      if (factors == 0 || !plan.takes_part(node))
        continue;
      const auto factor = static_cast<ops::FactorId>(random.below(factors));
      REQUIRE(plan.set(node, axis, factor).has_value() ==
              again.set(other.op[node], axis, factor).has_value());
    }
    for (Plan *p : {&plan, &again})
      p->propagate(partition::Mode::infer_propagate);
    compared += received(plan) > 0;
    other_bytes += received(plan) != received(again);
  }
  CHECK(compared > 10);
  CHECK(other_bytes <= 2);
}

// A step whose input and one weight are tiled along one axis: what is cheap differs in all its products.
TEST_CASE("a step of which an input and a weight are tiled moves activations") {
  const std::string step = text_of("examples/models/mlp_step.mlir");
  constexpr const char *kSpec =
      "tile(arg=x, dim=0, axis=data); tile(arg=\"params['up']\", dim=0, axis=data); "
      "infer-propagate";
  CHECK(received(step, "data=4", Policy::conservative, kSpec) == 3'194'880);
  CHECK(received(step, "data=4", Policy::shardy, kSpec) == 2'568'192);
  CHECK(received(step, "data=4", Policy::cheapest, kSpec) == 344'064);
}

// The batch alone is cheapest where one parameter is tiled otherwise than the second step says.
TEST_CASE("a step that finds no room under cheapest is taken under another policy") {
  const std::string step = text_of("examples/models/gpt_step.mlir");
  const std::string spec = "tile(arg=tokens, dim=0, axis=data); tile(arg=targets, dim=0, axis=data); "
                           "infer-propagate; tile(arg=\"params*\", dim=0, axis=data); infer-propagate";
  const int64_t cheapest = received(step, "data=8", Policy::cheapest, spec.c_str());
  CHECK(cheapest <= received(step, "data=8", Policy::shardy, spec.c_str()));
  CHECK(cheapest <= received(step, "data=8", Policy::conservative, spec.c_str()));
}

// Tokens on the axis along which rows of the table are cut: what was looked up is exchanged, not the table.
TEST_CASE("what is looked up moves, not the table") {
  const std::string lookup = text_of("tests/golden/programs/token_embedding.mlir");
  constexpr const char *kSpec =
      "tile(arg=tokens, dim=0, axis=a); tile(arg=table, dim=1, axis=a); infer-propagate";
  constexpr int64_t kTokens = 512, kWidth = 512, kVocabulary = 8192;
  CHECK(received(lookup, "a=8", Policy::shardy, kSpec) >=
        std::min(kTokens, kVocabulary) * kWidth * 4 * 7 / 8);
  CHECK(received(lookup, "a=8", Policy::cheapest, kSpec) ==
        kTokens * 4 * 7 / 8 + kTokens * kWidth * 4 / 8 * 7 / 8);
}

// Experts on the axis of the tokens: three exchanges, and no expert moves.
TEST_CASE("tokens go to experts on their axis, and back") {
  const std::string experts = text_of("tests/golden/programs/experts.mlir");
  constexpr const char *kSpec = "tile(arg=x, dim=0, axis=a); tile(arg=up, dim=0, axis=a); "
                                "tile(arg=down, dim=0, axis=a); infer-propagate";
  CHECK(received(experts, "a=8", Policy::shardy, kSpec) == 114'688);
  CHECK(received(experts, "a=8", Policy::cheapest, kSpec) == 43'008);
}

// One token a sequence, and weights stored in parts over two axes.
TEST_CASE("a decoding step moves activations, not weights") {
  const std::string decode = text_of("tests/golden/programs/decode_step.mlir");
  constexpr const char *kSpec =
      "tile(arg=x, dim=0, axis=d); tile(arg=\"w*\", dim=0, axis=d); tile(arg=wq, dim=1, axis=a); "
      "tile(arg=wo, dim=0, axis=a); tile(arg=w_up, dim=1, axis=a); tile(arg=w_down, dim=0, axis=a); "
      "infer-propagate";
  CHECK(received(decode, "d=2,a=4", Policy::shardy, kSpec) == 131'072);
  CHECK(received(decode, "d=2,a=4", Policy::cheapest, kSpec) == 118'784);
}

} // namespace tw::test_wishes
