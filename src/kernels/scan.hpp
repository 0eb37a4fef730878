// SPDX-License-Identifier: Apache-2.0
// Cumulative reductions: reduce_window whose window reaches from each element to one end of a dimension.
#pragma once

#include <cstddef>
#include <optional>

#include "kernels/kernel.hpp"

namespace tw::kernels {

// The dimension accumulated along, and from which end.
struct Scan {
  size_t along = 0;
  bool backwards = false;
};

// Nothing where windows are others, or a tile has not the whole of that dimension.
std::optional<Scan> scan_of(const Request &request);

} // namespace tw::kernels
