// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph do the same: a program has its layers one after the other, and what is right in one
// of them is right in all.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

// A number for each node, equal for those that have the same op on the same types, and around them nodes for
// which this holds, so many edges deep. It does not depend on how ops are numbered or values are named.
// Two edges are enough to tell the products of a layer apart, and few enough that its first and last one are
// like the others.
std::vector<uint64_t> find_alike(const Plan &plan, int depth = 2);

} // namespace tw::partition
