// SPDX-License-Identifier: Apache-2.0
// Narrow floats: exact decoding and correctly rounded encoding for every format, driven by its layout.
#include "base/small_float.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tw {

namespace {

// Powers of two: the code is the exponent.
double decode_scale(const SmallFloat &f, uint32_t code) {
  return code > f.max_code ? std::numeric_limits<double>::quiet_NaN()
                           : std::ldexp(1.0, static_cast<int>(code) - f.bias);
}

uint32_t encode_scale(const SmallFloat &f, double value) {
  const uint32_t nan = f.max_code + 1;
  if (!std::isfinite(value) || value <= 0)
    return nan;
  int exponent = 0;
  const double mantissa = 2 * std::frexp(value, &exponent); // in [1, 2)
  const int below = exponent - 1 + f.bias;
  const bool up = mantissa > 1.5 || (mantissa == 1.5 && below % 2 != 0);
  const int code = std::max(below + (up ? 1 : 0), 0);
  return code > static_cast<int>(f.max_code) ? nan : static_cast<uint32_t>(code);
}

} // namespace

double decode(const SmallFloat &f, uint32_t code) {
  if (f.is_scale)
    return decode_scale(f, code);
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const uint32_t sign_bit = 1u << (width - 1);
  const uint32_t magnitude = code & (sign_bit - 1);
  const bool negative = (code & sign_bit) != 0;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (f.unsigned_zero && negative && magnitude == 0)
    return nan;
  if (magnitude > f.max_code) {
    const bool infinite = f.has_infinity && (magnitude & ((1u << f.mantissa_bits) - 1)) == 0;
    const double special = infinite ? std::numeric_limits<double>::infinity() : nan;
    return negative ? -special : special;
  }
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const uint32_t mantissa = magnitude & ((1u << f.mantissa_bits) - 1);
  const double value =
      exponent == 0 ? std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits)
                    : std::ldexp(mantissa | (1u << f.mantissa_bits), exponent - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

uint32_t encode(const SmallFloat &f, double value) {
  if (f.is_scale)
    return encode_scale(f, value);
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const uint32_t sign_bit = 1u << (width - 1);
  const uint32_t sign = std::signbit(value) ? sign_bit : 0;
  const uint32_t nan = f.unsigned_zero  ? sign_bit
                       : f.has_infinity ? sign | (((1u << f.exponent_bits) - 1) << f.mantissa_bits) |
                                              (1u << (f.mantissa_bits - 1))
                                        : sign | (sign_bit - 1);
  if (std::isnan(value)) // where every code is a number it is the zero of the other sign, as in ml_dtypes
    return f.max_code == sign_bit - 1 && !f.unsigned_zero ? sign ^ sign_bit : nan;
  const double magnitude = std::fabs(value);
  uint32_t code = f.max_code + 1;
  if (std::isfinite(magnitude)) {
    // Codes of one sign are ordered as their values and evenly spaced within a binade, so rounding to a whole
    // number of spacings and letting the carry run into the exponent gives the nearest code.
    int exponent = 0;
    (void)std::frexp(magnitude, &exponent); // magnitude in [2^(exponent-1), 2^exponent)
    const int biased = magnitude == 0 ? 0 : exponent - 1 + f.bias;
    if (biased >= (1 << f.exponent_bits))
      code = f.max_code + 1;
    else {
      const int binade = biased < 1 ? 1 : biased;
      const double spacings = std::nearbyint(std::ldexp(magnitude, f.bias + f.mantissa_bits - binade));
      code = static_cast<uint32_t>(spacings) + (static_cast<uint32_t>(binade - 1) << f.mantissa_bits);
    }
  }
  if (code > f.max_code)
    return f.has_infinity ? sign | (((1u << f.exponent_bits) - 1) << f.mantissa_bits) : nan;
  if (code == 0 && f.unsigned_zero)
    return 0;
  return sign | code;
}

} // namespace tw
