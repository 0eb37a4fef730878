// SPDX-License-Identifier: Apache-2.0
// Axes that ranges make by themselves: `arg-tile`'s range<n,w>, `dumb-tile`'s range<k>.
#pragma once

#include "partition/plan.hpp"

namespace tw::partition {

// An axis of this range (w = 0: range<n>) that a node does not carry yet: what one cuts already is cut by a
// second one.
Result<sharding::AxisId> range_axis(Plan &plan, NodeId n, int64_t extent, int64_t width);

// Cuts at every multiple of a width in each of the tiles that a node's loops make of a factor; the last
// interval of a tile is smaller where the width does not divide it.
struct Intervals {
  int64_t extent = 0; // of the largest tile, which the range is over
  sharding::SplitRule rule;
};
Intervals intervals(const Plan &plan, NodeId n, ops::FactorId factor, int64_t width);

} // namespace tw::partition
