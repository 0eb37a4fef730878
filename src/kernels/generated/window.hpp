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

// Pieces of such kernels. Numbers "p0", "p1", .. of the place whose number in row-major order is `at`.
std::string places_text(const std::vector<int64_t> &extent, const char *name);
// Loops over the taps "t0", "t1", ..
std::string taps_text(const std::vector<ops::SlidingWindow> &windows);
// Under tap t of place p: whether there is an element, `inside`, and its offset `from` in a dense array.
std::string under_text(const std::vector<ops::SlidingWindow> &windows, const std::vector<int64_t> &extent);

} // namespace tw::kernels::generated
