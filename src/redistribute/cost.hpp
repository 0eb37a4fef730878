// SPDX-License-Identifier: Apache-2.0
// What a plan costs: bytes, peers and memory by device, and the time that a simple model of the machine gives
// it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "redistribute/plan.hpp"
#include "redistribute/topology.hpp"

namespace tw::redistribute {

// Time of a step over one kind of link: alpha + peers * message + bytes / bandwidth, for the device that has
// most of each. The defaults are what `tw redistribute --calibrate` measures in one process on two cores.
struct Link {
  double alpha_us = 0.4;   // of a step: all devices are told, and wait for each other
  double message_us = 0.2; // of each further device that one receives from
  double gb_per_s = 3.8;   // 1e9 bytes a second
};

struct CostModel {
  // One link a level of the topology, outermost first, the last for devices of one innermost group. Levels
  // beyond the list are like its first; an empty list is this machine.
  std::vector<Link> links{Link{}};
  double copy_gb_per_s = 4.8; // bytes that stay on a device and are copied

  const Link &link(const Topology &topology, uint32_t level) const;
};

// The extremes over the devices of one step.
struct StepCost {
  std::vector<int64_t> received;          // bytes, by device
  int64_t received_max = 0, kept_max = 0; // kept: copied on the device
  double received_mean = 0;               // over all devices
  int64_t peers_max = 0;
  double time_us = 0;
};

struct PlanCost {
  std::vector<StepCost> steps;
  std::vector<int64_t> received; // bytes, by device, over all steps
  int64_t received_max = 0;
  double received_mean = 0;
  int64_t height_bytes = 0;  // the largest tile of any buffer
  int64_t scratch_bytes = 0; // largest sum of intermediate tiles that a device holds at once
  double time_us = 0;
};

PlanCost find_cost(const Plan &plan, const Topology &topology, const CostModel &model);

// The same without a look at the steps, where each takes what a buffer lacks from the buffer before, a tile
// from one device (of partial values, from one of each term), and all devices are one level.
PlanCost find_cost(const Problem &problem, std::span<const Placement> buffers, const CostModel &model);

// Of steps of which it is known otherwise what they move, where all devices are one level: the bytes that
// each device receives, the most that one keeps, and from how many others one receives at most.
StepCost cost_of_step(std::vector<int64_t> received, int64_t kept_max, int64_t peers_max,
                      const CostModel &model);
// Of steps that write no intermediate tiles.
PlanCost cost_of_steps(const Problem &problem, std::span<const Placement> buffers,
                       std::vector<StepCost> steps);

// The bytes that the busiest group of each level receives from other groups, outermost level first; of the
// last level, the busiest device from the others of its innermost group.
std::vector<int64_t> bytes_by_level(const Plan &plan, const Topology &topology);

// How many tiles of `before` the tiles of `after` meet, over all devices.
int64_t count_pieces(const Placement &before, const Placement &after);

} // namespace tw::redistribute
