// SPDX-License-Identifier: Apache-2.0
// No plan costs less than what relax allows: random plans of random programs, and of those of the tree.
#include "search/relaxation.hpp"

#include <algorithm>
#include <fstream>

#include "search/engine.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/towers.hpp"
#include "support/unit.hpp"

namespace tw::test_relaxation {

using partition::Plan;
using search::Engine;
using search::Space;
using test::Dice;
using test::graph_of;
using test::slice_of;

namespace {

system::System machine(const std::string &bandwidth) {
  auto made = system::parse("[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e11 launch_s=1e-8\n"
                            "[eff] matmul=0:0.1,16:0.6,128:0.9\n[axis *] bw=" +
                                bandwidth + " lat=1e-7 base=5e-7\n",
                            "test.conf");
  REQUIRE(made.has_value());
  return *made;
}

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
    check({graph, *sharding::Mesh::parse(mesh)}, machine(seed % 2 == 0 ? "1e10" : "1e12"), random, 20);
  }
}

TEST_CASE("random plans of a training step cost no less than the bound") {
  std::ifstream file(test::source_path("examples/models/gpt_step.mlir"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto graph = graph_of(text);
  Dice random(46);
  for (const char *mesh : {"a=4", "a=2,b=2"})
    check({graph, *sharding::Mesh::parse(mesh)}, machine("1e10"), random, 100);
}

} // namespace tw::test_relaxation
