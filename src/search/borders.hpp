// SPDX-License-Identifier: Apache-2.0
// Ops on both sides of what moves where each op chooses its tiles by itself: between them waves of
// propagation find the rest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "partition/plan.hpp"
#include "search/few_layers.hpp"
#include "search/layers.hpp"
#include "search/relaxation.hpp"

namespace tw::search {

struct Border {
  Role few;     // ops of FewLayers::graph
  Role program; // which they stand for
  Nest nest;    // of each of them
};

// Over these axes, as many as it takes that waves lead to what is relaxed; the largest come first.
std::vector<Border> find_borders(const partition::Plan &few_plan, const Relaxed &relaxed,
                                 const FewLayers &few, const std::vector<Stack> &stacks,
                                 std::span<const sharding::AxisId> axes);

// What the loop over a factor of an op is called ("matmul-tile-0"); empty where only several factors have a
// name.
std::string loop_name(const partition::Plan &plan, graph::OpId op, ops::FactorId factor);

} // namespace tw::search
