// SPDX-License-Identifier: Apache-2.0
// What lies in memory at each place of a program, and the most of it. A value comes and goes at once; who
// asks for the most pays for the blocks of places in which something came or went since, once for each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/id_set.hpp"

namespace tw::cost {

class PeakTree {
public:
  explicit PeakTree(uint32_t places)
      : blocks_(std::bit_ceil(places / kBlock + 1)), more_(size_t{kBlock} * blocks_, 0),
        parts_(size_t{2} * blocks_), changed_(blocks_) {}

  // From one place to another, both included.
  void add(uint32_t first, uint32_t last, int64_t bytes) {
    put(first, bytes);
    put(last + 1, -bytes);
  }
  int64_t most() {
    above_.clear();
    changed_.each([&](uint32_t block) {
      Part part;
      for (const int64_t *at = &more_[size_t{block} * kBlock], *end = at + kBlock; at != end; ++at)
        part.most = std::max(part.most, part.all += *at);
      parts_[blocks_ + block] = part;
      note((blocks_ + block) / 2);
    });
    changed_.clear();
    while (!above_.empty() && above_[0] != 0) {
      std::swap(above_, level_);
      above_.clear();
      for (const uint32_t node : level_) {
        const Part &left = parts_[2 * node], &right = parts_[2 * node + 1];
        parts_[node] = {left.all + right.all, std::max(left.most, left.all + right.most)};
        note(node / 2);
      }
    }
    return parts_[1].most;
  }

private:
  static constexpr uint32_t kBlock = 64;
  // All that some places add, and the most that the first of them add.
  struct Part {
    int64_t all = 0, most = 0;
  };

  void put(uint32_t place, int64_t bytes) {
    more_[place] += bytes;
    changed_.add(place / kBlock);
  }
  void note(uint32_t node) { // in ascending order
    if (above_.empty() || above_.back() != node)
      above_.push_back(node);
  }

  uint32_t blocks_;
  std::vector<int64_t> more_; // at each place than before it
  std::vector<Part> parts_;   // of a tree, the blocks its leaves
  IdSet changed_;
  std::vector<uint32_t> above_, level_;
};

} // namespace tw::cost
