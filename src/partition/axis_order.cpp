// SPDX-License-Identifier: Apache-2.0
// Compares the nests of neighbours dimension by dimension.
#include "partition/axis_order.hpp"

#include <algorithm>

#include "partition/projection.hpp"

namespace tw::partition {

using sharding::AxisId;

namespace {

// Slots count what a node reads, then what it makes.
const std::vector<ops::DimFactors> &dims_of(const Plan &plan, NodeId n, uint32_t slot) {
  const ops::Rule &rule = plan.rule(n);
  return slot < rule.operands.size() ? rule.operands[slot] : rule.results[slot - rule.operands.size()];
}

} // namespace

Axes axes_of(const Plan &plan, NodeId n, ops::FactorId factor) {
  Axes axes;
  for (const NestEntry &e : plan.nest(n))
    if (e.factor == factor)
      axes.push_back(e.axis);
  return axes;
}

Axes order_of_neighbour(const Plan &plan, NodeId n, uint32_t slot, ops::FactorId factor, NodeId neighbour,
                        uint32_t its_slot) {
  Axes own = axes_of(plan, n, factor);
  const auto &dims = dims_of(plan, n, slot);
  const auto &their_dims = dims_of(plan, neighbour, its_slot);
  for (size_t d = 0; d < std::min(dims.size(), their_dims.size()); ++d) {
    if (std::ranges::find(dims[d], factor) == dims[d].end())
      continue;
    Axes theirs;
    for (const ops::FactorId f : their_dims[d])
      for (const AxisId axis : axes_of(plan, neighbour, f))
        if (std::ranges::find(own, axis) != own.end())
          theirs.push_back(axis);
    auto next = theirs.begin();
    for (AxisId &axis : own)
      if (std::ranges::find(theirs, axis) != theirs.end())
        axis = *next++;
  }
  return own;
}

Status reorder(Plan &plan, NodeId n, ops::FactorId factor, std::span<const AxisId> order) {
  const Axes before = axes_of(plan, n, factor);
  const sharding::SplitRule all = plan.split(plan.entry(n, before.back())->split);
  const int64_t size = plan.rule(n).factors[factor].size;
  int64_t tiles = 1;
  for (const AxisId axis : before)
    tiles *= plan.mesh().size(axis);
  for (size_t i = before.size(); i-- > 0;)
    TW_TRY(plan.take_off(n, before[i]));
  int64_t made = 1;
  for (const AxisId axis : order) {
    made *= plan.mesh().size(axis);
    const sharding::SplitRule cut = coarsen(all, size, tiles, tiles / made);
    TW_TRY(plan.set(n, axis, factor, &cut));
  }
  return {};
}

} // namespace tw::partition
