// SPDX-License-Identifier: Apache-2.0
// What reports and errors call a value.
#pragma once

#include <algorithm>
#include <string>

#include "graph/graph.hpp"

namespace tw::graph {

// An argument's name as actions take it, "params['up']"; else the value's own, "%12".
inline std::string shown_name(const Graph &graph, ValueId v) {
  const auto arguments = graph.arguments();
  const auto found = std::ranges::lower_bound(arguments, graph.value(v).def);
  if (graph.value(v).def == kNone || found == arguments.end() || *found != graph.value(v).def)
    return graph.value_name(v);
  return graph.argument_name(static_cast<size_t>(found - arguments.begin()));
}

} // namespace tw::graph
