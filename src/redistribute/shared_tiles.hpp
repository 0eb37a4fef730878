// SPDX-License-Identifier: Apache-2.0
// Which devices of one process need no target tile of their own, where nobody writes to a tile once it is
// made: the tile that they want is some device's source tile, or another device's target tile.
#pragma once

#include <span>
#include <vector>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// Where the target tile of a device lies: its own one where `source` is false and `device` is itself.
struct TileOwner {
  bool source;
  Device device;
  bool operator==(const TileOwner &) const = default;
};
// Whether a device has a target tile of its own, and whether all have; without owners they do.
inline bool has_own(std::span<const TileOwner> owners, Device d) {
  return owners.empty() || owners[static_cast<size_t>(d)] == TileOwner{false, d};
}
bool have_own(std::span<const TileOwner> owners);

// By device. Devices of one process share where their tiles are equal and hold no partial values; nobody does
// in a plan that reads target tiles (level, relay, shares of sums). `process`: by device; none: all are of
// one.
std::vector<TileOwner> find_owners(const Plan &plan, std::span<const int64_t> process = {});

// The steps of a plan whose target tiles lie with their owners. Where steps read target tiles an owner has by
// then what any of those would have whose tile it is, so none of these may lie in a source tile.
std::vector<Step> steps_at_owners(const Plan &plan, std::span<const TileOwner> owners);

} // namespace tw::redistribute
