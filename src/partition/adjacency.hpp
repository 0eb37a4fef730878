// SPDX-License-Identifier: Apache-2.0
// Who stands next to whom: the producers and users of every node as one flat list, since propagation walks
// all of it again and again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"

namespace tw::partition {

// Nodes are the graph's ops, then the variables of its control flow and barriers, then pins.
using NodeId = uint32_t;

// An operand or result of a node.
struct Port {
  NodeId node;
  uint32_t index;
};

// Who makes and who reads a value, without pins: ops, and variables in the place of some of them.
class DataFlow {
public:
  explicit DataFlow(const graph::Graph &graph)
      : graph_(graph), variables_(graph), first_variable_(static_cast<NodeId>(graph.ops().size())) {}

  const ops::Variables &variables() const { return variables_; }
  // The nodes of the variables in the place of an op: of control flow its condition, then one for each
  // result.
  ops::Variables::Run variables_of(graph::OpId op) const {
    const auto [first, count] = variables_.of(op);
    return {first_variable_ + first, count};
  }
  NodeId condition_of(graph::OpId op) const { return variables_of(op).first; }
  NodeId variable_of(graph::OpId op, uint32_t result) const {
    const auto [first, count] = variables_of(op);
    return first + count - graph_.op(op).num_results + result;
  }
  // kNone as node: an argument of a combiner.
  Port maker(graph::ValueId v) const {
    if (!variables_.empty())
      if (const auto *place = variables_.maker(v))
        return {first_variable_ + place->variable, place->index};
    return {graph_.value(v).def, graph_.value(v).index};
  }
  template <class Visit> void each_reader(graph::ValueId v, Visit visit) const {
    for (const graph::Use &use : graph_.uses(v))
      if (!variables_.stand_for(use.op))
        visit(Port{use.op, use.operand});
    if (!variables_.empty())
      for (const auto &place : variables_.readers(v))
        visit(Port{first_variable_ + place.variable, place.index});
  }
  // What a node reads, pins left out: none of the ops that variables stand for.
  std::span<const graph::ValueId> reads(NodeId n) const {
    if (n >= first_variable_)
      return variables_.all()[n - first_variable_].reads;
    return variables_.stand_for(n) ? std::span<const graph::ValueId>() : graph_.operands(n);
  }
  uint32_t num_made(NodeId n) const {
    if (n >= first_variable_)
      return static_cast<uint32_t>(variables_.all()[n - first_variable_].makes.size());
    return variables_.stand_for(n) ? 0 : graph_.op(n).num_results;
  }
  graph::ValueId made(NodeId n, uint32_t i) const {
    return n >= first_variable_ ? variables_.all()[n - first_variable_].makes[i] : graph_.result(n, i);
  }
  size_t num_nodes() const { return first_variable_ + variables_.all().size(); }

private:
  const graph::Graph &graph_;
  ops::Variables variables_;
  NodeId first_variable_;
};

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
  explicit Adjacency(const DataFlow &flow);

  // Producers in the order of the operands, then the users of each result; arguments of combiners have no
  // producer.
  std::span<const Neighbour> of(NodeId n) const {
    return {edges_.data() + begin_[n], begin_[n + 1] - begin_[n]};
  }
  // Asks for what `of` will read: first where the list lies, some time later the list.
  void prefetch_place(NodeId n) const { __builtin_prefetch(&begin_[n]); }
  void prefetch(NodeId n) const { __builtin_prefetch(edges_.data() + begin_[n]); }
  size_t memory_bytes() const;

private:
  std::vector<uint32_t> begin_; // per node, into edges_
  std::vector<Neighbour> edges_;
};

} // namespace tw::partition
