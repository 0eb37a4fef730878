// SPDX-License-Identifier: Apache-2.0
// Copies of arrays whose elements lie at any distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::pjrt {

// Bytes from one index to the next, of a dense row-major array.
std::vector<int64_t> dense_strides(std::span<const int64_t> dims, size_t item);
bool is_dense(std::span<const int64_t> dims, std::span<const int64_t> strides, size_t item);
// Elements of an array of these dimensions; a Failure where they are negative, or more than memory can hold.
size_t count_of(std::span<const int64_t> dims);

// Copies every element of `item` bytes; strides are in bytes, of any sign.
void copy_strided(std::span<const int64_t> dims, size_t item, const void *source,
                  std::span<const int64_t> source_strides, void *target,
                  std::span<const int64_t> target_strides);

} // namespace tw::pjrt
