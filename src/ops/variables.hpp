// SPDX-License-Identifier: Apache-2.0
// Control flow as data flow. What a loop carries from one turn to the next, what branches give, what decides
// between them, and each of several values that pass a barrier together are *variables*: a variable reads
// values (the initial one, what regions yield) and makes values (arguments of regions, results), all of one
// type. Whoever reasons about ops by what they read and make reasons about variables in the same way, and
// needs to know nothing of while, if, case and barriers.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"

namespace tw::ops {

struct Variable {
  static constexpr uint32_t kCondition = UINT32_MAX;
  graph::OpId op; // the while, if, case or barrier
  uint32_t index; // which loop variable or result; kCondition: what decides where to go on
  graph::TypeId type;
  std::vector<graph::ValueId>
      reads; // while: initial value, the body's yield. if, case: a yield a branch. barrier: the operand
  std::vector<graph::ValueId> makes; // while: arguments of condition and body, the result. Others: the result
};

class Variables {
public:
  explicit Variables(const graph::Graph &graph);

  bool empty() const { return all_.empty(); }
  std::span<const Variable> all() const { return all_; }
  // Whether variables stand in the place of an op.
  bool stand_for(graph::OpId op) const { return !stood_for_.empty() && stood_for_[op]; }
  // The variables in the place of an op: of control flow its condition, then one for each result. None for
  // other ops.
  struct Run {
    uint32_t first = 0, count = 0;
  };
  Run of(graph::OpId op) const {
    const auto found = of_.find(op);
    return found == of_.end() ? Run() : found->second;
  }
  // The entry body, and the regions of control-flow ops in bodies: their ops run one by one. The ops of other
  // regions (combiners) belong to the op that owns the region.
  bool is_body(graph::RegionId region) const { return region == 0 || (!empty() && is_body_[region]); }

  // Which variable has a value, and as its how manieth.
  struct Place {
    uint32_t variable, index;
  };
  const Place *maker(graph::ValueId v) const {
    const auto found = makers_.find(v);
    return found == makers_.end() ? nullptr : &found->second;
  }
  std::span<const Place> readers(graph::ValueId v) const {
    const auto found = readers_.find(v);
    return found == readers_.end() ? std::span<const Place>() : found->second;
  }

private:
  void add_control_flow(const graph::Graph &graph, graph::OpId op);
  void add_barrier(const graph::Graph &graph, graph::OpId op);
  void add(Variable variable);

  std::vector<Variable> all_;
  std::vector<bool> is_body_;   // per region
  std::vector<bool> stood_for_; // per op
  std::unordered_map<graph::OpId, Run> of_;
  std::unordered_map<graph::ValueId, Place> makers_;
  std::unordered_map<graph::ValueId, std::vector<Place>> readers_;
};

// Whether several values pass an op unchanged, each in a layout of its own. A barrier of one value is an op
// like any other.
bool is_joint_barrier(const graph::Graph &graph, graph::OpId op);

// Whether an op runs its first region again and again (while) rather than one of its regions once (if, case).
bool is_loop(const graph::Graph &graph, graph::OpId op);

// Which branch of an if or case a selector takes, given its bytes: an i1 takes branch 0 where it is true, an
// i32 the branch of its number, the last one where there is none.
uint32_t chosen_branch(std::span<const std::byte> selector, uint32_t num_branches);

} // namespace tw::ops
