// SPDX-License-Identifier: Apache-2.0
// A model whose choices also need memory while they live: at no point of time more than there is.
#pragma once

#include <vector>

#include "solve/model.hpp"

namespace tw::solve {

// What a variable's choices need at the points [begin, end).
struct Use {
  uint32_t begin, end;
  std::vector<Cost> amounts; // by choice, none below 0
};

struct Problem {
  Model model;
  std::vector<std::vector<Use>> uses; // by variable; one that needs nothing has none
  std::vector<Cost> limits;           // by point
};

// What all choices together need, by point.
std::vector<Cost> usage_of(const Problem &problem, std::span<const uint32_t> choices);
// By how much that passes the limits, summed over all points; 0 where the choices fit.
Cost overflow_of(std::span<const Cost> usage, std::span<const Cost> limits);

} // namespace tw::solve
