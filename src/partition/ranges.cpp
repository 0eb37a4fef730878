// SPDX-License-Identifier: Apache-2.0
// Finds the axis of a range, and the cuts that its width makes.
#include "partition/ranges.hpp"

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

sharding::SplitRule intervals(int64_t size, int64_t width) {
  std::vector<int64_t> cuts;
  for (int64_t at = 0; at < size; at += width)
    cuts.push_back(at);
  cuts.push_back(size);
  const auto count = static_cast<int64_t>(cuts.size() - 1);
  return sharding::normalise(
      {sharding::SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(cuts))},
      size, count);
}

} // namespace tw::partition
