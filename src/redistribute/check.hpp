// SPDX-License-Identifier: Apache-2.0
// Is a plan right? Replays it on every device from the definitions, with code that no planner uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redistribute/cost.hpp"
#include "redistribute/plan.hpp"

namespace tw::redistribute {

struct CheckOptions {
  std::optional<int64_t> scratch_bytes = {}, height_bytes = {}; // budgets that the plan must keep
  std::optional<PlanCost> cost = {}; // what was claimed; recomputed from the boxes and compared
  int64_t move_elements = 64 * 1024; // arrays up to this size are also moved element by element
};

struct CheckReport {
  std::vector<std::string> failures; // each names the step, device, box; at most kMaxFailures
  double send_balance = 1;           // the most any device sends over the mean of those that send
  bool moved = false;                // elements were moved and compared
  bool certificate = false;          // `exact` was claimed and verified
  std::string unverified;            // why `exact` could not be verified, where that would take too long

  static constexpr size_t kMaxFailures = 16;
  bool pass() const { return failures.empty(); }
};

// Safe on any plan, also one that came from outside: no index is used before it is known to be good. The
// problem is trusted. `exact` is checked under `height_bytes`, or else the larger of the source and target
// tile.
CheckReport check(const Plan &plan, const CheckOptions &options = {});

// A number that equal plans share and unequal ones do not but by chance: over layouts, buffers and steps; of
// steps that follow from the layouts and are large, what is said of them without their pieces.
uint64_t hash_value(const Plan &plan);

} // namespace tw::redistribute
