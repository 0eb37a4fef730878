// SPDX-License-Identifier: Apache-2.0
// What a device receives, counted from its tiles: what it wants and does not hold.
#pragma once

#include <algorithm>
#include <cstdint>

#include "redistribute/plan.hpp"
#include "sharding/sharding.hpp"

namespace tw::redistribute {

// The elements of a target tile, and how many of them are in the source tile of the same device.
struct TileElements {
  int64_t wanted = 1, held = 1;

  // One more dimension.
  void add(sharding::Interval before, sharding::Interval after) {
    wanted *= after.size();
    held *= std::max<int64_t>(0, std::min(before.end, after.end) - std::max(before.begin, after.begin));
  }
  // Elements that come from other devices. Each is combined of `terms` values, of which the device holds one
  // where it holds the element.
  int64_t received(int64_t terms = 1) const { return wanted * terms - held; }
};

inline TileElements count_elements(const Placement &before, const Placement &after, Device d) {
  const auto interval = [d](const Placement &tiles, size_t i) {
    const int64_t begin = tiles.offset(d)[i];
    return sharding::Interval{begin, begin + tiles.extent(d)[i]};
  };
  TileElements tile;
  for (size_t i = 0; i < before.rank(); ++i)
    tile.add(interval(before, i), interval(after, i));
  return tile;
}

} // namespace tw::redistribute
