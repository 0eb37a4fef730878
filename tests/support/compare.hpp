// SPDX-License-Identifier: Apache-2.0
// Compares arrays: bit for bit, except that zeros may differ in sign (0 + -0 and max(0, -0) depend on the
// order), or closely.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/ref/evaluate.hpp"

namespace tw::test {

inline bool same_values(const kernels::ref::Array &a, const kernels::ref::Array &b) {
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

// f32 within a share of the largest magnitude; everything else as above.
inline bool close_values(const kernels::ref::Array &a, const kernels::ref::Array &b, double tolerance) {
  if (a.type.dtype != graph::DType::f32 || !(a.type == b.type))
    return same_values(a, b);
  double difference = 0, largest = 0;
  for (size_t at = 0; at < a.bytes.size(); at += sizeof(float)) {
    float x = 0, y = 0;
    std::memcpy(&x, a.bytes.data() + at, sizeof x);
    std::memcpy(&y, b.bytes.data() + at, sizeof y);
    if (std::memcmp(&x, &y, sizeof x) == 0)
      continue;
    difference = std::max(difference, std::abs(static_cast<double>(x) - y));
    largest = std::max(largest, std::abs(static_cast<double>(y)));
    if (!std::isfinite(x) || !std::isfinite(y))
      return false;
  }
  return difference <= tolerance * largest;
}

} // namespace tw::test
