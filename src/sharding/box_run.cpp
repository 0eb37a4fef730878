// SPDX-License-Identifier: Apache-2.0
// Compares extents from the innermost dimension outwards.
#include "sharding/box_run.hpp"

namespace tw::sharding {

int64_t run_offset(const Box &inner, const Box &outer) {
  if (inner.empty())
    return 0;
  if (!outer.contains(inner))
    return -1;
  int64_t offset = 0, stride = 1;
  bool whole_so_far = true; // all dimensions inside this one are taken whole
  for (size_t dim = inner.rank(); dim-- > 0;) {
    if (!whole_so_far && inner.extent[dim] != 1)
      return -1;
    offset += (inner.offset[dim] - outer.offset[dim]) * stride;
    stride *= outer.extent[dim];
    whole_so_far = whole_so_far && inner.extent[dim] == outer.extent[dim];
  }
  return offset;
}

} // namespace tw::sharding
