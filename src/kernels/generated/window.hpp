// SPDX-License-Identifier: Apache-2.0
// Source of folds under windows that slide over an array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "kernels/generated/source.hpp"
#include "ops/window.hpp"
#include "sharding/sharding.hpp"

namespace tw::kernels::generated {

struct WindowFold {
  graph::DType dtype;
  sharding::Reduction kind;
  std::vector<int64_t> extent;             // of the operand
  std::vector<int64_t> places;             // of the result
  std::vector<ops::SlidingWindow> windows; // one a dimension
};

// Operands: the array and the initial value, which also stands where a window leaves the array. The elements
// under a window are folded in row-major order of its taps, rounded to the type after each.
Source window_source(const WindowFold &request, const std::string &entry);

} // namespace tw::kernels::generated
