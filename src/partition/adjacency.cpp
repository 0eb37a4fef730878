// SPDX-License-Identifier: Apache-2.0
// Lays out the edges of a graph, node by node.
#include "partition/adjacency.hpp"

namespace tw::partition {

Adjacency::Adjacency(const DataFlow &flow) {
  const auto nodes = static_cast<NodeId>(flow.num_nodes());
  size_t operands = 0;
  for (NodeId n = 0; n < nodes; ++n)
    operands += flow.reads(n).size();
  begin_.reserve(nodes + 1);
  edges_.reserve(2 * operands);
  for (NodeId n = 0; n < nodes; ++n) {
    begin_.push_back(static_cast<uint32_t>(edges_.size()));
    uint32_t own_slot = 0;
    for (const graph::ValueId v : flow.reads(n)) {
      if (const Port maker = flow.maker(v); maker.node != graph::kNone)
        edges_.push_back(
            {maker.node, own_slot, static_cast<uint32_t>(flow.reads(maker.node).size()) + maker.index});
      ++own_slot;
    }
    for (uint32_t r = 0; r < flow.num_made(n); ++r, ++own_slot)
      flow.each_reader(flow.made(n, r), [&](const Port &reader) {
        edges_.push_back({reader.node, own_slot, reader.index});
      });
  }
  begin_.push_back(static_cast<uint32_t>(edges_.size()));
}

size_t Adjacency::memory_bytes() const {
  return begin_.capacity() * sizeof(uint32_t) + edges_.capacity() * sizeof(Neighbour);
}

} // namespace tw::partition
