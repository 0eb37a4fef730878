// SPDX-License-Identifier: Apache-2.0
// Sums and products of sizes that stop at the largest number where the true one is beyond it.
#pragma once

#include <cmath>
#include <cstdint>

namespace tw {

inline int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

inline int64_t saturating_mul(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? ((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX) : product;
}

// To the nearest whole number.
inline int64_t saturating_round(double x) {
  return x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : std::llround(x);
}

} // namespace tw
