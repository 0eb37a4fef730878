// SPDX-License-Identifier: Apache-2.0
// Arrays that lie otherwise for the caller than in the program (ArraySpec::is_moved): put together to whole
// ones, and cut again.
#pragma once

#include <vector>

#include "pjrt/array_spec.hpp"
#include "pjrt/buffer.hpp"

namespace tw::pjrt {

// The whole array that the buffers of all partitions hold together. Addends are added up.
StoragePtr join_held(const ArraySpec &spec, const std::vector<StoragePtr> &buffers);
// The whole array of tiles.
StoragePtr join_tiles(const ArraySpec &spec, const std::vector<StoragePtr> &tiles,
                      const std::vector<Box> &boxes);
// Fills a tile with its part of the array.
void cut(const ArraySpec &spec, const Storage &whole, const Box &box, const Storage &tile);
// What a partition holds of the array: of addends the first is all of it, and others are zero.
void cut_held(const ArraySpec &spec, const Storage &whole, size_t partition, const Storage &buffer);

} // namespace tw::pjrt
