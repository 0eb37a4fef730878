// SPDX-License-Identifier: Apache-2.0
// Strides and sizes of dense arrays.
#include "ops/strided.hpp"

namespace tw::ops {

std::vector<int64_t> dense_strides(std::span<const int64_t> extent) {
  std::vector<int64_t> strides(extent.size());
  int64_t step = 1;
  for (size_t d = extent.size(); d-- > 0;) {
    strides[d] = step;
    step *= extent[d];
  }
  return strides;
}

int64_t product(std::span<const int64_t> extent) {
  int64_t n = 1;
  for (int64_t e : extent)
    n *= e;
  return n;
}

} // namespace tw::ops
