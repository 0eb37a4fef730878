// SPDX-License-Identifier: Apache-2.0
// What a collective moves, array by array: an exchange step between two placements, and how several sources of a piece combine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "comm/comm.hpp"
#include "comm/local/step_work.hpp"
#include "redistribute/plan.hpp"

namespace tw::comm {

struct Move {
  redistribute::Step step; // buffer 0 is the source, buffer 1 the target
  std::vector<redistribute::Placement> buffers;
  int64_t element_size;
  Combine combine;                // none: nothing combines, or by a region
  std::vector<int64_t> home = {}; // see Transfer; others than these receive nothing
  bool borrowed = false;          // see Transfer
};

// What every device misses comes straight from its holder.
Result<std::vector<Move>> moves_of(std::span<const Transfer> transfers);
// That of any of its arrays but for the element size, which is 1.
Move move_of(const Fold &fold);

// Devices between which some array moves, or that have a tile together.
Groups find_groups(std::span<const Move> moves);

// Bytes that all devices receive.
int64_t bytes_written(const Move &move);

// Its work between the devices of groups, one of several that write so many bytes together.
StepWork work_of(const Move &move, const Groups &groups, int64_t bytes_together);

// The target tile may lie where the source tile does, on every device.
bool may_run_in_place(const Move &move);

} // namespace tw::comm
