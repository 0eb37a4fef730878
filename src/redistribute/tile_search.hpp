// SPDX-License-Identifier: Apache-2.0
// The last resort for a path of local shapes: assigns tiles to devices one by one until every state of the
// path is balanced.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "redistribute/forced_digits.hpp"

namespace tw::redistribute {

// Takes any orders of devices and any primes, at the price of trying.
class TileSearch {
public:
  // Whether it has found tiles for every state of the path; it gives up after kMaxTries.
  bool find(const Ends &ends, std::span<const State> path);
  // After it has: states x devices x rank.
  const std::vector<int32_t> &tiles() const { return tiles_; }

private:
  static constexpr int kMaxTries = 20000;
  struct Interval {
    int32_t first, last;
  };
  bool assign(size_t at, size_t device);
  bool choose(size_t at, size_t device, size_t dim, int32_t number);

  Ends e_;
  std::span<const State> path_;
  size_t rank_ = 0, devices_ = 0;
  int tries_ = 0;
  std::vector<std::vector<Interval>>
      toward_target_; // (state, dimension): per target tile, the tiles from which it is reached
  std::vector<std::vector<int32_t>> room_; // per state: how many more devices each tile takes
  std::vector<int32_t> tiles_;
};

} // namespace tw::redistribute
