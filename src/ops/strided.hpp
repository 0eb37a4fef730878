// SPDX-License-Identifier: Apache-2.0
// Strides and index walks over dense arrays: what transpose, broadcast, slice, pad, concatenate and reverse
// have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/types.hpp"

namespace tw::ops {

// Row-major strides in elements.
std::vector<int64_t> dense_strides(std::span<const int64_t> extent);
int64_t product(std::span<const int64_t> extent);

// dst[sum i*dst_strides] = src[sum i*src_strides] for every index below `extent`; strides in elements, 0 and
// negative ones allowed.
void copy_strided(void *dst, std::span<const int64_t> dst_strides, const void *src,
                  std::span<const int64_t> src_strides, std::span<const int64_t> extent, size_t element_size);

// Element i of a dense source lands at low + i * step of a dense destination, per dimension; what falls
// outside is left out.
void place_strided(void *dst, std::span<const int64_t> dst_extent, const void *src,
                   std::span<const int64_t> src_extent, std::span<const int64_t> low,
                   std::span<const int64_t> step, size_t element_size);

// Writes n copies of one element.
void fill(void *dst, const void *element, int64_t n, size_t element_size);

// Steps through every index below `extent` in row-major order: `for (Walk w(extent); w.more(); w.next()) ...
// w[d]`.
class Walk {
public:
  explicit Walk(std::span<const int64_t> extent)
      : extent_(extent), index_(extent.size(), 0), left_(product(extent)) {}
  bool more() const { return left_ > 0; }
  void next() {
    --left_;
    for (size_t d = index_.size(); d-- > 0;) {
      if (++index_[d] < extent_[d])
        return;
      index_[d] = 0;
    }
  }
  int64_t operator[](size_t d) const { return index_[d]; }
  std::span<const int64_t> index() const { return index_; }

private:
  std::span<const int64_t> extent_;
  std::vector<int64_t> index_;
  int64_t left_;
};

} // namespace tw::ops
