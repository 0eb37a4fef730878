// SPDX-License-Identifier: Apache-2.0
// Arrays in blocks that fit a budget.
#include "store/blocks.hpp"

#include <algorithm>

#include "kernels/ref/convert.hpp"

namespace tw::store {

using sharding::Box;

Blocks::Blocks(graph::Shape dims, int64_t most) : dims_(std::move(dims)), at_(dims_.size(), 0) {
  most = std::max<int64_t>(most, 1);
  over_ = std::ranges::find(dims_, 0) != dims_.end();
  if (over_)
    return;
  int64_t behind = 1; // elements of one index along `split_`
  size_t d = dims_.size();
  while (d > 0 && dims_[d - 1] <= most / behind)
    behind *= dims_[--d];
  split_ = d > 0 ? d - 1 : 0;
  step_ = d > 0 ? std::max<int64_t>(most / behind, 1) : (dims_.empty() ? 1 : dims_[0]);
}

bool Blocks::next(Box &box) {
  if (over_)
    return false;
  box = Box::whole(dims_);
  for (size_t d = 0; d < dims_.size() && d <= split_; ++d) {
    box.offset[d] = at_[d];
    box.extent[d] = d < split_ ? 1 : std::min(step_, dims_[d] - at_[d]);
  }
  over_ = true;
  for (size_t d = std::min(split_ + 1, dims_.size()); d-- > 0;) {
    at_[d] += d < split_ ? 1 : step_;
    if (at_[d] < dims_[d]) {
      over_ = false;
      break;
    }
    at_[d] = 0;
  }
  return true;
}

BlockReader::BlockReader(const Layout &layout, std::vector<graph::DType> types, const Elements &elements,
                         size_t budget)
    : layout_(layout), types_(std::move(types)), elements_(elements), budget_(budget) {}

Blocks BlockReader::blocks(size_t array) const {
  const graph::TensorType &to = layout_.arrays[array].type;
  size_t item = graph::byte_size(to.dtype);
  if (types_[array] != to.dtype)
    item += graph::byte_size(types_[array]);
  return Blocks(to.dims, static_cast<int64_t>(budget_ / item));
}

namespace {

std::byte *room(std::unique_ptr<std::byte[]> &memory, size_t &size, size_t wanted) {
  if (size < wanted) {
    memory.reset();
    memory = std::make_unique_for_overwrite<std::byte[]>(wanted);
    size = wanted;
  }
  return memory.get();
}

} // namespace

Result<const std::byte *> BlockReader::read(size_t array, const Box &box) {
  const graph::DType from = types_[array], to = layout_.arrays[array].type.dtype;
  const auto elements = static_cast<size_t>(box.elements());
  std::byte *const bytes = room(buffer_, buffer_size_, elements * graph::byte_size(from));
  TW_TRY(elements_.read(array, box, bytes, dense_strides(box.extent, graph::byte_size(from))));
  if (from == to)
    return bytes;
  std::byte *const converted = room(converted_, converted_size_, elements * graph::byte_size(to));
  const void *const in[] = {bytes};
  kernels::ref::convert_block(from, to)(in, converted, static_cast<int64_t>(elements));
  return converted;
}

} // namespace tw::store
