// SPDX-License-Identifier: Apache-2.0
// Sums whose terms are added in another order than the graph says: what an addition makes is not the value
// of its op then, and must become one by more additions. For the verifier.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "ops/equal_values.hpp"
#include "spmd/program.hpp"

namespace tw::spmd {

class OpenSums {
public:
  explicit OpenSums(const Program &program) : program_(program) {}

  // Whether a value is a sum that is not what the graph says of it.
  bool is_open(ValueRef v) const { return !terms_.empty() && terms_.contains(v); }
  // An addition, whatever its operands are.
  void add(const Instr &instr, const ops::EqualValues &equal);
  // A move: its result is as open as its operand.
  void move(ValueRef from, ValueRef to);

private:
  bool is_sum_of(graph::ValueId sum, std::span<const graph::ValueId> terms,
                 const ops::EqualValues &equal) const;

  const Program &program_;
  std::unordered_map<ValueRef, std::vector<graph::ValueId>> terms_; // of open sums
};

// Whether an op adds two values.
bool is_addition(const graph::Graph &graph, graph::OpId op);

} // namespace tw::spmd
