// SPDX-License-Identifier: Apache-2.0
// What the program of a plan moves, kept while the plan changes: only what a change can reach is lowered
// again, by the passes of the lowering.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "spmd/lowering.hpp"

namespace tw::spmd {

// With everything but the passes that look at all who read a value: those between `emit` and
// `outline_loop_crossings`.
Options counted_options(Options options = {});

class MovedBytes {
public:
  // Lowers all of a plan, which outlives this. Its mesh and pins stay as they are.
  static Result<std::unique_ptr<MovedBytes>> create(const partition::Plan &plan, const Options &options = {});

  // The nests of these nodes have changed.
  Status update(std::span<const partition::NodeId> changed);

  // What find_statistics says of the program that `lower` would make now with counted_options.
  int64_t received_max() const;
  int64_t received_total() const { return total_; } // over all devices
  // Whether a value that the node reads or makes is moved to another device.
  bool moves_at(partition::NodeId n) const;

private:
  struct Move {
    graph::TypeId type;
    ShardingId src, dst;
    auto operator<=>(const Move &) const = default;
  };
  struct Times {
    Move move;
    int64_t times;
  };

  MovedBytes(const partition::Plan &plan, const Options &options) : lowering_(plan, options) {}

  // Adds a node to those whose types are found anew, and all with which it may share a decision on partial
  // values or slices.
  void grow(std::set<partition::NodeId> &nodes, partition::NodeId n) const;
  Status find_types(std::set<partition::NodeId> nodes);
  Status emit_moves(std::unordered_set<graph::ValueId> values);
  void add_ops(std::map<graph::RegionId, std::vector<graph::OpId>> &ops, graph::ValueId v) const;
  Status lower_all();
  std::shared_ptr<Program> new_program() const;
  void collect(); // what the program at hand moves
  void count(const Move &move, int64_t times);

  Lowering lowering_;
  std::unordered_map<graph::ValueId, std::vector<Times>> moves_; // of each value
  int64_t total_ = 0, even_ = 0; // over all devices; of each, where all receive equally much
  std::map<Move, int64_t> uneven_;
};

// For choices of propagation (partition/moves.hpp).
std::unique_ptr<partition::Moves> count_moves(const partition::Plan &plan);

} // namespace tw::spmd
