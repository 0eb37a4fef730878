// SPDX-License-Identifier: Apache-2.0
// Layers: parts of a program that repeat, found from its structure alone. Names, the order of arguments and
// of independent ops, and what nobody uses change nothing.
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace tw::search {

class Looks; // looks.hpp

// Ops that play one role, one in each layer, the first layer's first. Arguments and results are ops too.
using Role = std::vector<graph::OpId>;

// A stack of layers. The map from each layer to the next is an isomorphism: it keeps op, attributes, types,
// and of which operand an op is; what a layer takes from outside the stack is the same for all, or comes
// from the layer beside it.
struct Stack {
  size_t num_layers = 0;
  std::vector<Role> roles; // by the first layer's ops, ascending
};

// Disjoint; those whose arguments have the most bytes first. Ops inside regions belong to the op that owns
// them. Not all of them where who watches gives up.
std::vector<Stack> find_stacks(const graph::Graph &graph);
std::vector<Stack> find_stacks(const graph::Graph &graph, const Looks &looks); // of the graph

} // namespace tw::search
