// SPDX-License-Identifier: Apache-2.0
// Values between arguments and results whose tiles are worth a decision of their own, as the stream between
// layers (sequence parallelism), or what experts get.
#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "search/few_layers.hpp"

namespace tw::search {

struct Value {
  graph::ValueId few;     // of FewLayers::graph
  graph::ValueId program; // which it is there; of a layer, the first one's
};

// Of each type that large values have, those with the most readers; the largest first. What becomes of the
// same value in other layers follows from it.
std::vector<Value> find_values(const graph::Graph &graph, const FewLayers &few);

} // namespace tw::search
