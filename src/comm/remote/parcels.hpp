// SPDX-License-Identifier: Apache-2.0
// A move as one process sees it: which boxes it sends and receives, and the work that is left when they have come. What comes from
// elsewhere is a tile of its own, in a buffer behind those of the move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/moves.hpp"

namespace tw::comm {

struct Parcel {
  int64_t peer; // process
  redistribute::Source tile;
  std::vector<int64_t> offset, extent; // global
  // Received: the buffer in which it is the tile of its device.
  uint32_t buffer = 0;
};

// Both sides list the parcels between them in one order.
struct Part {
  Move move; // of the devices of this process
  std::vector<Parcel> sends, receives;
};
Part part_of(const Move &move, std::span<const int64_t> process, int64_t self);

} // namespace tw::comm
