// SPDX-License-Identifier: Apache-2.0
// Plans that send through slow links as little as can be: an element enters a group of devices once, and is handed on inside. All of
// them write straight into the target tiles, so they need no scratch.
#pragma once

#include <vector>

#include "redistribute/plan.hpp"
#include "redistribute/topology.hpp"

namespace tw::redistribute {

// One step a level: what a group of the level wants and does not hold goes to one of the devices in it that want it, spread evenly;
// the last step serves every device. Each device receives what it misses once. Partial values have been combined by then.
std::vector<Step> level_steps(const Problem &problem, const Topology &topology);

// The same, but what several outermost groups want and do not hold goes from group to group in `chunks` pieces, one behind the other:
// its holder sends it once.
std::vector<Step> relay_steps(const Problem &problem, const Topology &topology, int64_t chunks);

// Partial values: the devices that want the same sum of the same devices each make a share of it, and then give each other their
// shares. One step where no two do.
std::vector<Step> combine_steps(const Problem &problem);

} // namespace tw::redistribute
