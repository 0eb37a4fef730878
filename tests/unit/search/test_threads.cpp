// SPDX-License-Identifier: Apache-2.0
// What a search finds depends on the program, the seed and the episodes, and on no thread.
#include "search/search.hpp"

#include "support/number_of.hpp"
#include "support/same_found.hpp"
#include "support/searched.hpp"

namespace tw::test_threads {

using search::Limits;
using test::Dice;

TEST_CASE("1, 2, 4 and 8 threads find the same") {
  const system::System on = test::small_machine();
  const std::vector<std::string> meshes{"a=4", "a=2,b=2", "a=2,b=3", "a=2,b=2,c=2"};
  uint64_t searched = 0, found_some = 0;
  for (uint64_t seed = 1; searched < test::slice_of(50, 4); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = seed % 2 == 0 ? test::transformer_step(test::random_transformer(random))
                                     : test::random_program(random).graph;
    const partition::Plan plan = test::plan_of(graph, random.pick(meshes));
    Limits limits;
    limits.episodes = random.between(20, 400);
    limits.seed = seed;
    limits.threads = 1;
    auto one = search::search(plan, on, {}, limits);
    if (!one)
      continue;             // its plan cannot be lowered
    if (random.chance(2)) { // what does not fit leads to other plans
      limits.cap_bytes =
          static_cast<int64_t>(one->peak_bytes * static_cast<double>(random.between(3, 10)) / 10) + 1;
      one = search::search(plan, on, {}, limits);
      REQUIRE(one.has_value());
    }
    ++searched;
    found_some += !one->actions.empty();
    for (const unsigned threads : {2U, 4U, 8U}) {
      if (test::slice_of(1, 0) == 0 && threads != 2U << searched % 3)
        continue; // a slice: one of them, in turn
      CAPTURE(threads);
      limits.threads = threads;
      const auto other = search::search(plan, on, {}, limits);
      REQUIRE(other.has_value());
      test::check_same(*one, *other);
      CHECK(one->steps == other->steps);
    }
  }
  CHECK(found_some * 3 > searched);
  MESSAGE(searched << " searches, of which " << found_some << " found actions");
}

} // namespace tw::test_threads
