// SPDX-License-Identifier: Apache-2.0
// The lowering of a plan, kept while the plan changes: only what a change can reach is lowered again, by the
// passes of the lowering. What counts the program of a plan follows it here (moved_bytes.hpp).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spmd/lowering.hpp"

namespace tw::spmd {

// With everything but the passes that look at all who read a value: those between `emit` and
// `outline_loop_crossings`, and those behind it.
Options counted_options(Options options = {});

class KeptLowering {
public:
  // Lowers all of a plan, which outlives this. Its mesh and pins stay as they are.
  static Result<std::unique_ptr<KeptLowering>> create(const partition::Plan &plan,
                                                      const Options &options = {});

  // The nests of these nodes have changed.
  Status update(std::span<const partition::NodeId> changed);

  // What it knew at some time, to go back to when the plan does; of no use once the plan was undone further.
  struct State {
    std::vector<uint32_t> types_of;
    std::vector<std::optional<ShardingId>> result_types;
    std::vector<bool> may_be_partial;
    std::unordered_map<graph::ValueId, ReductionPath> reduction_paths;
    std::unordered_map<ShardingId, ShardingId> tiles_without_halo;
  };
  State state() const;
  void go_back(State state);

  // --- what the last update, or `create`, lowered ---
  // Everything; else only what follows.
  bool lowered_all() const { return all_; }
  // Nodes whose types are new; those of a barrier or loop are its variables.
  std::span<const partition::NodeId> retyped() const { return retyped_; }
  // Values whose layouts are new, and the program of these: who makes and reads them, and the control flow
  // around. Other values in it, and operands that are missing there, say nothing.
  const std::unordered_set<graph::ValueId> &values() const { return values_; }
  bool has(graph::ValueId v) const { return all_ || values_.contains(v); }
  const Program &program() const { return *lowering_.program; }
  // What the program does not have itself: its layouts, what its moves are.
  Lowering &lowering() { return lowering_; }
  const Lowering &lowering() const { return lowering_; }

private:
  KeptLowering(const partition::Plan &plan, const Options &options) : lowering_(plan, options) {}

  // Adds a node to those whose types are found anew, and all with which it may share a decision on partial
  // values or slices.
  void grow(std::set<partition::NodeId> &nodes, partition::NodeId n) const;
  Status find_types(std::set<partition::NodeId> nodes);
  Status emit_moves(std::unordered_set<graph::ValueId> values);
  void add_ops(std::map<graph::RegionId, std::vector<graph::OpId>> &ops, graph::ValueId v) const;
  Status lower_all();
  std::shared_ptr<Program> new_program() const;

  Lowering lowering_;
  bool all_ = true;
  std::vector<partition::NodeId> retyped_;
  std::unordered_set<graph::ValueId> values_;
};

} // namespace tw::spmd
