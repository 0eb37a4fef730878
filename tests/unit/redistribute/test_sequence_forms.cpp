// SPDX-License-Identifier: Apache-2.0
// Sequences of all forms of problems: devices in any order, tiles of different sizes and empty ones, many
// devices, many dimensions.
#include <doctest/doctest.h>

#include <thread>

#include "sequence_cases.hpp"
#include "support/number_of.hpp"

namespace tw::test_sequence_forms {

using namespace tw::redistribute;
using namespace tw::test;

namespace {

struct Form {
  std::vector<int64_t> mesh;
  size_t rank;
  bool even, ordered;
  int problems;
};

Tilings random_problem(Random &random, const Form &form) {
  int64_t devices = 1;
  for (const int64_t n : form.mesh)
    devices *= n;
  std::vector<int64_t> shape;
  for (size_t dim = 0; dim < form.rank; ++dim)
    shape.push_back(form.even ? devices * draw(random, 1, 3)
                              : draw(random, 0, std::min<int64_t>(2 * devices, 97)));
  const Tiling src = random_tiling(random, shape, form.mesh);
  Tiling dst = random_tiling(random, shape, form.mesh);
  if (!form.ordered)
    reorder(random, dst, static_cast<size_t>(devices));
  return problem(src, dst, form.mesh);
}

bool same(const std::optional<Sequence> &a, const std::optional<Sequence> &b) {
  if (a.has_value() != b.has_value() || !a)
    return a.has_value() == b.has_value();
  return a->cost == b->cost && a->exact == b->exact && a->certificate == b->certificate &&
         std::ranges::equal(a->steps, b->steps, [](const CutStep &x, const CutStep &y) {
           return x.kind == y.kind && x.up == y.up && x.down == y.down && x.shards == y.shards &&
                  x.tiles == y.tiles;
         });
}

bool contained(const Tilings &t) {
  for (size_t i = 0; i < t.src_tiles.size(); ++i) {
    const size_t dim = i % t.shape.size();
    if (t.dst_shards[dim] % t.src_shards[dim] != 0 ||
        t.dst_tiles[i] / (t.dst_shards[dim] / t.src_shards[dim]) != t.src_tiles[i])
      return false;
  }
  return true;
}

} // namespace

TEST_CASE("sequences of all forms of problems") {
  Random random(7);
  for (const Form &form : std::vector<Form>{{{2, 2, 2}, 4, true, false, 300},
                                            {{2, 2, 2}, 3, false, true, 300},
                                            {{4, 2}, 3, false, false, 300},
                                            {{8, 8}, 3, true, false, 50},
                                            {{2, 2, 2, 2, 2, 2}, 3, false, true, 100},
                                            {{3, 3, 3}, 3, false, true, 100},
                                            {{8, 8, 8}, 6, true, true, 20},
                                            {{16, 16, 16}, 3, true, true, 10},
                                            {{16, 16, 16}, 3, false, true, 10}})
    for (int i = 0; i < form.problems; ++i) {
      const Tilings t = random_problem(random, form);
      for (const OpSet ops : {OpSet::scalar, OpSet::vector}) {
        CAPTURE(t.devices());
        CAPTURE(i);
        const int64_t cap = largest_end(t);
        const auto s = find_sequence(t, ops, cap);
        REQUIRE(s.has_value());
        CHECK(s->exact);
        CHECK(replay(t, *s, ops, cap) == "");
        // Whatever communicates last ends at a tile no smaller than the target's; then one permutation more
        // is enough.
        CHECK(s->cost >= (contained(t) ? 0 : tile_size(t, t.dst_shards)));
        CHECK(s->cost <= s->certificate.weak + tile_size(t, t.dst_shards));
        for (const Certificate::Excluded &e : s->certificate.excluded) {
          CHECK(e.cost < s->cost);
          CHECK(e.shards.front() == t.src_shards);
          CHECK(e.shards.back() == t.dst_shards);
        }
      }
    }
}

// Both found and brought home on meshes of several primes, even where a proof may be missing.
TEST_CASE("sequences of uneven tiles on meshes of several primes") {
  Random random(8);
  int exact = 0, all = 0;
  const auto problems = static_cast<int>(tw::test::slice_of(200, 40));
  for (int i = 0; i < problems; ++i) {
    const Tilings t = random_problem(random, {{4, 6}, 3, false, i % 2 == 0, 1});
    for (const OpSet ops : {OpSet::scalar, OpSet::vector}) {
      const auto s = find_sequence(t, ops, largest_end(t));
      if (!s)
        continue; // rounding up may leave no way within the bound
      ++all;
      exact += s->exact;
      CHECK(replay(t, *s, ops, largest_end(t)) == "");
    }
  }
  CHECK(all * 20 >= problems * 39);
  CHECK(exact >= all * 95 / 100);
}

TEST_CASE("vector ops cost no more than scalar ones, more memory no more than less") {
  Random random(9);
  for (int i = 0; i < static_cast<int>(test::slice_of(300, 50)); ++i) {
    const Tilings t = random_problem(random, {{2, 4}, 3, i % 2 == 0, i % 3 == 0, 1});
    const int64_t cap = largest_end(t);
    const auto scalar = find_sequence(t, OpSet::scalar, cap), vector = find_sequence(t, OpSet::vector, cap),
               roomy = find_sequence(t, OpSet::scalar, 4 * cap);
    REQUIRE((scalar && vector && roomy));
    CHECK(vector->cost <= scalar->cost);
    CHECK(roomy->cost <= scalar->cost);
    CHECK(replay(t, *roomy, OpSet::scalar, 4 * cap) == "");
    CHECK_FALSE(find_sequence(t, OpSet::scalar, cap - 1).has_value());
  }
}

TEST_CASE("a sequence is the same whoever looks for it") {
  Random random(10);
  for (int i = 0; i < 40; ++i) {
    const Tilings t =
        random_problem(random, {{2, 2, 2}, 1 + static_cast<size_t>(i % 5), true, i % 2 == 0, 1});
    const auto here = find_sequence(t, OpSet::vector, largest_end(t));
    std::optional<Sequence> there;
    std::thread([&] { there = find_sequence(t, OpSet::vector, largest_end(t)); }).join();
    CHECK(same(here, there));
  }
}

TEST_CASE("nothing to do takes no step") {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    Tilings t = random_problem(random, {{2, 3}, static_cast<size_t>(i % 3), i % 2 == 0, true, 1});
    t.dst_shards = t.src_shards;
    t.dst_tiles = t.src_tiles;
    const auto s = find_sequence(t, OpSet::scalar, largest_end(t));
    REQUIRE(s.has_value());
    CHECK(s->steps.empty());
    CHECK(s->exact);
    CHECK(s->cost == 0);
  }
}

TEST_CASE("sequences of sixteen dimensions") {
  Random random(12);
  for (const std::vector<int64_t> &mesh : {std::vector<int64_t>{2, 2, 2}, std::vector<int64_t>{4, 4, 4, 4}})
    for (int i = 0; i < 10; ++i) {
      std::vector<int64_t> shape(16, 2);
      for (size_t dim = 0; dim < 4; ++dim)
        shape[dim] = 256;
      const Tiling src = random_tiling(random, shape, mesh);
      const Tilings t = problem(src, random_tiling(random, shape, mesh), mesh);
      const auto s = find_sequence(t, OpSet::vector, largest_end(t));
      REQUIRE(s.has_value());
      CHECK(replay(t, *s, OpSet::vector, largest_end(t)) == "");
      if (mesh.size() == 3)
        CHECK(s->exact);
    }
}

} // namespace tw::test_sequence_forms
