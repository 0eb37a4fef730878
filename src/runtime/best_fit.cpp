// SPDX-License-Identifier: Apache-2.0
// Largest first, each into the smallest gap that takes it.
#include "runtime/best_fit.hpp"

#include <algorithm>

namespace tw::runtime {

namespace {
constexpr int64_t kAlignment = 64;
int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
} // namespace

int64_t best_fit(std::span<const Block> blocks, std::vector<int64_t> &offsets) {
  offsets.assign(blocks.size(), 0);
  std::vector<size_t> order;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].bytes > 0)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return blocks[a].bytes > blocks[b].bytes; });

  int64_t total = 0;
  std::vector<size_t> placed; // by offset
  for (const size_t i : order) {
    const int64_t need = aligned(blocks[i].bytes);
    int64_t end = 0, best = -1, best_waste = 0;
    for (const size_t p : placed) {
      if (blocks[p].last < blocks[i].first || blocks[i].last < blocks[p].first)
        continue;
      const int64_t gap = offsets[p] - end;
      if (gap >= need && (best < 0 || gap - need < best_waste)) {
        best = end;
        best_waste = gap - need;
      }
      end = std::max(end, offsets[p] + aligned(blocks[p].bytes));
    }
    offsets[i] = best >= 0 ? best : end;
    total = std::max(total, offsets[i] + need);
    const auto at = std::upper_bound(placed.begin(), placed.end(), offsets[i],
                                     [&](int64_t offset, size_t p) { return offset < offsets[p]; });
    placed.insert(at, i);
  }
  return total;
}

} // namespace tw::runtime
