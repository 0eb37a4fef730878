// SPDX-License-Identifier: Apache-2.0
// Chooses how to redistribute: makes the plans that a method and a memory budget allow, and takes the one of
// least modelled time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "redistribute/bounds.hpp"
#include "redistribute/cost.hpp"
#include "redistribute/level_sums.hpp"
#include "redistribute/plan.hpp"

namespace tw::redistribute {

struct PlanOptions {
  Method method = Method::automatic;
  Topology topology;
  CostModel model;
  std::optional<int64_t>
      scratch_bytes; // intermediate tiles that a device may hold at once; unlimited by default
  SumOrder sum_order = SumOrder::by_level; // of plans by levels
  std::optional<int64_t>
      height_bytes; // the largest tile of any buffer; by default the larger of source and target tile
};

// A plan that was made, and what it costs.
struct Costed {
  std::shared_ptr<const Plan> plan;
  PlanCost cost;
};

// All plans that the options allow, the best first: least time; then fewer steps, fewer peers, fewer bytes
// kept. Equal plans by any method are the same on every device that asks, since nothing but the arguments
// decides. Where none fits the budget the error says the smallest that one does.
Result<std::vector<Costed>> make_plans(std::shared_ptr<const Problem> problem, const PlanOptions &options);

// The first of them, found without making those that cannot be first.
Result<Costed> make_plan(std::shared_ptr<const Problem> problem, const PlanOptions &options);

// Plans none of which is both faster and smaller (height, then scratch) than another, by falling time.
Result<std::vector<Costed>> pareto_front(std::shared_ptr<const Problem> problem, const PlanOptions &options);

// Whether no device receives more than it must (B1). Of plans that combine nothing.
bool receives_what_it_lacks(const Plan &plan, const PlanCost &cost);

} // namespace tw::redistribute
