// SPDX-License-Identifier: Apache-2.0
// Host arrays.
#include "runtime/tensor.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>

namespace tw::runtime {
namespace {
constexpr size_t kTensorAlignment = 64;
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

Tensor::Tensor(graph::TensorType type) {
  auto made = create(std::move(type), {});
  if (!made)
    throw std::bad_alloc();
  *this = std::move(*made);
}

Result<Tensor> Tensor::create(graph::TensorType type, const Allocator &allocator) {
  Tensor tensor;
  tensor.owned_bytes_ = static_cast<size_t>(std::max<int64_t>(type.bytes(), 1));
  tensor.allocator_ = allocator;
  tensor.data_ = static_cast<std::byte *>(allocator.allocate(tensor.owned_bytes_, kTensorAlignment));
  if (!tensor.data_)
    return fail(Code::resource_exhausted, "TW-662",
                fmt::format("no memory for {}: {} bytes", graph::to_short_text(type), tensor.owned_bytes_));
  std::memset(tensor.data_, 0, tensor.owned_bytes_);
  tensor.type_ = std::move(type);
  return tensor;
}

Tensor Tensor::wrap(graph::TensorType type, void *data, void (*destroy)(void *user), void *user) {
  Tensor tensor;
  tensor.type_ = std::move(type);
  tensor.data_ = static_cast<std::byte *>(data);
  tensor.destroy_ = destroy;
  tensor.user_ = user;
  return tensor;
}

Tensor &Tensor::operator=(Tensor &&other) noexcept {
  if (this != &other) {
    reset();
    type_ = std::move(other.type_);
    data_ = std::exchange(other.data_, nullptr);
    owned_bytes_ = std::exchange(other.owned_bytes_, 0);
    allocator_ = other.allocator_;
    destroy_ = std::exchange(other.destroy_, nullptr);
    user_ = other.user_;
  }
  return *this;
}

void Tensor::reset() {
  if (owned_bytes_ && data_)
    allocator_.release(data_, owned_bytes_, kTensorAlignment);
  if (destroy_)
    destroy_(user_);
}

} // namespace tw::runtime
