// SPDX-License-Identifier: Apache-2.0
// Which devices of one process need no target tile of their own, where nobody writes to a tile once it is
// made: the tile that they want is some device's source tile, or another device's target tile.
#pragma once

#include <vector>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// Where the target tile of a device lies: its own one where `source` is false and `device` is itself.
struct TileOwner {
  bool source;
  Device device;
  bool operator==(const TileOwner &) const = default;
};

// By device. Devices share where their tiles are equal and hold no partial values; nobody does in a plan that
// reads target tiles (level, relay, shares of sums).
std::vector<TileOwner> find_owners(const Plan &plan);

// The steps without the pieces of devices that have no target tile of their own.
std::vector<Step> steps_at_owners(const Plan &plan, const std::vector<TileOwner> &owners);

} // namespace tw::redistribute
