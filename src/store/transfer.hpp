// SPDX-License-Identifier: Apache-2.0
// Boxes of elements between a file, where they lie with some strides, and memory, where they lie with others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "sharding/sharding.hpp"
#include "store/file.hpp"

namespace tw::store {

using Strides = std::vector<int64_t>; // bytes from an element to the next, one a dimension

Strides dense_strides(std::span<const int64_t> dims, size_t item);
// Bytes from where a box begins to where one within it does.
int64_t distance(const sharding::Box &box, const sharding::Box &within, std::span<const int64_t> strides);

enum class Direction { read, write };

// Moves `extent` elements of `item` bytes. The first lies at byte `at` of the file and at `memory`; strides
// are not negative. The file is gone through in its own order, and what lies there without a gap is moved at
// once.
Status transfer(Direction direction, RowFile &file, uint64_t at, std::span<const int64_t> file_strides,
                std::span<const int64_t> extent, size_t item, void *memory,
                std::span<const int64_t> memory_strides);

} // namespace tw::store
