// SPDX-License-Identifier: Apache-2.0
// Where target tiles overlap, devices want parts of each other's tiles. Cut at the edges of all tiles, what
// two devices want is the same part or nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "redistribute/problem.hpp"

namespace tw::redistribute {

class TileEdges {
public:
  explicit TileEdges(const Problem &problem);
  // No target tiles overlap: a box is one part.
  bool none() const { return none_; }
  std::vector<sharding::Box> cut(const sharding::Box &box) const;

private:
  std::vector<std::vector<int64_t>> edges_; // by dimension, ascending; empty where no tiles overlap
  bool none_ = true;
};

} // namespace tw::redistribute
