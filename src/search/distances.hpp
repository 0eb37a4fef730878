// SPDX-License-Identifier: Apache-2.0
// What it takes at least to bring an array of one type from one layout to another, by whatever way.
#pragma once

#include <unordered_map>
#include <vector>

#include "cost/terms.hpp"
#include "solve/model.hpp"
#include "spmd/lowering.hpp"

namespace tw::search {

class Distances {
public:
  // All of which outlive it.
  Distances(spmd::Lowering &lowering, const cost::Terms &terms, graph::TypeId type)
      : lowering_(lowering), terms_(terms), type_(type) {}

  void add(spmd::ShardingId layout);
  // When all layouts are there.
  void close();
  // In picoseconds.
  double of(spmd::ShardingId from, spmd::ShardingId to) const {
    return costs_[place_.at(from) * layouts_.size() + place_.at(to)];
  }
  // To some layout without partial values.
  double to_combined(spmd::ShardingId from) const;

private:
  double &at(size_t from, size_t to) { return costs_[from * layouts_.size() + to]; }
  bool is_partial(spmd::ShardingId layout) const { return !lowering_.sharding(layout).partial.empty(); }
  bool is_cut_alike(spmd::ShardingId one, spmd::ShardingId other) const;
  bool can_move(spmd::ShardingId from, spmd::ShardingId to) const;

  spmd::Lowering &lowering_;
  const cost::Terms &terms_;
  const graph::TypeId type_;
  std::vector<spmd::ShardingId> layouts_;
  std::unordered_map<spmd::ShardingId, uint32_t> place_;
  std::vector<double> costs_;
};

} // namespace tw::search
