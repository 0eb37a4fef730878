// SPDX-License-Identifier: Apache-2.0
// What messages spend their time on: a table's columns, each at the row that costs least there.
#pragma once

#include <cstddef>

#include "solve/model.hpp"

namespace tw::solve {

// least[c] = min over rows of offers[r] + costs[r * columns + c]; there are rows. An offer may be kNever.
void min_plus(const Cost *costs, const Cost *offers, size_t rows, size_t columns, Cost *least);

} // namespace tw::solve
