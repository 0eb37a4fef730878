// SPDX-License-Identifier: Apache-2.0
// Where the layouts of neighbours do not agree, though nobody had to choose: a value moves there, or is put
// together. Derived from the nests, so nothing need be kept while propagation runs.
#pragma once

#include <string>
#include <vector>

#include "partition/axis_order.hpp"
#include "partition/plan.hpp"

namespace tw::partition {

struct Disagreement : Conflict {
  // Where both tile one dimension by the same axes in another order: those of each candidate. Told for the
  // outermost that stands elsewhere.
  std::vector<Axes> orders = {};
};

// In the order of nodes. A `mismatch`: the node runs the axis over one factor (the first candidate), a
// neighbour offers it another, or another order of axes; told by the one of the two that reads, where it can.
// An `illegal`: what a neighbour offers must stay whole in the node, as the first candidate says.
// The plan keeps the split rules of what is offered; nothing else of it changes.
std::vector<Disagreement> disagreements(Plan &plan);

// What a candidate makes of the node: "tile 0", or "tile 0 {b,a}" where the order of axes is at stake.
std::string candidate_text(const Plan &plan, const Conflict &c, std::span<const Axes> orders,
                           size_t candidate);

} // namespace tw::partition
