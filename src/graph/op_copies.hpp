// SPDX-License-Identifier: Apache-2.0
// Copies of ops, with all that their regions hold, behind those of a graph that is being built.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"

namespace tw::graph {

class OpCopies {
public:
  // Of a graph that outlives this; it may be the one that is being built.
  OpCopies(const Graph &from, GraphBuilder &to) : from_(from), to_(to), same_(&from == &to.graph()) {}

  // The next op reads these in place of its own operands; what its regions read of outside was copied before.
  OpId add(OpId op, std::span<const ValueId> operands);
  // For an op that is added next.
  RegionId region(RegionId region);

  // A value of the graph that is copied, and what stands for it: itself where nothing was said, and both
  // graphs are one.
  void put(ValueId from, ValueId to) { values_[from] = to; }
  ValueId at(ValueId from) const;
  bool has(ValueId from) const { return same_ || values_.contains(from); }
  TypeId type(TypeId type);
  AttrsId attrs(AttrsId attrs);

private:
  const Graph &from_;
  GraphBuilder &to_;
  const bool same_;
  std::unordered_map<ValueId, ValueId> values_;
  std::unordered_map<TypeId, TypeId> types_;
  std::unordered_map<AttrsId, AttrsId> attrs_;
};

} // namespace tw::graph
