// SPDX-License-Identifier: Apache-2.0
// Visits the elements of boxes and arrays, for tests that move real data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sharding/sharding.hpp"

namespace tw::test {

// Calls visit(index) for every global index of a box, row-major.
template <class Visit> void each_element(const sharding::Box &box, Visit visit) {
  if (box.empty())
    return;
  std::vector<int64_t> at = box.offset;
  for (;;) {
    visit(std::as_const(at));
    size_t d = at.size();
    while (d-- > 0) {
      if (++at[d] < box.offset[d] + box.extent[d])
        break;
      at[d] = box.offset[d];
    }
    if (d == SIZE_MAX)
      return;
  }
}

// Where a global index lies in the dense row-major storage of a box that holds it.
inline size_t position_in(const sharding::Box &box, std::span<const int64_t> index) {
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d)
    at = at * box.extent[d] + index[d] - box.offset[d];
  return static_cast<size_t>(at);
}

} // namespace tw::test
