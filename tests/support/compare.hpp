// SPDX-License-Identifier: Apache-2.0
// Compares arrays bit for bit, except that zeros may differ in sign: 0 + -0 and max(0, -0) depend on the order.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/evaluate.hpp"

namespace tw::test {

inline bool same_values(const ops::Array &a, const ops::Array &b) {
  if (!(a.type == b.type) || a.bytes.size() != b.bytes.size())
    return false;
  if (a.bytes == b.bytes)
    return true;
  if (!is_float(a.type.dtype) && !is_complex(a.type.dtype))
    return false;
  const size_t size = byte_size(a.type.dtype) / (is_complex(a.type.dtype) ? 2 : 1);
  const auto is_zero = [size](const std::byte *at) { // the sign is the highest bit of the last byte
    return std::all_of(at, at + size - 1, [](std::byte x) { return x == std::byte{0}; }) &&
           (at[size - 1] & std::byte{0x7f}) == std::byte{0};
  };
  for (size_t at = 0; at < a.bytes.size(); at += size) {
    const std::byte *x = a.bytes.data() + at, *y = b.bytes.data() + at;
    if (!std::equal(x, x + size, y) && !(is_zero(x) && is_zero(y)))
      return false;
  }
  return true;
}

} // namespace tw::test
