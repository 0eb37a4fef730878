// SPDX-License-Identifier: Apache-2.0
// What messages spend their time on: sums of costs, and a table's columns, each at the row that costs least
// there. On the processor at hand, with the same bits on all.
#pragma once

#include <cstddef>
#include <span>

#include "solve/model.hpp"

namespace tw::solve {

// least[c] = min over rows of offers[r] + costs[r * columns + c]; there are rows. An offer may be kNever.
void min_plus(const Cost *costs, const Cost *offers, size_t rows, size_t columns, Cost *least);

void add_to(std::span<Cost> sum, std::span<const Cost> more);
// offers[i] = share * known[i] - heard[i]; kNever where `known` is.
void offer(std::span<const Cost> known, std::span<const Cost> heard, Cost share, std::span<Cost> offers);
void take_off(std::span<Cost> values, Cost least);
Cost least_of(std::span<const Cost> values);

} // namespace tw::solve
