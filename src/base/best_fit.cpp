// SPDX-License-Identifier: Apache-2.0
// Largest first, each into the smallest gap that takes it.
#include "base/best_fit.hpp"

#include <algorithm>
#include <bit>

namespace tw {

namespace {

constexpr int64_t kAlignment = 64;
int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

using Range = std::pair<int64_t, int64_t>; // bytes from, to

// Bytes that are taken: ranges that do not touch, ascending. Blocks lie close together, so they are few.
class Taken {
public:
  void add(Range range) {
    auto first = std::ranges::lower_bound(ranges_, range.first, {}, &Range::second), last = first;
    for (; last != ranges_.end() && last->first <= range.second; ++last)
      range = {std::min(range.first, last->first), std::max(range.second, last->second)};
    if (first == last) {
      ranges_.insert(first, range);
      return;
    }
    *first = range;
    ranges_.erase(first + 1, last);
  }
  std::span<const Range> ranges() const { return ranges_; }

private:
  std::vector<Range> ranges_;
};

// What several have, in the same form.
class Union {
public:
  void clear() { ranges_.clear(); }
  void add(const Taken &taken) {
    if (taken.ranges().empty())
      return;
    united_.clear();
    auto own = ranges_.begin();
    for (const Range &range : taken.ranges()) {
      for (; own != ranges_.end() && own->first <= range.first; ++own)
        append(*own);
      append(range);
    }
    for (; own != ranges_.end(); ++own)
      append(*own);
    std::swap(ranges_, united_);
  }
  std::span<const Range> ranges() const { return ranges_; }

private:
  void append(const Range &range) { // which begins no earlier than those before it
    if (!united_.empty() && range.first <= united_.back().second)
      united_.back().second = std::max(united_.back().second, range.second);
    else
      united_.push_back(range);
  }

  std::vector<Range> ranges_, united_; // the second is for the next one
};

// What is taken during a stretch of time, without a look at each block: a tree over time. Each node has what
// the blocks take that live through all of it, and what is taken at any time in it.
class Times {
public:
  explicit Times(uint32_t end)
      : leaves_(std::bit_ceil(end)), through_(2 * size_t{leaves_}), any_(through_.size()) {}

  void add(const Block &block, Range range) { add(1, 0, leaves_, block, range); }
  void find(const Block &during, Union &taken) const {
    taken.clear();
    find(1, 0, leaves_, during, taken);
  }

private:
  void add(size_t node, uint32_t from, uint32_t to, const Block &block, Range range) {
    if (block.last < from || to <= block.first)
      return;
    any_[node].add(range);
    if (block.first <= from && to <= block.last + 1)
      return through_[node].add(range);
    const uint32_t middle = from + (to - from) / 2;
    add(2 * node, from, middle, block, range);
    add(2 * node + 1, middle, to, block, range);
  }
  void find(size_t node, uint32_t from, uint32_t to, const Block &during, Union &taken) const {
    if (during.last < from || to <= during.first)
      return;
    if (during.first <= from && to <= during.last + 1)
      return taken.add(any_[node]);
    taken.add(through_[node]);
    const uint32_t middle = from + (to - from) / 2;
    find(2 * node, from, middle, during, taken);
    find(2 * node + 1, middle, to, during, taken);
  }

  uint32_t leaves_;
  std::vector<Taken> through_, any_; // by node
};

} // namespace

int64_t best_fit(std::span<const Block> blocks, std::vector<int64_t> &offsets) {
  offsets.assign(blocks.size(), 0);
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].bytes > 0)
      order.push_back(i);
  if (order.empty())
    return 0;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return blocks[a].bytes > blocks[b].bytes; });

  uint32_t end_of_time = 1;
  for (const Block &block : blocks)
    end_of_time = std::max(end_of_time, block.last + 1);
  int64_t total = 0;
  Times times(end_of_time);
  Union taken;
  for (const uint32_t i : order) {
    times.find(blocks[i], taken);
    const int64_t need = aligned(blocks[i].bytes);
    int64_t end = 0, best = -1, best_waste = 0;
    for (const auto &[from, to] : taken.ranges()) {
      const int64_t gap = from - end;
      if (gap >= need && (best < 0 || gap - need < best_waste)) {
        best = end;
        best_waste = gap - need;
      }
      end = to;
    }
    offsets[i] = best >= 0 ? best : end;
    total = std::max(total, offsets[i] + need);
    times.add(blocks[i], {offsets[i], offsets[i] + need});
  }
  return total;
}

} // namespace tw
