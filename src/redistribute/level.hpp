// SPDX-License-Identifier: Apache-2.0
// Plans that send through slow links as little as can be: an element enters a group of devices once, and is
// handed on inside. They write straight into the target tiles; only sums within groups need scratch.
#pragma once

#include <vector>

#include "redistribute/level_sums.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/topology.hpp"

namespace tw::redistribute {

struct LevelSteps {
  std::vector<Step> steps;
  std::vector<Placement> partial; // buffers 1, 2, ..; the target is the one behind them
};

// One step a level: what a group of the level wants and does not hold goes to one of the devices in it that
// want it, spread evenly; the last step serves every device. Each device receives what it misses once.
// Partial values have been combined by then.
LevelSteps level_steps(const Problem &problem, const Topology &topology, SumOrder order);

// The same, but what several outermost groups want and do not hold goes from group to group in `chunks`
// pieces, one behind the other: its holder sends it once.
LevelSteps relay_steps(const Problem &problem, const Topology &topology, int64_t chunks);

// Partial values: the devices that want the same sum of the same devices each make a share of it, and then
// give each other their shares. One step where no two do.
LevelSteps combine_steps(const Problem &problem);

} // namespace tw::redistribute
