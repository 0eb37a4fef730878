// SPDX-License-Identifier: Apache-2.0
// Where the layouts of neighbours do not agree, though nobody had to choose: a value moves there, or is put together. Derived from the nests, so
// nothing need be kept while propagation runs.
#pragma once

#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

// In the order of nodes. A `mismatch`: the node runs the axis over one factor (the first candidate), a neighbour offers it another; told by the
// one of the two that reads, where it can. An `illegal`: what a neighbour offers must stay whole
// in the node, as the first candidate says.
// The plan keeps the split rules of what is offered; nothing else of it changes.
std::vector<Conflict> disagreements(Plan &plan);

} // namespace tw::partition
