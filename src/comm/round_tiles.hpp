// SPDX-License-Identifier: Apache-2.0
// Where the tiles lie that the rounds of a collective read and write: those of its arrays, and those in
// between, in staging.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/comm.hpp"

namespace tw::comm {

// The tiles of one round of some arrays, as StepWorks takes them.
struct RoundTiles {
  size_t devices = 0, slots = 0;                             // slots of one array: buffers * devices
  std::vector<uint32_t> target = {};                         // by array: the buffer that it writes
  std::vector<const void *> src = {};                        // by array, by slot
  std::vector<void *> dst = {};                              // by array, by device
  std::vector<std::vector<redistribute::Image>> images = {}; // by array: they lie where what they show does

  void add(const ArrayStep &move); // the next array
  void allocate();                 // once all arrays are there
  void set(size_t array, uint32_t buffer, size_t device, void *tile);
  // The source and target tiles of these devices, by array, then by device.
  void set_arrays(std::span<const Position> members, SourceTiles sources, TargetTiles targets);
  size_t slot_of(size_t array, uint32_t buffer, redistribute::Device device) const {
    return array * slots + buffer * devices + static_cast<size_t>(device);
  }
};

// The tiles between source and target of all arrays, each in the staging of its device's group.
class ScratchTiles {
public:
  // Those that an array has in its rounds, of the members of the groups, behind what their staging holds
  // already. With `reuse` a device has one after the other in the same memory: whoever runs a round waits
  // then for all that the round before it does there.
  void add(size_t array, std::span<const ArrayStep> rounds, std::span<const std::vector<Position>> members,
           std::span<int64_t> staging_bytes, bool reuse = true);
  // Tells a round where those of a group lie.
  void give(RoundTiles &round, size_t group, std::byte *staging) const;

private:
  struct Tile {
    size_t group, array;
    uint32_t buffer;
    size_t device;
    int64_t offset; // in staging
  };
  std::vector<Tile> tiles_;
};

} // namespace tw::comm
