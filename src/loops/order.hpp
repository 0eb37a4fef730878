// SPDX-License-Identifier: Apache-2.0
// Which nodes of a plan share a loop, and in which order loops and nodes stand. Nodes share one where their
// nests begin alike and edges whose layouts agree connect them; a loop ends when none of its nodes can go on
// without what others make.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partition/plan.hpp"

namespace tw::loops {

using partition::NodeId;
using partition::Plan;

// A value as its maker leaves it, or as its pin does.
struct Made {
  graph::ValueId value;
  bool pinned;
  bool operator==(const Made &) const = default;
};

struct Loop {
  sharding::AxisId axis;
  uint32_t parent = graph::kNone;
  uint32_t depth = 0;
  std::vector<Made> results; // what is used outside, in the order in which it is made
};

struct Step {
  enum class Kind : uint8_t { open, op, pin, close } kind;
  uint32_t id; // a loop, an op, or the value that a pin holds: a pin of several values stands at each of them
};

struct Order {
  std::vector<Loop> loops;
  std::vector<Step> steps;
};

// The pin of a value, where it stands for something: pins without loops do not.
NodeId pin_of(const Plan &plan, graph::ValueId v);

// The ops and pins of a body. The order depends on nothing but the graph, the nests and, where both leave it
// open, on how ops are numbered; numbered in this order, they keep it.
Order arrange(const Plan &plan, graph::RegionId body);
// As if its ops were numbered in this order.
Order arrange(const Plan &plan, graph::RegionId body, std::span<const graph::OpId> ops);

} // namespace tw::loops
