// SPDX-License-Identifier: Apache-2.0
// Arrays of the host and of devices.
#include "runtime/tensor.hpp"

#include <algorithm>
#include <cstdlib>
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

bool TensorView::overlaps_itself() const {
  if (strides.empty() || elements() == 0)
    return false;
  // By falling stride each dimension steps over all that lies in the smaller ones.
  std::vector<size_t> order;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] > 1)
      order.push_back(d);
  std::ranges::sort(order, {}, [&](size_t d) { return std::abs(strides[d]); });
  int64_t inner = 0;
  for (const size_t d : order) {
    if (std::abs(strides[d]) <= inner)
      return true;
    inner += (dims[d] - 1) * std::abs(strides[d]);
  }
  return false;
}

std::pair<const std::byte *, int64_t> TensorView::reach() const {
  const auto *begin = static_cast<const std::byte *>(data);
  if (strides.empty() || elements() == 0)
    return {begin, bytes()};
  const auto size = static_cast<int64_t>(graph::byte_size(dtype));
  int64_t most = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t last = (dims[d] - 1) * strides[d];
    most += std::abs(last);
    begin += std::min<int64_t>(0, last) * size;
  }
  return {begin, most * size};
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

Result<Tensor> Tensor::create_at(graph::TensorType type, const device::Where &where) {
  Tensor tensor;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(type.bytes(), 1));
  TW_ASSIGN(tensor.memory_, device::allocate(*where.kind, where.unit, bytes, {}));
  tensor.data_ = tensor.memory_.get();
  tensor.type_ = std::move(type);
  tensor.where_ = where;
  return tensor;
}

Tensor Tensor::wrap_at(graph::TensorType type, std::vector<int64_t> strides, const device::Where &where,
                       void *data, void (*destroy)(void *user), void *user) {
  Tensor tensor = wrap(std::move(type), data, destroy, user);
  tensor.strides_ = std::move(strides);
  tensor.where_ = where;
  return tensor;
}

Tensor &Tensor::operator=(Tensor &&other) noexcept {
  if (this != &other) {
    reset();
    type_ = std::move(other.type_);
    strides_ = std::move(other.strides_);
    where_ = other.where_;
    memory_ = std::move(other.memory_);
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
  memory_.reset();
  if (destroy_)
    destroy_(user_);
}

} // namespace tw::runtime
