// SPDX-License-Identifier: Apache-2.0
// The plan that a reader makes of an annotated text, beside the plan of which the text was written.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "partition/plan.hpp"
#include "spmd/program.hpp"

namespace tw::emit::shard {

// The layout in which the caller gets a result: the one asked for or stated, else that of the argument which
// it overwrites, else as it is made.
sharding::Sharding result_layout(const partition::Plan &plan, uint32_t result);
// "data over its loop 0 of 8, model over its loop 1 of 64": the loops of a node, by the factors of its rule.
std::string loops_text(const partition::Plan &plan, partition::NodeId n);

// Statements of a text for which a reader makes constraints.
struct Constraints {
  std::map<graph::ValueId, size_t> passages; // so many follow what makes a value
  std::map<graph::RegionId, size_t> inside;  // so many stand at the head of a region
  std::map<graph::RegionId, size_t> yields;  // and at its end
  std::set<graph::OpId> ops;                 // and those that stand for ops
};

class ReadBack {
public:
  static Result<ReadBack> read(const partition::Plan &plan, const std::string &text,
                               const Constraints &constraints);

  // By node of the plan: whether a reader tiles it otherwise.
  std::vector<bool> differing() const;
  // Whether the program of the read plan has as many collectives that move something, and sends as much, as
  // this one.
  Result<bool> moves_as(const spmd::Program &program) const;
  // Whether it is this one, and hands results out so.
  Result<bool> runs_as(const spmd::Program &program) const;
  // What it moves and this one does not, and the other way round: "with all_gather of f32[8,4], 96 B".
  Result<std::string> other_move(const spmd::Program &program) const;
  // That every result is handed out in the layout of the plan.
  Status check_results() const;
  std::string loops_text_of(partition::NodeId n) const { return loops_text(read_, node_[n]); }

private:
  ReadBack(const partition::Plan &plan, partition::Plan read);
  Status match(const Constraints &constraints);
  bool same_node(partition::NodeId n) const;
  // The plan's axes of a dimension, of the reader's; nothing where some parts of an axis stand there alone,
  // or in another order.
  std::optional<std::vector<sharding::AxisId>>
  axes_of_plan(const std::vector<sharding::AxisId> &theirs) const;
  std::optional<std::string> text_of_result(uint32_t result) const;

  const partition::Plan &plan_;
  partition::Plan read_;
  // By axis of the plan, and at the end: where its parts begin in the reader's mesh, whose propagation may
  // have made some.
  std::vector<sharding::AxisId> first_part_;
  std::vector<partition::NodeId> node_; // of the read plan, by node of the plan
  std::vector<graph::OpId> op_;         // of its graph, by op of the plan's
};

} // namespace tw::emit::shard
