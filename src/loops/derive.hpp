// SPDX-License-Identifier: Apache-2.0
// What a loop around an op means, found from what it does to the op's operands and results; and the loops
// that arguments and results have because those who use or make them have. The printer leaves out what can be
// found so, the reader finds it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "partition/plan.hpp"

namespace tw::loops {

using partition::NodeId;
using partition::Plan;

// A loop cuts this dimension of an operand or a result.
struct Evidence {
  bool of_result = false;
  uint32_t port = 0;
  uint32_t dim = 0;
  sharding::SplitRule rule; // of the dimension over all tiles so far
};

struct Meaning {
  ops::FactorId factor = 0; // or kAny: nothing is cut
  sharding::SplitRule rule; // of the factor
};

// None where the evidence does not agree, or names no loop of the op. `outer`: the loops around the one in
// question.
std::optional<Meaning> derive(const Plan &plan, NodeId n, std::span<const partition::NestEntry> outer,
                              sharding::AxisId axis, std::span<const Evidence> evidence);

// A loop of an array that has one loop a dimension: an argument, a result, a pin, a variable of control flow.
struct DimLoop {
  sharding::AxisId axis;
  uint32_t dim; // kWhole: kept whole on purpose
  sharding::SplitRule rule;
  bool operator==(const DimLoop &) const = default;
  static constexpr uint32_t kWhole = UINT32_MAX;
};

std::vector<DimLoop> dim_loops(const Plan &plan, NodeId n);
// Puts them around a node that has none.
Status set_dim_loops(Plan &plan, NodeId n, std::span<const DimLoop> loops);

// The loops in which all who read an argument read it alike; those that make what a result returns.
std::vector<DimLoop> implied_of_argument(const Plan &plan, size_t argument);
std::vector<DimLoop> implied_of_result(const Plan &plan, size_t result);
// Whether an argument has just the loops that its readers imply: it needs no tile of its own.
bool follows_readers(const Plan &plan, size_t argument);

} // namespace tw::loops
