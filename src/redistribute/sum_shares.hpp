// SPDX-License-Identifier: Apache-2.0
// What combine_steps would write down (level.hpp), without that: its steps by name, their costs, how large
// they are. In time and memory by devices and what they take, not by pairs of devices.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "redistribute/cost.hpp"
#include "redistribute/plan.hpp"

namespace tw::redistribute {

struct SumShares {
  std::vector<StepHead> heads;
  PlanCost cost;
  StepSize size;
};

// `tiles`: before and after. All devices are one level. None where devices give each other no shares. Source
// and target tiles do not overlap in part.
std::optional<SumShares> share_sums(const Problem &problem, std::span<const Placement> tiles,
                                    const CostModel &model);

// Whether nothing but the tiles decides how partial values are added, so that share_sums knows it.
bool sums_follow_from_tiles(const Problem &problem);

} // namespace tw::redistribute
