// SPDX-License-Identifier: Apache-2.0
// Lays out the edges of a graph, op by op.
#include "partition/adjacency.hpp"

namespace tw::partition {

Adjacency::Adjacency(const graph::Graph &graph) {
  size_t operands = 0;
  for (const graph::Op &op : graph.ops())
    operands += op.num_operands;
  begin_.reserve(graph.ops().size() + 1);
  edges_.reserve(2 * operands);
  for (graph::OpId id = 0; id < graph.ops().size(); ++id) {
    const graph::Op &op = graph.op(id);
    begin_.push_back(static_cast<uint32_t>(edges_.size()));
    uint32_t own_slot = 0;
    for (const graph::ValueId v : graph.operands(id)) {
      const graph::Value &value = graph.value(v);
      if (value.def != graph::kNone)
        edges_.push_back({value.def, own_slot, graph.op(value.def).num_operands + value.index});
      ++own_slot;
    }
    for (uint32_t r = 0; r < op.num_results; ++r, ++own_slot)
      for (const graph::Use &use : graph.uses(graph.result(id, r)))
        edges_.push_back({use.op, own_slot, use.operand});
  }
  begin_.push_back(static_cast<uint32_t>(edges_.size()));
}

size_t Adjacency::memory_bytes() const {
  return begin_.capacity() * sizeof(uint32_t) + edges_.capacity() * sizeof(Neighbour);
}

} // namespace tw::partition
