// SPDX-License-Identifier: Apache-2.0
// Strides and index walks over dense arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tw::ops {

// Row-major strides in elements.
std::vector<int64_t> dense_strides(std::span<const int64_t> extent);
int64_t product(std::span<const int64_t> extent);

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
