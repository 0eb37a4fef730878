// SPDX-License-Identifier: Apache-2.0
// Orders the dimensions of a copy, merges them, and takes the innermost one as a run where it is one.
#include "kernels/strided_copy.hpp"

#include <algorithm>
#include <cstdlib>

namespace tw::kernels {

StridedCopy::StridedCopy(std::span<const int64_t> extent, std::span<const int64_t> src_strides,
                         std::span<const int64_t> dst_strides, int64_t element_size)
    : run_(element_size), bytes_(element_size) {
  std::vector<Dim> dims;
  for (size_t d = 0; d < extent.size(); ++d) {
    bytes_ *= extent[d];
    if (extent[d] != 1)
      dims.push_back({extent[d], src_strides[d] * element_size, dst_strides[d] * element_size});
  }
  if (bytes_ == 0)
    return;
  std::stable_sort(dims.begin(), dims.end(),
                   [](const Dim &a, const Dim &b) { return std::abs(a.dst) > std::abs(b.dst); });
  for (const Dim &d : dims) {
    if (!dims_.empty() && dims_.back().src == d.n * d.src && dims_.back().dst == d.n * d.dst)
      dims_.back() = {dims_.back().n * d.n, d.src, d.dst};
    else
      dims_.push_back(d);
  }
  if (!dims_.empty() && dims_.back().src == run_ && dims_.back().dst == run_) {
    run_ *= dims_.back().n;
    dims_.pop_back();
  }
  if (dims_.empty())
    dims_.push_back({1, 0, 0});
}

int64_t StridedCopy::num_runs() const {
  int64_t n = bytes_ == 0 ? 0 : 1;
  for (const Dim &d : dims_)
    n *= d.n;
  return n;
}

bool StridedCopy::fills_one_run() const {
  std::vector<Dim> by_stride(dims_);
  std::ranges::sort(by_stride, {}, [](const Dim &d) { return std::abs(d.dst); });
  int64_t filled = run_;
  for (const Dim &d : by_stride) {
    if (d.n == 1)
      continue;
    if (d.dst != filled)
      return false;
    filled *= d.n;
  }
  return true;
}

StridedCopy::Reach StridedCopy::source() const {
  if (bytes_ == 0)
    return {};
  Reach reach{0, run_};
  for (const Dim &d : dims_) {
    reach.offset += std::min<int64_t>(0, (d.n - 1) * d.src);
    reach.bytes += std::abs((d.n - 1) * d.src);
  }
  return reach;
}

} // namespace tw::kernels
