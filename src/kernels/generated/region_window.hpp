// SPDX-License-Identifier: Apache-2.0
// Source of folds under sliding windows by any region of scalar ops, of several arrays together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "kernels/generated/region_fold.hpp"
#include "ops/window.hpp"

namespace tw::kernels::generated {

struct RegionWindow {
  ScalarRegion region;                     // of running values, then of elements: the types of the arrays
  std::vector<int64_t> extent;             // of each array
  std::vector<int64_t> places;             // of each result
  std::vector<ops::SlidingWindow> windows; // one a dimension
};

// Operands: the arrays, then their initial values, which also stand where a window leaves the arrays; results
// as many. The elements under a window are folded in row-major order of its taps.
Result<Source> region_window_source(const RegionWindow &request, const std::string &entry);

} // namespace tw::kernels::generated
