// SPDX-License-Identifier: Apache-2.0
// Groups of arguments: those that play one role in all layers of a stack are tiled alike.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"
#include "search/few_layers.hpp"

namespace tw::search {

enum class Purpose : uint8_t {
  other,
  weight, // of floats, and the program gives an array of its type back in its place, or products read it
  state,  // read element by element alone, as an optimizer's moments are
};

struct Group {
  std::vector<size_t> arguments;     // of the program, the first layer's first
  std::vector<graph::OpId> few;      // the ops of FewLayers::graph that stand for them
  graph::TypeId type = graph::kNone; // in FewLayers::graph
  Purpose purpose = Purpose::other;
};

// Of all arguments that are used and have a dimension, in an order in which names mean nothing: weights, then
// inputs, then states; of these, those with the most bytes first, then as the program uses them.
std::vector<Group> find_groups(const graph::Graph &graph, const Looks &looks,
                               const std::vector<Stack> &stacks, const FewLayers &few);

} // namespace tw::search
