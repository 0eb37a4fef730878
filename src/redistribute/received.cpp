// SPDX-License-Identifier: Apache-2.0
// Counts dimension by dimension.
#include "redistribute/received.hpp"

namespace tw::redistribute {

TileElements count_elements(const Placement &before, const Placement &after, Device d) {
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
