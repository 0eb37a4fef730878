// SPDX-License-Identifier: Apache-2.0
// The order in which axes tile one dimension: where neighbours have the same axes in another one, tiles
// change places between devices.
#pragma once

#include <span>
#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

using Axes = std::vector<sharding::AxisId>; // major to minor

// The axes of a factor of a node.
Axes axes_of(const Plan &plan, NodeId n, ops::FactorId factor);
// The same as a neighbour has them that meets this slot of the node with its own: those which both have for
// the dimension between them stand as the neighbour has them, all others stay.
Axes order_of_neighbour(const Plan &plan, NodeId n, uint32_t slot, ops::FactorId factor, NodeId neighbour,
                        uint32_t its_slot);
// Has the axes of a factor stand in this order; the cuts of the dimension stay. An error where a rule of
// nests is broken: then some are gone.
Status reorder(Plan &plan, NodeId n, ops::FactorId factor, std::span<const sharding::AxisId> order);

} // namespace tw::partition
