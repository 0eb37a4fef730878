// SPDX-License-Identifier: Apache-2.0
// Host arrays.
#include "runtime/tensor.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace tw::runtime {
namespace {
constexpr std::align_val_t kAlignment{64};
}

int64_t TensorView::elements() const {
  int64_t n = 1;
  for (const int64_t d : dims)
    n *= d;
  return n;
}

bool TensorView::is_dense() const {
  int64_t stride = 1;
  for (size_t dim = strides.size(); dim-- > 0;) {
    if (dims[dim] != 1 && strides[dim] != stride)
      return false;
    stride *= dims[dim];
  }
  return true;
}

Tensor::Tensor(graph::TensorType type) : type_(std::move(type)) {
  const auto bytes = static_cast<size_t>(std::max<int64_t>(type_.bytes(), 1));
  data_.reset(static_cast<std::byte *>(::operator new(bytes, kAlignment)));
  std::memset(data_.get(), 0, bytes);
}

void Tensor::Free::operator()(std::byte *p) const { ::operator delete(p, kAlignment); }

} // namespace tw::runtime
