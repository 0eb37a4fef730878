// SPDX-License-Identifier: Apache-2.0
// Reads an instance of the IOPDDL contest (ASPLOS 2025): a JSON object with nodes, whose strategies have
// costs and usages while the node lives, and edges, which cost something for each pair of strategies.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"
#include "solve/problem.hpp"

namespace tw::solve {

struct Instance {
  std::string name;
  Problem problem; // nodes are variables; a point stands for the time between two ends of intervals
};

// Costs of 1e18 and more must not be taken, as in the contest.
Result<Instance> read_iopddl(std::string_view text);

} // namespace tw::solve
