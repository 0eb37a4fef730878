// SPDX-License-Identifier: Apache-2.0
// Axes that ranges make by themselves: `arg-tile`'s range<n,w>, `dumb-tile`'s range<k>.
#pragma once

#include "partition/plan.hpp"

namespace tw::partition {

// An axis of this range (w = 0: range<n>) that a node does not carry yet: what one cuts already is cut by a second one.
Result<sharding::AxisId> range_axis(Plan &plan, NodeId n, int64_t extent, int64_t width);

// Cuts at every multiple of the width; the last interval is smaller where the width does not divide.
sharding::SplitRule intervals(int64_t size, int64_t width);

} // namespace tw::partition
