// SPDX-License-Identifier: Apache-2.0
// Limits of array types, whoever makes them: text, the C interface, an op that infers its result. check_size
// (types.hpp) sees to them, so that sizes, strides and offsets never overflow later.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.hpp"

namespace tw::graph {

class Graph;

constexpr size_t kMaxRank = 32;
constexpr int64_t kMaxBytes = int64_t{1}
                              << 62; // of all elements, where dimensions of size 0 are left out of account

// All values and results of a program together have no more than kMaxBytes either, so that what a device
// holds can be counted.
Status check_total_size(const Graph &graph);

} // namespace tw::graph
