// SPDX-License-Identifier: Apache-2.0
// The first half of a plan that combines partial values: devices make shares of each sum in their target
// tiles. Then they give each other their shares (level.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "redistribute/plan.hpp"
#include "redistribute/topology.hpp"

namespace tw::redistribute {

// In which order partial values are added.
enum class SumOrder : uint8_t {
  by_level, // first those of an innermost group, then those of the groups around it: a group sends one value
  flat,     // by position, whatever the topology
};

// A part of a sum, made by one device in its target tile.
struct Share {
  sharding::Box box;
  Device maker;
  std::vector<Device> takers; // who else wants it, ascending
  // The taker of every other group that gets it there first, counted in the group; none: all of them get a
  // part.
  std::optional<size_t> turn;
};

struct Shares {
  std::vector<Step> steps; // the last makes the shares
  std::vector<Placement>
      partial; // buffers 1, 2, .. of sums within groups; the target is the buffer behind them
  std::vector<Share> shares;
};

Shares make_shares(const Problem &problem, const Topology &topology, SumOrder order);

} // namespace tw::redistribute
