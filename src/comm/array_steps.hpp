// SPDX-License-Identifier: Apache-2.0
// What a collective moves, array by array: an exchange step between two placements, and how several sources
// of a piece combine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "comm/comm.hpp"
#include "comm/local/step_work.hpp"
#include "redistribute/plan.hpp"

namespace tw::comm {

// A step of one array between the devices of a communicator.
struct ArrayStep {
  redistribute::Step
      step; // buffer 0 is the source, buffer 1 the target of the last round, others lie in staging
  std::vector<redistribute::Placement> buffers;
  int64_t element_size;
  Combine combine;                                 // none: nothing combines, or by a region
  std::vector<redistribute::Image> images = {};    // of these buffers
  std::vector<redistribute::TileOwner> owner = {}; // see Transfer; others than these receive nothing
  bool borrowed = false;                           // see Transfer
};

// By array what it does one after the other: at once where what every device misses comes straight from its
// holder, else the steps of its plan. Those share buffers: the source, the target, then what is there in
// between.
using Rounds = std::vector<std::vector<ArrayStep>>;
Result<Rounds> rounds_of(std::span<const Transfer> transfers);
// Of arrays that each have one.
Rounds at_once(std::span<const ArrayStep> moves);
// Of all arrays and rounds.
std::vector<ArrayStep> flat(const Rounds &rounds);
// That of any of its arrays but for the element size, which is 1.
ArrayStep step_of(const RegionReduce &reduce);

// A step of the same array in which nothing moves.
ArrayStep nothing_like(const ArrayStep &move);

// Devices between which some array moves, or that have a tile together.
Groups find_groups(std::span<const ArrayStep> moves);
Groups each_alone(size_t devices);   // a group a device
Groups all_together(size_t devices); // one of all

// Bytes that all devices receive.
int64_t bytes_written(const ArrayStep &move);

// Its work between the devices of groups, one of several that write so many bytes together.
StepWork work_of(const ArrayStep &move, const Groups &groups, int64_t bytes_together);

// The target tile may lie where the source tile does, on every device.
bool may_run_in_place(const ArrayStep &move);
// Of all arrays: what the collective that is prepared from them says.
bool may_run_in_place(const Rounds &rounds);
// The same before anything is prepared, which takes time by pairs of devices.
Result<bool> may_run_in_place(std::span<const Transfer> transfers);

} // namespace tw::comm
