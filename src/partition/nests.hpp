// SPDX-License-Identifier: Apache-2.0
// The loops around each node of a plan, outer to inner; and by axis, a bit a node, who has decided it and who
// leaves sums over it, so that waves over one axis find both in cache.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "partition/action_set.hpp"
#include "partition/adjacency.hpp"
#include "partition/flat_rule.hpp"
#include "sharding/axis_set.hpp"

namespace tw::partition {

using SplitId = uint32_t; // into Plan's table of split rules; 0 = balanced

// One loop around a node. `split` says where the factor is cut by this axis and the earlier ones of the nest
// together, in elements of the factor. `action` is the action from which the entry follows, also through
// propagation (0: annotations of the module).
struct NestEntry {
  sharding::AxisId axis;
  ops::FactorId factor; // of the node's rule, or kAny
  ActionId action = 0;
  SplitId split = 0;
  NodeId cause = graph::kNone; // the neighbour whose decision was the evidence; kNone: an action put it here
  bool operator==(const NestEntry &) const = default;
};

// A bit a node.
class NodeBits {
public:
  bool contains(NodeId n) const { return (words_[n >> 6] >> (n & 63) & 1) != 0; }
  void add(NodeId n) { words_[n >> 6] |= uint64_t{1} << (n & 63); }
  void remove(NodeId n) { words_[n >> 6] &= ~(uint64_t{1} << (n & 63)); }
  void set(NodeId n, bool is_in) { is_in ? add(n) : remove(n); }
  void resize(size_t nodes) { words_.resize(nodes / 64 + 1, 0); }
  void prefetch(NodeId n) const { __builtin_prefetch(&words_[n >> 6], 1); }
  size_t memory_bytes() const { return words_.capacity() * sizeof(uint64_t); }
  bool operator==(const NodeBits &) const = default;

private:
  std::vector<uint64_t> words_;
};

class Nests {
public:
  Nests() = default;
  Nests(size_t nodes, size_t axes);

  size_t num_nodes() const { return counts_.size(); }
  std::span<const NestEntry> of(NodeId n) const { return {entries_.data() + first(n), counts_[n]}; }
  std::span<const uint8_t> counts() const { return counts_; } // by node
  // A loop over the axis, or it takes none.
  bool is_decided(NodeId n, sharding::AxisId axis) const { return decided_[axis].contains(n); }
  // A loop over the axis leaves sums that may be scattered.
  bool reduces(NodeId n, sharding::AxisId axis) const { return reduced_[axis].contains(n); }
  // Null where there is no loop over the axis.
  const NestEntry *entry(NodeId n, sharding::AxisId axis) const;
  NestEntry *entry(NodeId n, sharding::AxisId axis) {
    return const_cast<NestEntry *>(std::as_const(*this).entry(n, axis));
  }
  // By axis.
  std::span<const NodeBits> decided() const { return decided_; }

  void add_node();
  void remove_last_node();        // which has no loops
  void set_num_axes(size_t axes); // more, or fewer, of which no nest has one
  // A node takes no further axis, or those that it has no loop over again.
  void refuse(NodeId n);
  void accept(NodeId n);

  void append(NodeId n, const NestEntry &e, bool reduces) { insert(n, counts_[n], e, reduces); }
  void insert(NodeId n, size_t depth, const NestEntry &e, bool reduces);
  void remove(NodeId n, size_t depth);
  void remove_last(NodeId n) { remove(n, counts_[n] - size_t{1}); }

  // An axis becomes two, major and minor, next to each other; axes behind it are counted one further. A loop
  // over it becomes one over each, with the same cuts inside; `cuts(n, depth)`, asked before, says those of
  // the major one.
  template <class Cuts> void split_axis(sharding::AxisId axis, Cuts &&cuts) {
    decided_.insert(decided_.begin() + axis + 1, NodeBits(decided_[axis]));
    reduced_.insert(reduced_.begin() + axis + 1, NodeBits(reduced_[axis]));
    for (NodeId n = 0; n < num_nodes(); ++n)
      if (const auto depth = move_axes(n, axis))
        split_loop(n, *depth, cuts(n, *depth));
  }
  // And back, where every nest has both parts or neither.
  void join_axes(sharding::AxisId axis);

  void prefetch(NodeId n, sharding::AxisId axis) const { // what `append` writes
    __builtin_prefetch(entries_.data() + first(n), 1);
    __builtin_prefetch(&counts_[n], 1);
    decided_[axis].prefetch(n);
  }
  size_t memory_bytes() const;
  bool operator==(const Nests &other) const;

private:
  size_t first(NodeId n) const { return size_t{n} * capacity_; }
  void grow_capacity();
  void resize_bits(); // as many as nodes
  NestEntry *open(NodeId n,
                  size_t depth); // the place of a new loop, before what stood there, which it equals
  std::optional<size_t> move_axes(NodeId n, sharding::AxisId axis); // where its loop over the axis is
  void split_loop(NodeId n, size_t depth, SplitId major);

  // Per node `capacity_` entries, of which counts_[n] are used.
  size_t capacity_ = 1;
  std::vector<NestEntry> entries_;
  std::vector<uint8_t> counts_;
  NodeBits refuses_;                        // takes no axis at all
  std::vector<NodeBits> decided_, reduced_; // by axis
};

} // namespace tw::partition
