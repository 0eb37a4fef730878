// SPDX-License-Identifier: Apache-2.0
// Copies between strided views: what transpose, broadcast, slice, pad, concatenate and reverse have in
// common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw::kernels::ref {

// dst[sum i*dst_strides] = src[sum i*src_strides] for every index below `extent`; strides in elements, 0 and
// negative ones allowed.
void copy_strided(void *dst, std::span<const int64_t> dst_strides, const void *src,
                  std::span<const int64_t> src_strides, std::span<const int64_t> extent, size_t element_size);

// Element i of a dense source lands at low + i * step of a dense destination, per dimension; what falls
// outside is left out.
void place_strided(void *dst, std::span<const int64_t> dst_extent, const void *src,
                   std::span<const int64_t> src_extent, std::span<const int64_t> low,
                   std::span<const int64_t> step, size_t element_size);

// Writes n copies of one element.
void fill(void *dst, const void *element, int64_t n, size_t element_size);

} // namespace tw::kernels::ref
