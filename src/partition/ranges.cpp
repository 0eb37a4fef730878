// SPDX-License-Identifier: Apache-2.0
// Finds the axis of a range, and the cuts that its width makes.
#include "partition/ranges.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace tw::partition {

Result<sharding::AxisId> range_axis(Plan &plan, NodeId n, int64_t extent, int64_t width) {
  for (uint32_t instance = 0;; ++instance) {
    TW_ASSIGN(const sharding::AxisId axis, plan.anonymous_axis(extent, width, instance));
    if (plan.entry(n, axis) == nullptr)
      return axis;
  }
}

Intervals intervals(const Plan &plan, NodeId n, ops::FactorId factor, int64_t width) {
  const int64_t size = plan.rule(n).factors[factor].size;
  int64_t tiles = 1;
  sharding::SplitRule outer;
  for (const NestEntry &e : plan.nest(n))
    if (e.factor == factor) {
      tiles *= plan.mesh().size(e.axis);
      outer = plan.split(e.split);
    }
  Intervals made;
  for (int64_t t = 0; t < tiles; ++t)
    made.extent = std::max(made.extent, sharding::tile(outer, size, tiles, t).size());
  const int64_t places = made.extent / width + (made.extent % width != 0);
  if (places > sharding::kMaxDevices / tiles)
    return made; // range_axis refuses an axis of so many places
  std::vector<int64_t> cuts{0};
  for (int64_t t = 0; t < tiles; ++t) {
    const sharding::Interval of = sharding::tile(outer, size, tiles, t);
    for (int64_t i = 1; i <= places; ++i)
      cuts.push_back(std::min(of.begin + i * width, of.end));
  }
  made.rule = sharding::normalise(
      {sharding::SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(cuts))},
      size, tiles * places);
  return made;
}

} // namespace tw::partition
