// SPDX-License-Identifier: Apache-2.0
// Copies between strided views, the innermost dimension in one loop per element size.
#include "kernels/ref/strided.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/strided.hpp"

namespace tw::kernels::ref {

using ops::dense_strides;
using ops::product;
using ops::Walk;

namespace {

struct Bytes16 {
  uint64_t low, high;
};

template <class T> void copy_line(T *dst, int64_t dst_step, const T *src, int64_t src_step, int64_t n) {
  if (dst_step == 1 && src_step == 1) {
    std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    dst[i * dst_step] = src[i * src_step];
}

template <class T>
void copy_lines(T *dst, std::span<const int64_t> dst_strides, const T *src,
                std::span<const int64_t> src_strides, std::span<const int64_t> extent) {
  const size_t inner = extent.size() - 1;
  for (Walk w(extent.first(inner)); w.more(); w.next()) {
    int64_t to = 0, from = 0;
    for (size_t d = 0; d < inner; ++d) {
      to += w[d] * dst_strides[d];
      from += w[d] * src_strides[d];
    }
    copy_line(dst + to, dst_strides[inner], src + from, src_strides[inner], extent[inner]);
  }
}

} // namespace

void copy_strided(void *dst, std::span<const int64_t> dst_strides, const void *src,
                  std::span<const int64_t> src_strides, std::span<const int64_t> extent,
                  size_t element_size) {
  if (product(extent) == 0 || element_size == 0) // a token has no bytes
    return;
  if (extent.empty()) {
    std::memcpy(dst, src, element_size);
    return;
  }
  auto run = [&](auto element) {
    using T = decltype(element);
    copy_lines(static_cast<T *>(dst), dst_strides, static_cast<const T *>(src), src_strides, extent);
  };
  switch (element_size) {
  case 1: return run(uint8_t{});
  case 2: return run(uint16_t{});
  case 4: return run(uint32_t{});
  case 8: return run(uint64_t{});
  default: return run(Bytes16{});
  }
}

void place_strided(void *dst, std::span<const int64_t> dst_extent, const void *src,
                   std::span<const int64_t> src_extent, std::span<const int64_t> low,
                   std::span<const int64_t> step, size_t element_size) {
  std::vector<int64_t> from = dense_strides(src_extent), to = dense_strides(dst_extent), count(from.size());
  int64_t first_from = 0, first_to = 0;
  for (size_t d = 0; d < from.size(); ++d) {
    const int64_t begin = low[d] >= 0 ? 0 : (-low[d] + step[d] - 1) / step[d];
    const int64_t room = dst_extent[d] - low[d]; // i * step < room
    const int64_t end = std::min(src_extent[d], room <= 0 ? 0 : (room + step[d] - 1) / step[d]);
    count[d] = std::max<int64_t>(0, end - begin);
    first_from += begin * from[d];
    first_to += (low[d] + begin * step[d]) * to[d];
    to[d] *= step[d];
  }
  const auto size = static_cast<int64_t>(element_size);
  if (product(count) != 0)
    copy_strided(static_cast<std::byte *>(dst) + first_to * size, to,
                 static_cast<const std::byte *>(src) + first_from * size, from, count, element_size);
}

void fill(void *dst, const void *element, int64_t n, size_t element_size) {
  const int64_t one = 1, zero = 0;
  copy_strided(dst, {&one, 1}, element, {&zero, 1}, {&n, 1}, element_size);
}

} // namespace tw::kernels::ref
