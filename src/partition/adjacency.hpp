// SPDX-License-Identifier: Apache-2.0
// Who stands next to whom: the producers and users of every op as one flat list, since propagation walks all of it again and again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "ops/registry.hpp"

namespace tw::partition {

using NodeId = uint32_t; // < graph.ops().size(): an op; above: a pin

// An edge between nodes; slots count the operands of a node's rule first, then its results.
struct Neighbour {
  NodeId node;
  uint32_t own_slot;
  uint32_t slot; // the neighbour's
};

// Of a graph without pins.
class Adjacency {
public:
  Adjacency() = default;
  explicit Adjacency(const graph::Graph &graph);

  // Producers in the order of the operands, then the users of each result; arguments of regions have no producer.
  std::span<const Neighbour> of(graph::OpId op) const {
    return {edges_.data() + begin_[op], begin_[op + 1] - begin_[op]};
  }
  // Asks for what `of` will read: first where the list lies, some time later the list.
  void prefetch_place(graph::OpId op) const { __builtin_prefetch(&begin_[op]); }
  void prefetch(graph::OpId op) const { __builtin_prefetch(edges_.data() + begin_[op]); }
  size_t memory_bytes() const;

private:
  std::vector<uint32_t> begin_; // per op, into edges_
  std::vector<Neighbour> edges_;
};

} // namespace tw::partition
