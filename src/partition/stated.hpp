// SPDX-License-Identifier: Apache-2.0
// What somebody stated of the layouts of values: the pins that hold it, and the sums that are left open on
// purpose.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

// The operand of what makes a value, where that is a barrier of this value alone: the constraint of a value
// is such a barrier.
std::optional<graph::ValueId> behind_barrier(const graph::Graph &graph, graph::ValueId v);

// The pin that holds a layout which somebody stated for a value, or for a constraint that is all that reads
// it; kNone where nobody did.
NodeId stated_pin(const Plan &plan, graph::ValueId v);
// Whether somebody stated the layout in which the caller gets a result, or of some dimension that it stays
// whole.
bool is_stated_result(const Plan &plan, graph::OpId result);
// Whether some dimension of a result takes no further axis.
bool takes_no_more(const Plan &plan, graph::OpId result);
// The argument that a result overwrites, kNone where there is none.
graph::OpId overwritten_argument(const graph::Graph &graph, uint32_t result);
// The layout that the plan asks for a result: one that was fixed, one that somebody stated, or that of the
// argument which the result overwrites, so that the next step can take it. Where there is none, a result
// stays as it was made.
std::optional<sharding::Sharding> asked_layout(const Plan &plan, uint32_t result, graph::OpId overwritten);
// Whether somebody stated over which axes a node leaves partial values.
bool is_stated_partial(const Plan &plan, NodeId n, sharding::AxisId axis);
// Whether a node is the constraint of a value whose layout somebody stated: there its parts are combined.
bool is_stated_constraint(const Plan &plan, NodeId n);
// Whether the layouts of all that a node makes are stated, so that what it reads may come in others than it
// has.
bool is_stated(const Plan &plan, NodeId n);

// The axes over which values are left partial on purpose, as far as linear ops hand such values on.
class OpenSums {
public:
  explicit OpenSums(const Plan &plan) : plan_(plan), axes_(plan.graph().values().size()) {}

  // Looks at the ops before this one, those behind an earlier end once more: what makes them partial may have
  // been said since.
  void follow(graph::OpId end);
  // As users of the value get it: a pin combines it.
  sharding::AxisSet axes(graph::ValueId v) const {
    return plan_.pin_of(v) == graph::kNone ? axes_[v] : sharding::AxisSet();
  }
  // Whether a node makes partial values of those that it reads.
  bool hands_on(NodeId n, sharding::AxisId axis) const;

private:
  const Plan &plan_;
  std::vector<sharding::AxisSet> axes_; // per value
  graph::OpId end_ = 0;                 // of the ops that were looked at
};

} // namespace tw::partition
