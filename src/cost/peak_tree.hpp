// SPDX-License-Identifier: Apache-2.0
// What lies in memory at each place of a program, and the most of it; a value comes and goes in the time of
// the logarithm of the places.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tw::cost {

class PeakTree {
public:
  explicit PeakTree(uint32_t places)
      : leaves_(std::bit_ceil(std::max<uint32_t>(places, 1))), most_(size_t{2} * leaves_, 0),
        added_(size_t{2} * leaves_, 0) {}

  // From one place to another, both included.
  void add(uint32_t first, uint32_t last, int64_t bytes) {
    const uint32_t left = first + leaves_, right = last + leaves_;
    for (uint32_t l = left, r = right + 1; l < r; l >>= 1, r >>= 1) {
      if ((l & 1) != 0)
        put(l++, bytes);
      if ((r & 1) != 0)
        put(--r, bytes);
    }
    pull(left);
    pull(right);
  }
  int64_t most() const { return most_[1]; }

private:
  void put(uint32_t node, int64_t bytes) {
    most_[node] += bytes;
    added_[node] += bytes;
  }
  void pull(uint32_t leaf) {
    for (uint32_t node = leaf >> 1; node >= 1; node >>= 1)
      most_[node] = std::max(most_[2 * node], most_[2 * node + 1]) + added_[node];
  }

  uint32_t leaves_;
  std::vector<int64_t> most_, added_; // below a node, and to all below it
};

} // namespace tw::cost
