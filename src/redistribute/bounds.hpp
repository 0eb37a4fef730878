// SPDX-License-Identifier: Apache-2.0
// What no plan can beat. Computed from the two layouts alone, by code that no planner uses.
#pragma once

#include <cstdint>
#include <vector>

#include "redistribute/cost.hpp"
#include "redistribute/problem.hpp"
#include "redistribute/topology.hpp"

namespace tw::redistribute {

struct Bounds {
  // B1: the bytes of its target tile that a device does not hold. Where g partial values are combined an
  // element takes g - 1 moves to combine and one for each further device that wants it, counted in the mean;
  // `max` is then the largest tile at least, and the mean.
  int64_t b1_max = 0;
  double b1_mean = 0;
  // B2, per level of groups, outermost first: the most bytes that must enter one of its groups. B3: that must
  // leave one. Empty without levels; B3 also where partial values are combined.
  // Of a sum a group needs one value at least where it wants it and has not all of its values; then B2 is no
  // less than what all groups of the level must receive, shared among them.
  std::vector<int64_t> b2, b3;
  // Figure 11, in elements: 0 where every device holds its target tile, else the largest target tile.
  int64_t fig11_floor = 0;
  // The largest of the two tiles of any device: the paper's bound on memory.
  int64_t height_bytes = 0;
  double time_us =
      0; // one start, and the bytes of the device that must receive most over all the links that may bring them
};

Bounds find_bounds(const Problem &problem, const Topology &topology, const CostModel &model);

} // namespace tw::redistribute
