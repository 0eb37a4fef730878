// SPDX-License-Identifier: Apache-2.0
// The rule of one op while its graph is still being made: that of a RuleTable, but for slices of one array
// that are joined again, which is known when all are there.
#pragma once

#include "ops/rule.hpp"

namespace tw::ops {

Rule rule_of(const graph::Graph &graph, graph::OpId id);

} // namespace tw::ops
