// SPDX-License-Identifier: Apache-2.0
// A move as one process sees it: which boxes it sends and receives, and the work that is left when they have
// come. What comes from elsewhere is a tile of its own, in a buffer behind those of the move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/remote/transport.hpp"

namespace tw::comm {

struct RemoteBox {
  int64_t peer; // process
  redistribute::Source tile;
  std::vector<int64_t> offset, extent; // global
  // Received: the buffer in which it is the tile of its device; or, where that is not -1, the one device here
  // that takes it as it is, and for which the move has nothing left to do.
  uint32_t buffer = 0;
  redistribute::Device taker = -1;
};

// Both sides list the remote_boxes between them in one order.
struct Part {
  ArrayStep move; // of the devices of this process
  std::vector<RemoteBox> sends, receives;
};
// With `finds_takers`, boxes that only one device here takes, and as they are, are for its target tile.
Part part_of(const ArrayStep &move, std::span<const int64_t> process, int64_t self,
             bool finds_takers = false);

// How a box lies in the dense tile of a device.
struct Runs {
  int64_t offset = 0; // bytes to the first
  int64_t bytes = 0;
  std::vector<Repeat> loops; // of runs, outer to inner
};
Runs runs_of(const RemoteBox &box, const redistribute::Placement &tiles, redistribute::Device device,
             int64_t element_size);

} // namespace tw::comm
