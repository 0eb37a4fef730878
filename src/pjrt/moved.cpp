// SPDX-License-Identifier: Apache-2.0
// Boxes copied into whole arrays and out of them.
#include "pjrt/moved.hpp"

#include <algorithm>
#include <cstring>

#include "pjrt/strided.hpp"

namespace tw::pjrt {

namespace {

// Bytes before a box in its array.
int64_t offset_of(const std::vector<int64_t> &strides, const Box &box) {
  int64_t offset = 0;
  for (size_t d = 0; d < strides.size(); ++d)
    offset += strides[d] * box.offset[d];
  return offset;
}

void put(const ArraySpec &spec, const Storage &tile, const Box &box, const Storage &whole) {
  const size_t item = tw_dtype_size(spec.dtype);
  const std::vector<int64_t> strides = dense_strides(spec.dims, item);
  copy_strided(box.extent, item, tw_tensor_const_data(tile.tensor.get()), dense_strides(box.extent, item),
               static_cast<char *>(tw_tensor_data(whole.tensor.get())) + offset_of(strides, box), strides);
}

} // namespace

StoragePtr join_tiles(const ArraySpec &spec, const std::vector<StoragePtr> &tiles,
                      const std::vector<Box> &boxes) {
  StoragePtr whole = allocate(spec.dtype, spec.dims);
  for (size_t t = 0; t < tiles.size(); ++t)
    if (std::find(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(t), boxes[t]) ==
        boxes.begin() + static_cast<std::ptrdiff_t>(t)) // else it is there already
      put(spec, *tiles[t], boxes[t], *whole);
  return whole;
}

StoragePtr join_held(const ArraySpec &spec, const std::vector<StoragePtr> &buffers) {
  if (spec.held.num_addends == 1)
    return join_tiles(spec, buffers, spec.held.boxes);
  std::vector<StoragePtr> addends;
  std::vector<const tw_tensor_t *> inputs;
  for (int64_t a = 0; a < spec.held.num_addends; ++a) {
    std::vector<StoragePtr> tiles;
    std::vector<Box> boxes;
    for (size_t p = 0; p < buffers.size(); ++p)
      if (spec.held.addend[p] == a) {
        tiles.push_back(buffers[p]);
        boxes.push_back(spec.held.boxes[p]);
      }
    addends.push_back(join_tiles(spec, tiles, boxes));
    inputs.push_back(addends.back()->tensor.get());
  }
  StoragePtr sum = allocate(spec.dtype, spec.dims);
  tw_tensor_t *const output = sum->tensor.get();
  check(tw_executable_run(spec.sum.get(), inputs.data(), inputs.size(), &output, 1));
  return sum;
}

void cut(const ArraySpec &spec, const Storage &whole, const Box &box, const Storage &tile) {
  const size_t item = tw_dtype_size(spec.dtype);
  const std::vector<int64_t> strides = dense_strides(spec.dims, item);
  copy_strided(box.extent, item,
               static_cast<const char *>(tw_tensor_const_data(whole.tensor.get())) + offset_of(strides, box),
               strides, tw_tensor_data(tile.tensor.get()), dense_strides(box.extent, item));
}

void cut_held(const ArraySpec &spec, const Storage &whole, size_t partition, const Storage &buffer) {
  if (spec.held.num_addends == 1 || spec.held.addend[partition] == 0)
    cut(spec, whole, spec.held.boxes[partition], buffer);
  else
    std::memset(tw_tensor_data(buffer.tensor.get()), 0, tw_tensor_bytes(buffer.tensor.get()));
}

} // namespace tw::pjrt
