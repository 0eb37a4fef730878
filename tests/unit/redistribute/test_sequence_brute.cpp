// SPDX-License-Identifier: Apache-2.0
// On few devices, the search of sequences against all there are: every balanced assignment of tiles, every
// op, any number of permutations.
#include <doctest/doctest.h>

#include <queue>

#include "sequence_cases.hpp"
#include "support/number_of.hpp"

namespace tw::test_sequence_brute {

using namespace tw::redistribute;
using namespace tw::test;

namespace {

using Shards = std::vector<int64_t>;
using Assignment = std::vector<int32_t>; // devices x rank

class BruteForce {
public:
  BruteForce(const Tilings &t, OpSet ops, int64_t cap)
      : t_(t), ops_(ops), cap_(cap), rank_(t.shape.size()), devices_(t.devices()) {
    Shards shards(rank_, 1);
    enumerate(shards, 0, 1);
  }

  // Dijkstra over (shape, assignment); a permutation leads to every assignment of its shape.
  int64_t optimum() {
    struct Item {
      int64_t cost;
      Shards shards;
      Assignment tiles; // empty: just permuted
      bool operator<(const Item &o) const { return cost > o.cost; }
    };
    std::map<std::pair<Shards, Assignment>, int64_t> best;
    std::priority_queue<Item> queue;
    const auto reach = [&](const Shards &shards, const Assignment &tiles, int64_t cost) {
      const auto [at, fresh] = best.try_emplace({shards, tiles}, cost);
      if (!fresh && at->second <= cost)
        return;
      at->second = cost;
      queue.push({cost, shards, tiles});
    };
    reach(t_.src_shards, t_.src_tiles, 0);
    while (!queue.empty()) {
      const Item now = queue.top();
      queue.pop();
      if (best.at({now.shards, now.tiles}) < now.cost)
        continue;
      if (now.shards == t_.dst_shards && now.tiles == t_.dst_tiles)
        return now.cost;
      if (now.tiles.empty()) {
        each_assignment(now.shards, now, [&](const Assignment &a) { reach(now.shards, a, now.cost); });
        continue;
      }
      reach(now.shards, {}, now.cost + tile_size(t_, now.shards));
      for (const Shards &to : shapes_)
        if (const int64_t cost = step_cost(now.shards, to); cost >= 0)
          each_assignment(to, now, [&](const Assignment &a) { reach(to, a, now.cost + cost); });
    }
    return -1;
  }

private:
  void enumerate(Shards &shards, size_t dim, int64_t tiles) {
    if (dim == rank_) {
      if (tile_size(t_, shards) <= cap_)
        shapes_.push_back(shards);
      return;
    }
    const int64_t n = t_.shape[dim];
    const bool uneven = n % t_.src_shards[dim] != 0 || n % t_.dst_shards[dim] != 0;
    for (int64_t f = 1; f <= devices_; ++f)
      if (devices_ % (tiles * f) == 0 && (uneven || n % f == 0)) {
        shards[dim] = f;
        enumerate(shards, dim + 1, tiles * f);
      }
    shards[dim] = 1;
  }

  // What one op from shape to shape costs; -1 where there is none.
  int64_t step_cost(const Shards &from, const Shards &to) const {
    int64_t before = 1, after = 1;
    size_t up = 0, down = 0;
    for (size_t dim = 0; dim < rank_; ++dim) {
      if (from[dim] % to[dim] != 0 && to[dim] % from[dim] != 0)
        return -1;
      before *= from[dim];
      after *= to[dim];
      up += from[dim] > to[dim];
      down += from[dim] < to[dim];
    }
    if (up == 0)
      return down == 0 ? -1 : 0;
    if ((down != 0 && before != after) || (ops_ == OpSet::scalar && (up > 1 || down > 1)))
      return -1;
    return tile_size(t_, to);
  }

  // All balanced assignments in which every device stays inside the coarser of its tiles before and after;
  // any where just permuted.
  template <typename Item, typename F> void each_assignment(const Shards &to, const Item &from, F &&f) const {
    int64_t tiles = 1;
    for (const int64_t n : to)
      tiles *= n;
    std::vector<int64_t> left(static_cast<size_t>(tiles), devices_ / tiles);
    Assignment now(static_cast<size_t>(devices_) * rank_);
    const auto assign = [&](const auto &self, size_t device) -> void {
      if (device == static_cast<size_t>(devices_))
        return f(now);
      for (int64_t tile = 0; tile < tiles; ++tile) {
        if (left[static_cast<size_t>(tile)] == 0)
          continue;
        bool inside = true;
        int64_t rest = tile;
        for (size_t dim = rank_; dim-- > 0; rest /= to[dim]) {
          const int64_t index = rest % to[dim];
          now[device * rank_ + dim] = static_cast<int32_t>(index);
          if (from.tiles.empty())
            continue;
          const int64_t coarse = std::min(from.shards[dim], to[dim]);
          inside = inside && index / (to[dim] / coarse) ==
                                 from.tiles[device * rank_ + dim] / (from.shards[dim] / coarse);
        }
        if (!inside)
          continue;
        const Assignment kept = now;
        --left[static_cast<size_t>(tile)];
        self(self, device + 1);
        ++left[static_cast<size_t>(tile)];
        now = kept;
      }
    };
    assign(assign, 0);
  }

  const Tilings &t_;
  OpSet ops_;
  int64_t cap_;
  size_t rank_;
  int64_t devices_;
  std::vector<Shards> shapes_;
};

} // namespace

TEST_CASE("no sequence of any kind costs less, on few devices") {
  Random random(20211231);
  const std::vector<std::vector<int64_t>> meshes = {{2}, {3}, {4}, {5}, {6}, {2, 2}, {2, 3}, {3, 2}};
  for (int trial = 0; trial < static_cast<int>(test::slice_of(400, 50)); ++trial) {
    const std::vector<int64_t> mesh = meshes[static_cast<size_t>(draw(random, 0, 7))];
    int64_t devices = 1;
    for (const int64_t n : mesh)
      devices *= n;
    // Many devices and dimensions take brute force too long.
    const auto rank = static_cast<size_t>(draw(random, 1, devices < 5 ? 3 : trial % 8 == 0 ? 2 : 1));
    std::vector<int64_t> shape;
    const bool even = draw(random, 0, 1) == 0; // the other half: any sizes, and tiles that may be empty
    for (size_t dim = 0; dim < rank; ++dim)
      shape.push_back(even ? devices * draw(random, 1, 2) : draw(random, 1, 9));
    const Tiling src = random_tiling(random, shape, mesh);
    Tiling dst = random_tiling(random, shape, mesh);
    if (draw(random, 0, 2) == 0)
      reorder(random, dst, static_cast<size_t>(devices));
    const Tilings t = problem(src, dst, mesh);
    // The paper's bound, or room for more.
    const int64_t cap = largest_end(t) * draw(random, 1, 2);
    for (const OpSet ops : {OpSet::scalar, OpSet::vector}) {
      const std::optional<Sequence> s = find_sequence(t, ops, cap);
      const int64_t optimum = BruteForce(t, ops, cap).optimum();
      CAPTURE(trial);
      REQUIRE(s.has_value() == (optimum >= 0));
      if (!s)
        continue;
      CHECK(s->cost == optimum);
      CHECK(s->exact);
      CHECK(replay(t, *s, ops, cap) == "");
    }
  }
}

} // namespace tw::test_sequence_brute
