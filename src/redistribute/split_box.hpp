// SPDX-License-Identifier: Apache-2.0
// Cuts a box into parts of about equal size.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sharding/sharding.hpp"

namespace tw::redistribute {

// Along its widest dimension; fewer where that has fewer elements.
inline std::vector<sharding::Box> split(const sharding::Box &box, int64_t parts) {
  if (parts == 1 || box.extent.empty())
    return {box};
  const auto d = static_cast<size_t>(std::ranges::max_element(box.extent) - box.extent.begin());
  std::vector<sharding::Box> result;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t n = box.extent[d], begin = i * n / parts, end = (i + 1) * n / parts;
    if (begin == end)
      continue;
    sharding::Box part = box;
    part.offset[d] += begin;
    part.extent[d] = end - begin;
    result.push_back(std::move(part));
  }
  return result;
}

} // namespace tw::redistribute
