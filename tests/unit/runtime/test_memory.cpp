// SPDX-License-Identifier: Apache-2.0
// Best fit of blocks by size and lifetime.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "runtime/memory.hpp"
#include "runtime/planned.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::runtime_test_memory {

using tw::best_fit;
using tw::Block;

TEST_CASE("blocks alive at once do not overlap") {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks(random() % 60);
    for (Block &b : blocks) {
      const uint32_t x = random() % 50, y = random() % 50;
      b = {static_cast<int64_t>(random() % 5 == 0 ? 0 : random() % 3000), std::min(x, y), std::max(x, y)};
    }
    std::vector<int64_t> offsets;
    const int64_t total = best_fit(blocks, offsets);
    int64_t most_alive = 0;
    for (uint32_t time = 0; time < 50; ++time) {
      int64_t alive = 0;
      for (const Block &b : blocks)
        if (b.first <= time && time <= b.last)
          alive += (b.bytes + 63) / 64 * 64;
      most_alive = std::max(most_alive, alive);
    }
    CHECK(total >= most_alive);
    CHECK(total <= 2 * most_alive);
    for (size_t i = 0; i < blocks.size(); ++i) {
      CHECK(offsets[i] % 64 == 0);
      CHECK(offsets[i] + blocks[i].bytes <= total + (blocks[i].bytes == 0 ? offsets[i] : 0));
      for (size_t j = 0; j < i; ++j) {
        const bool together = blocks[i].first <= blocks[j].last && blocks[j].first <= blocks[i].last;
        const bool apart =
            offsets[i] + blocks[i].bytes <= offsets[j] || offsets[j] + blocks[j].bytes <= offsets[i];
        CHECK((!together || apart || blocks[i].bytes == 0 || blocks[j].bytes == 0));
      }
    }
  }
}

// Each block beside all that were placed before.
int64_t fit_one_by_one(std::span<const Block> blocks, std::vector<int64_t> &offsets) {
  offsets.assign(blocks.size(), 0);
  const auto size = [](const Block &b) { return (b.bytes + 63) / 64 * 64; };
  std::vector<size_t> order, placed;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].bytes > 0)
      order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return blocks[i].bytes; });
  int64_t total = 0;
  for (const size_t i : order) {
    std::ranges::sort(placed, {}, [&](size_t p) { return offsets[p]; });
    int64_t end = 0, best = -1, waste = 0;
    for (const size_t p : placed) {
      if (blocks[p].last < blocks[i].first || blocks[i].last < blocks[p].first)
        continue;
      const int64_t gap = offsets[p] - end;
      if (gap >= size(blocks[i]) && (best < 0 || gap - size(blocks[i]) < waste)) {
        best = end;
        waste = gap - size(blocks[i]);
      }
      end = std::max(end, offsets[p] + size(blocks[p]));
    }
    offsets[i] = best >= 0 ? best : end;
    total = std::max(total, offsets[i] + size(blocks[i]));
    placed.push_back(i);
  }
  return total;
}

TEST_CASE("blocks lie where a look at every other block would put them") {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const uint32_t end = 1 + random() % 100;
    std::vector<Block> blocks(random() % 200);
    for (Block &b : blocks) {
      const uint32_t x = random() % end, y = random() % 3 == 0
                                                 ? random() % end
                                                 : std::min(end - 1, x + static_cast<uint32_t>(random() % 5));
      b = {static_cast<int64_t>(random() % 4 == 0 ? random() % 5000 : 64 * (1 + random() % 8)),
           std::min(x, y), std::max(x, y)};
    }
    std::vector<int64_t> offsets, expected;
    const int64_t total = best_fit(blocks, offsets);
    CHECK(total == fit_one_by_one(blocks, expected));
    CHECK(offsets == expected);
  }
}

TEST_CASE("a gap that fits is used") {
  // A large block, then two that live one after the other in its shadow.
  const std::vector<Block> blocks = {{640, 0, 9}, {128, 0, 4}, {128, 5, 9}, {64, 3, 6}};
  std::vector<int64_t> offsets;
  CHECK(best_fit(blocks, offsets) == 640 + 128 + 64);
  CHECK(offsets == std::vector<int64_t>{0, 640, 640, 768});
}

TEST_CASE("devices of equal tiles need equal arenas, and tiles less than wholes") {
  using namespace tw::test;
  const auto graph = step_program();
  const Runner whole(graph, "", ""), parts(graph, "data=2,model=4", kStepSpec),
      uneven(graph, "data=4,model=1", kStepSpec);
  for (int64_t d = 1; d < 8; ++d)
    CHECK(parts.executable->peak_bytes(tw::sharding::DeviceIndex(d)) == parts.executable->peak_bytes({}));
  CHECK(parts.executable->arena_bytes({}) < whole.executable->arena_bytes({}));
  CHECK(parts.executable->peak_bytes({}) > parts.executable->arena_bytes({}));
}

TEST_CASE("steps make the tiles of a result in their places in it") {
  using namespace tw::test;
  constexpr int64_t kRows = 64, kWidth = 32, kBytes = kRows * kWidth * 4;
  ProgramBuilder p;
  const ValueId x = p.arg("x", {kRows, kWidth}), w = p.arg("w", {kWidth, kWidth});
  p.result(p.matmul(p.matmul(x, w), w), "y");
  const auto graph = p.finish();
  const auto stepped = [](std::string_view axis, int size, int dim) {
    return fmt::format("{0}(axis=\"s\", size={1}); tile(arg={2}, dim={3}, axis=\"s\"); infer-propagate", axis,
                       size, dim == 0 ? "x" : "w", dim);
  };
  Runner whole(graph, "", "");
  CHECK(whole.executable->arena_bytes({}) == 2 * kBytes);
  REQUIRE(whole.run());
  for (const int steps : {2, 4}) {
    Runner runner(graph, "", stepped("serial", steps, 0));
    CHECK(runner.executable->arena_bytes({}) == kBytes + kBytes / steps);
    REQUIRE(runner.run());
    CHECK(runner.bytes() == whole.bytes());
  }
  // Uneven tiles, over devices and steps; threads, each with an intermediate of its own.
  for (const auto &[on, spec] :
       {std::pair{"d=3", stepped("serial", 5, 0) + "; tile(arg=x, dim=0, axis=d); infer-propagate"},
        std::pair{"", stepped("threads", 4, 0)}}) {
    Runner runner(graph, on, spec);
    REQUIRE(runner.run());
    CHECK(runner.bytes() == whole.bytes());
  }
  // The plan's own figure: beside arguments and results only the tile of x.
  ProgramBuilder one;
  const ValueId v = one.arg("x", {kRows, kWidth}), wide = one.arg("w", {kWidth, 4 * kWidth});
  one.result(one.matmul(v, wide), "y");
  const Runner product(one.finish(), "", stepped("serial", 2, 0));
  const auto planned = runtime::Executable::plan(product.program);
  REQUIRE(planned.has_value());
  CHECK(planned->peak.bytes == product.executable->peak_bytes(tw::sharding::DeviceIndex(0)));
  // Tiles of columns are no runs of the result.
  Runner columns(graph, "", stepped("serial", 2, 1));
  REQUIRE(columns.run());
  CHECK(columns.bytes() == whole.bytes());
}

} // namespace tw::runtime_test_memory
