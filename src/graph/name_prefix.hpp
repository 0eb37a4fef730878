// SPDX-License-Identifier: Apache-2.0
// Names of values in regions are paths: those in the regions of op %3 are "%3.%a", "%3.1.%a", .., unless a
// text gave them other names.
#pragma once

#include <string>

#include "graph/graph.hpp"

namespace tw::graph {

// What stands in front of the names in a region: "%3.1."; "" in the body of the entry.
std::string name_prefix(const Graph &graph, RegionId region);

} // namespace tw::graph
