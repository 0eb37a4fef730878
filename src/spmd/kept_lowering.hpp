// SPDX-License-Identifier: Apache-2.0
// The lowering of a plan, kept while the plan changes: only what a change can reach is lowered again, by the
// passes of the lowering. What counts the program of a plan follows it here (moved_bytes.hpp,
// cost/price.hpp).
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/id_set.hpp"
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

  // The nests of these nodes have changed: `find_types`, then all that is new.
  Status update(std::span<const partition::NodeId> changed);
  // The same in two steps, for who knows some of what comes. First the types of nodes, and which values may
  // have new layouts; then the program of some of these, where not everything was lowered at once.
  Status find_types(std::span<const partition::NodeId> changed);
  Status lower(const IdSet &values);

  // To go back to what it knew, when the plan does; of no use once the plan was undone further.
  struct Stamp {
    size_t types, result_types, may_be_partial, wholes;
  };
  Stamp stamp() const;
  void go_back(const Stamp &to);
  void forget(); // it will not go back to where it was

  // --- what the last update, or `create`, lowered ---
  // Everything; else only what follows.
  bool lowered_all() const { return all_; }
  // Nodes whose types are new; those of a barrier or loop are its variables.
  std::span<const partition::NodeId> retyped() const { return retyped_; }
  // Values whose layouts may be new.
  const IdSet &values() const { return values_; }
  // The program of the values that were lowered: who makes and reads them, and the control flow around. Other
  // values in it, and operands that are missing there, say nothing.
  bool has(graph::ValueId v) const { return all_ || lowered_.contains(v); }
  const Program &program() const { return *lowering_.program; }
  // What the program does not have itself: its layouts, what its moves are.
  Lowering &lowering() { return lowering_; }
  const Lowering &lowering() const { return lowering_; }

  // Whether the layouts of a value, where each is made and until when it is read follow from layouts_key
  // alone. Else it always lowers everything.
  bool has_keys() const { return !lowers_all_; }
  // The types of who makes and reads a value, in an order that stays; empty where it is made again at each
  // use.
  void layouts_key(graph::ValueId v, std::vector<uint32_t> &key) const;

private:
  // All that it knew before everything was lowered.
  struct Whole {
    std::vector<uint32_t> types_of;
    std::vector<std::optional<ShardingId>> result_types;
    std::vector<bool> may_be_partial;
    std::unordered_map<graph::ValueId, ReductionPath> reduction_paths;
    std::unordered_map<ShardingId, ShardingId> tiles_without_halo;
  };

  KeptLowering(const partition::Plan &plan, const Options &options);

  void find_neighbours();
  // Adds a node to those whose types are found anew, and all with which it may share a decision on partial
  // values or slices.
  void grow(partition::NodeId n);
  Status find_types_of_scope();
  void find_values(const Stamp &before);
  void add_ops(graph::ValueId v);
  Status lower_all();
  std::shared_ptr<Program> new_program() const;

  Lowering lowering_;
  bool lowers_all_, all_ = true;
  std::vector<uint32_t> slots_begin_, slots_; // of layouts_key, by value: nodes, or results
  // A node that is found anew with all its neighbours: it may bring picks, hands something on, or is a slice
  // that is joined, which brings its neighbours along too. Or one that joins slices.
  enum Role : uint8_t { kPicks = 1, kHandsOn = 2, kJoined = 4, kJoins = 8, kAlways = 7 };
  std::vector<uint8_t> roles_; // by node
  uint8_t scope_roles_ = 0;    // of all in the scope
  Scope scope_;
  std::vector<Whole> wholes_;
  std::vector<partition::NodeId> retyped_, found_;
  IdSet values_, lowered_, seen_;
};

} // namespace tw::spmd
