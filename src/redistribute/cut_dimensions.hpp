// SPDX-License-Identifier: Apache-2.0
// Which dimensions a search of sequences may cut, and into what: a problem's tilings in the terms of its
// graph of local shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "redistribute/shape_paths.hpp"

namespace tw::redistribute {

// The dimensions that may be cut at all. The others always have one tile.
class CutDimensions {
public:
  // Leaves out idle dimensions, the last first, where there would be too many states.
  explicit CutDimensions(const Tilings &t);

  size_t rank() const { return active_.size(); }
  // Whether none is left out that could be cut.
  bool complete() const { return complete_; }

  State state(const TileGraph &graph, const std::vector<int64_t> &shards) const;
  std::vector<int64_t> shards(const TileGraph &graph, State s) const;
  // The elements of the largest tile of every state; kForbidden where it has more than `cap`, or dimensions
  // would be cut unevenly that both ends cut evenly.
  std::vector<int64_t> tile_sizes(const TileGraph &graph, int64_t cap) const;
  // The step from one state to the next, and the tiles after it, in terms of all dimensions.
  CutStep step(const TileGraph &graph, State from, State to, std::span<const int32_t> tiles) const;
  // Tiles of every device in the dimensions that may be cut.
  std::vector<int32_t> some(const std::vector<int32_t> &tiles) const;

private:
  bool uneven(size_t dim) const;

  const Tilings &t_;
  int64_t devices_;
  std::vector<size_t> active_;
  bool complete_ = true;
};

} // namespace tw::redistribute
