// SPDX-License-Identifier: Apache-2.0
// The program with few layers of each stack: the first, the last and one that stands for all between them. A
// plan of it costs what the same plan of the program does, in a fraction of the time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cost/price.hpp"
#include "graph/graph.hpp"
#include "search/layers.hpp"

namespace tw::search {

struct FewLayers {
  std::shared_ptr<const graph::Graph> graph;
  cost::Repeats repeats;
  // By op of `graph`: which op of the program it is; of ops in regions nothing.
  std::vector<graph::OpId> from;
  // By op of the program: which op of `graph` it is, or which one stands for it; of ops in regions nothing.
  std::vector<graph::OpId> of;
  // By op of `graph`: what plays its role in the next layer there, and behind the last one the first; else
  // itself.
  std::vector<graph::OpId> next;
  // By argument of the program: which argument of `graph` it is, or which one stands for it.
  std::vector<size_t> arguments;
};

// Where a stack has no layers that could stand for others, all of them stay; so does the graph itself where
// none has.
FewLayers keep_few_layers(const std::shared_ptr<const graph::Graph> &graph, const std::vector<Stack> &stacks);

} // namespace tw::search
