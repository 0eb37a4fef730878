// SPDX-License-Identifier: Apache-2.0
// A search that is to come near to the optimum ends there, not before, and otherwise as it would have.
#include <algorithm>

#include "search/search.hpp"
#include "support/number_of.hpp"
#include "support/same_found.hpp"
#include "support/searched.hpp"

namespace tw::test_gap {

using partition::Plan;
using search::Ending;
using search::Found;
using search::Limits;
using test::Dice;

namespace {

bool is_near(const Found &found, double gap) {
  return found.ending != Ending::infeasible && found.gap() <= gap;
}

// How many of the gaps were reached.
int check(const Plan &plan, const system::System &on, Limits limits) {
  const auto all = search::search(plan, on, {}, limits);
  if (!all)
    return 0; // the plan cannot be lowered
  CHECK(all->ending != Ending::gap);
  int reached = 0;
  for (const double gap : {0.5, 0.1, 0.03, 0.01, 1e-5}) {
    CAPTURE(gap);
    limits.gap = gap;
    limits.threads = 1;
    const auto one = search::search(plan, on, {}, limits);
    REQUIRE(one.has_value());
    limits.threads = 3;
    const auto other = search::search(plan, on, {}, limits);
    REQUIRE(other.has_value());
    test::check_same(*one, *other);
    if (!is_near(*all, gap)) {
      test::check_same(*one, *all);
      continue;
    }
    CHECK(is_near(*one, gap));
    CHECK((one->ending == Ending::gap || one->ending == Ending::optimal));
    CHECK(one->price.time() >= all->price.time());
    CHECK(one->episodes <= all->episodes);
    reached += one->episodes < all->episodes;
  }
  return reached;
}

} // namespace

TEST_CASE("random programs: the gap that is wanted, or what is found without") {
  int reached = 0, searched = 0;
  for (uint64_t seed = 1; seed <= test::slice_of(60, 8); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = seed % 2 == 0 ? test::transformer_step(test::random_transformer(random))
                                     : test::random_program(random).graph;
    Limits limits;
    limits.episodes = random.between(20, 300);
    limits.seed = seed;
    if (random.chance(4))
      limits.cap_bytes = random.between(10, 400) * 1000;
    reached +=
        check(test::plan_of(graph, random.chance(2) ? "a=4" : "a=2,b=2"), test::small_machine(), limits);
    ++searched;
  }
  CHECK(reached >= searched);
  MESSAGE(searched << " programs of which " << reached << " searches ended early");
}

TEST_CASE("a training step: with a gap that is reached early, a fraction of the plans are tried") {
  const auto on = system::load("h100-sxm");
  REQUIRE(on.has_value());
  const Plan plan = test::plan_of(test::gpt_step(), "model=4");
  Limits limits;
  limits.episodes = 300;
  limits.gap = 0.1;
  search::Control control;
  limits.control = &control;
  const auto found = search::search(plan, *on, {}, limits);
  REQUIRE(found.has_value());
  CHECK(found->ending == Ending::gap);
  CHECK(found->gap() <= 0.1);
  CHECK(found->episodes < 100);
  CHECK(control.progress().episodes == found->episodes);
}

TEST_CASE("with a bound that is proven, the proof ends where it is near enough") {
  const auto on = system::load("h100-sxm");
  REQUIRE(on.has_value());
  const Plan plan = test::plan_of(test::gpt_step(), "data=2,model=4");
  Limits limits;
  limits.episodes = 300;
  const auto without = search::search(plan, *on, {}, limits);
  REQUIRE(without.has_value());
  limits.exact = true;
  const auto proven = search::search(plan, *on, {}, limits);
  REQUIRE(proven.has_value());
  REQUIRE(proven->gap() < without->gap());
  limits.gap = (proven->gap() + without->gap()) / 2; // what is found does not reach it by itself
  const auto found = search::search(plan, *on, {}, limits);
  REQUIRE(found.has_value());
  CHECK(found->spec == without->spec);
  CHECK(found->bound > without->bound);
  CHECK(found->ending == Ending::gap);
  CHECK(found->gap() <= limits.gap);
}

} // namespace tw::test_gap
