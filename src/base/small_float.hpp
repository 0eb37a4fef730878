// SPDX-License-Identifier: Apache-2.0
// Floats narrower than f32: the layout of each format, and exact conversion of codes to values and back.
#pragma once

#include <cstdint>

namespace tw {

// Layout of a float narrower than f32. `bias` is the exponent bias; `max_code` the code of the largest finite
// magnitude.
struct SmallFloat {
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity;  // as IEEE: top exponent is inf and NaN
  bool unsigned_zero; // "fnuz": code 0x80 is the one NaN and there is no -0
  uint32_t max_code;
  bool is_scale = false; // codes are exponents: powers of two without sign, zero or subnormals, and one NaN

  constexpr int bits() const { return is_scale ? exponent_bits : 1 + exponent_bits + mantissa_bits; }
};

namespace small_float {
inline constexpr SmallFloat f16{5, 10, 15, true, false, 0x7bff};
inline constexpr SmallFloat bf16{8, 7, 127, true, false, 0x7f7f};
inline constexpr SmallFloat f8e4m3fn{4, 3, 7, false, false, 0x7e};
inline constexpr SmallFloat f8e5m2{5, 2, 15, true, false, 0x7b};
inline constexpr SmallFloat f8e4m3fnuz{4, 3, 8, false, true, 0x7f};
inline constexpr SmallFloat f8e5m2fnuz{5, 2, 16, false, true, 0x7f};
inline constexpr SmallFloat f8e4m3b11fnuz{4, 3, 11, false, true, 0x7f};
inline constexpr SmallFloat f8e4m3{4, 3, 7, true, false, 0x77};
inline constexpr SmallFloat f8e3m4{3, 4, 3, true, false, 0x6f};
inline constexpr SmallFloat f4e2m1fn{2, 1, 1, false, false, 0x7}; // these three have all codes finite
inline constexpr SmallFloat f6e2m3fn{2, 3, 1, false, false, 0x1f};
inline constexpr SmallFloat f6e3m2fn{3, 2, 3, false, false, 0x1f};
inline constexpr SmallFloat f8e8m0fnu{8, 0, 127, false, false, 0xfe, true};
} // namespace small_float

// The nearest code of a value, ties to even; overflow gives infinity, or NaN where the format has none.
uint32_t encode(const SmallFloat &format, double value);
double decode(const SmallFloat &format, uint32_t code);

} // namespace tw
