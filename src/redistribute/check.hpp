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
  std::optional<int64_t> scratch_bytes, height_bytes; // budgets that the plan must keep
  std::optional<PlanCost> cost;      // what was claimed; recomputed from the boxes and compared
  int64_t move_elements = 64 * 1024; // arrays up to this size are also moved element by element
};

struct CheckReport {
  std::vector<std::string> failures; // each names the step, device, box; at most kMaxFailures
  double send_balance = 1;           // the most any device sends over the mean of those that send
  bool moved = false;                // elements were moved and compared
  bool certificate = false;          // `exact` was claimed and its certificate verified

  static constexpr size_t kMaxFailures = 16;
  bool pass() const { return failures.empty(); }
};

CheckReport check(const Plan &plan, const CheckOptions &options = {});

// A number that equal plans share and unequal ones do not but by chance: over layouts, buffers and steps.
uint64_t hash_value(const Plan &plan);

} // namespace tw::redistribute
