// SPDX-License-Identifier: Apache-2.0
// What choices need at each point, and by how much that is too much.
#include "solve/problem.hpp"

#include <algorithm>

namespace tw::solve {

std::vector<Cost> usage_of(const Problem &problem, std::span<const uint32_t> choices) {
  std::vector<Cost> usage(problem.limits.size() + 1, 0); // differences first
  for (size_t v = 0; v < problem.uses.size(); ++v)
    for (const Use &use : problem.uses[v]) {
      usage[use.begin] += use.amounts[choices[v]];
      usage[use.end] -= use.amounts[choices[v]];
    }
  Cost sum = 0;
  for (Cost &at : usage)
    at = sum += at;
  usage.pop_back();
  return usage;
}

Cost overflow_of(std::span<const Cost> usage, std::span<const Cost> limits) {
  Cost sum = 0;
  for (size_t p = 0; p < usage.size(); ++p)
    sum += std::max<Cost>(usage[p] - limits[p], 0);
  return sum;
}

} // namespace tw::solve
