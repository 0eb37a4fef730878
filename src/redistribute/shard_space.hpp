// SPDX-License-Identifier: Apache-2.0
// For the checker: all ways to cut an array into tiles that equally many devices hold, and which collectives
// lead from one to another. By definition and pair by pair, where the planner walks a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "redistribute/exchange.hpp"
#include "redistribute/problem.hpp"

namespace tw::redistribute {

class ShardSpace {
public:
  static constexpr size_t kMaxStates = 8192;
  static constexpr size_t kNone = SIZE_MAX;

  // Every list of tiles per dimension whose product divides the number of devices; empty where there are more
  // than kMaxStates. As the paper has it, a dimension that both layouts cut evenly is cut evenly all the way.
  ShardSpace(const Problem &problem, bool scalar);

  size_t size() const { return elements_.size(); }
  std::span<const int64_t> shards(size_t state) const { return {shards_.data() + state * rank_, rank_}; }
  int64_t elements(size_t state) const { return elements_[state]; } // of its largest tile
  size_t find(std::span<const int64_t> shards) const;               // kNone where there is no such state
  size_t find(const Layout &layout) const;

  // The op that leads from one state to another: copy is a slice, in any number of dimensions, since one can
  // follow another. An all_gather and an all_to_all of the scalar ops act on one dimension, and from one to
  // one other.
  std::optional<Kind> op(size_t from, size_t to) const;
  // Figure 11 with the tile that results: a slice costs nothing.
  int64_t cost(Kind op, size_t to) const { return op == Kind::copy ? 0 : elements_[to]; }

private:
  size_t rank_;
  bool scalar_;
  std::vector<int64_t> shards_; // ascending lists
  std::vector<int64_t> elements_;
};

} // namespace tw::redistribute
