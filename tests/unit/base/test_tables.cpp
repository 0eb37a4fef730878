// SPDX-License-Identifier: Apache-2.0
// Sets of small numbers, and tables by 64-bit numbers, against those of the standard library.
#include <doctest/doctest.h>

#include <random>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/flat_map.hpp"
#include "base/id_set.hpp"

namespace tw::test_tables {

TEST_CASE("a set of small numbers is filled, visited in order and emptied") {
  std::mt19937_64 random(1);
  for (const uint32_t ids : {1u, 64u, 65u, 5000u, 20000u}) {
    IdSet set(ids);
    for (int round = 0; round < 20; ++round) {
      std::set<uint32_t> all;
      for (int i = 0; i < 100; ++i) {
        const auto id = static_cast<uint32_t>(random() % ids);
        REQUIRE(set.contains(id) == all.contains(id));
        REQUIRE(set.add(id) == all.insert(id).second);
      }
      std::vector<uint32_t> visited;
      set.each([&](uint32_t id) { visited.push_back(id); });
      REQUIRE(visited == std::vector(all.begin(), all.end()));
      REQUIRE(set.size() == all.size());
      set.clear();
      REQUIRE(set.empty());
      REQUIRE(!set.contains(visited[0]));
    }
  }
}

TEST_CASE("a table by numbers keeps what was put there first") {
  FlatMap<int> map;
  std::unordered_map<uint64_t, int> all;
  std::mt19937_64 random(2);
  for (int i = 0; i < 5000; ++i) {
    const uint64_t key = (random() % 1000) << (i % 2 == 0 ? 0 : 40);
    const auto [value, fresh] = map.try_emplace(key);
    REQUIRE(fresh == all.try_emplace(key, i).second);
    if (fresh)
      value = i;
    REQUIRE(value == all[key]);
  }
  CHECK(map.size() == all.size());
}

} // namespace tw::test_tables
