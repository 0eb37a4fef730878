// SPDX-License-Identifier: Apache-2.0
// What the program of a plan moves, kept while the plan changes.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "spmd/kept_lowering.hpp"

namespace tw::spmd {

class MovedBytes {
public:
  // Of all of a plan, which outlives this. Its mesh and pins stay as they are.
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

  explicit MovedBytes(std::unique_ptr<KeptLowering> kept) : kept_(std::move(kept)) {}

  void collect(); // what was lowered last
  void count(const Move &move, int64_t times);

  std::unique_ptr<KeptLowering> kept_;
  std::unordered_map<graph::ValueId, std::vector<Times>> moves_; // of each value
  int64_t total_ = 0, even_ = 0; // over all devices; of each, where all receive equally much
  std::map<Move, int64_t> uneven_;
};

// For choices of propagation (partition/moves.hpp).
std::unique_ptr<partition::Moves> count_moves(const partition::Plan &plan);

} // namespace tw::spmd
