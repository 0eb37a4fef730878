// SPDX-License-Identifier: Apache-2.0
// Cuts a box into parts of about equal size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
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

// How many elements each of these parts has.
class ShareSizes {
public:
  ShareSizes(std::span<const int64_t> extent, int64_t parts)
      : elements_(std::accumulate(extent.begin(), extent.end(), int64_t{1}, std::multiplies<>())),
        along_(extent.empty() ? 1 : *std::ranges::max_element(extent)), parts_(std::min(parts, along_)) {}

  int64_t count() const { return parts_; }
  int64_t elements() const { return elements_; } // of the box
  int64_t elements(int64_t i) const {
    return elements_ / along_ * ((i + 1) * along_ / parts_ - i * along_ / parts_);
  }

private:
  int64_t elements_, along_, parts_;
};

} // namespace tw::redistribute
