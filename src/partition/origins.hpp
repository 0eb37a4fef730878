// SPDX-License-Identifier: Apache-2.0
// Which actions lead to a decision. Propagation hands a loop from node to node, and several actions may have
// put it into one such part of the program: then each of them alone leads there.
#pragma once

#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

class Origins {
public:
  explicit Origins(const Plan &plan) : plan_(plan), parts_(plan.mesh().num_axes()) {}

  // Those behind a node's loop over an axis, ascending; of one that keeps it whole, or that an action put
  // there where nothing was handed on, one. None where the node has decided nothing.
  std::vector<ActionId> of(NodeId n, sharding::AxisId axis);

private:
  // Of one axis: nodes that have it in the same way, as trees, and at the roots the actions.
  struct Parts {
    std::vector<NodeId> parent;
    std::vector<std::vector<ActionId>> actions;
  };
  const Parts &parts(sharding::AxisId axis);
  bool has(NodeId n, sharding::AxisId axis) const;
  // The node behind an operand, where both have the axis in the same way.
  NodeId hands_on(NodeId n, uint32_t operand, sharding::AxisId axis) const;

  const Plan &plan_;
  std::vector<Parts> parts_; // by axis, made when first asked for
};

} // namespace tw::partition
