// SPDX-License-Identifier: Apache-2.0
// Narrow floats, over every code: decoding by the formula of the format, encoding to the nearest value, ties
// to even.
#include <doctest/doctest.h>

#include <cstring>

#include "kernels/ref/convert.hpp"
#include "kernels/ref/scalar.hpp"
#include "ops/element.hpp"

namespace tw::test_element {

using namespace tw::ops;
using namespace tw::kernels::ref;

namespace {

struct Named {
  const char *name;
  DType dtype;
  SmallFloat format;
  double greatest, least_positive; // as the formats' definitions state them
};

const Named kFormats[] = {
    {"f16", DType::f16, small_float::f16, 65504, 0x1p-24},
    {"bf16", DType::bf16, small_float::bf16, 0x1.fep127, 0x1p-133},
    {"f8e4m3fn", DType::f8e4m3fn, small_float::f8e4m3fn, 448, 0x1p-9},
    {"f8e5m2", DType::f8e5m2, small_float::f8e5m2, 57344, 0x1p-16},
    {"f8e4m3fnuz", DType::f8e4m3fnuz, small_float::f8e4m3fnuz, 240, 0x1p-10},
    {"f8e5m2fnuz", DType::f8e5m2fnuz, small_float::f8e5m2fnuz, 57344, 0x1p-17},
    {"f8e4m3b11fnuz", DType::f8e4m3b11fnuz, small_float::f8e4m3b11fnuz, 30, 0x1p-13},
    {"f8e4m3", DType::f8e4m3, small_float::f8e4m3, 240, 0x1p-9},
    {"f8e3m4", DType::f8e3m4, small_float::f8e3m4, 15.5, 0x1p-6},
    {"f4e2m1fn", DType::f4e2m1fn, small_float::f4e2m1fn, 6, 0.5},
    {"f6e2m3fn", DType::f6e2m3fn, small_float::f6e2m3fn, 7.5, 0.125},
    {"f6e3m2fn", DType::f6e3m2fn, small_float::f6e3m2fn, 28, 0.0625},
};

uint32_t codes_of(const SmallFloat &f) { return 1u << (1 + f.exponent_bits + f.mantissa_bits); }

template <class T> uint32_t convert_one(DType from, DType to, T value) {
  uint32_t code = 0;
  const void *in = &value;
  convert_block(from, to)(&in, &code, 1);
  return code;
}

// Converts through the block functions, from double and, where the value is one, from float.
bool encodes_to(const Named &f, double value, uint32_t code) {
  const bool same = encode(f.format, value) == code && convert_one(DType::f64, f.dtype, value) == code;
  const auto narrow = static_cast<float>(value);
  return same && (static_cast<double>(narrow) != value || convert_one(DType::f32, f.dtype, narrow) == code);
}

} // namespace

TEST_CASE("every code decodes and encodes back") {
  for (const Named &f : kFormats) {
    CAPTURE(f.name);
    CHECK(decode(f.format, f.format.max_code) == f.greatest);
    CHECK(decode(f.format, 1) == f.least_positive);
    int wrong = 0;
    for (uint32_t code = 0; code < codes_of(f.format); ++code) {
      const double value = decode(f.format, code);
      float loaded = 0;
      const void *in = &code;
      convert_block(f.dtype, DType::f32)(&in, &loaded, 1);
      if (std::isnan(value)) {
        wrong += !std::isnan(loaded) || !std::isnan(decode(f.format, encode(f.format, value)));
        wrong += !std::isnan(decode(f.format, convert_one(DType::f32, f.dtype, loaded)));
      } else {
        wrong += static_cast<double>(loaded) != value || std::signbit(loaded) != std::signbit(value);
        wrong += !encodes_to(f, value, code);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("between two neighbours the nearer one is taken, halfway the even one") {
  for (const Named &f : kFormats) {
    CAPTURE(f.name);
    int wrong = 0;
    for (uint32_t code = 0; code < f.format.max_code; ++code) {
      const double low = decode(f.format, code), high = decode(f.format, code + 1), middle = (low + high) / 2;
      const uint32_t even = code % 2 == 0 ? code : code + 1;
      for (const double sign : {1.0, -1.0}) {
        const uint32_t top = sign < 0 ? codes_of(f.format) / 2 : 0;
        auto signed_code = [&](uint32_t c) { return f.format.unsigned_zero && c == 0 ? 0 : c | top; };
        wrong += !encodes_to(f, sign * middle, signed_code(even));
        wrong += !encodes_to(f, sign * std::nextafter(middle, low), signed_code(code));
        wrong += !encodes_to(f, sign * std::nextafter(middle, high), signed_code(code + 1));
        const auto below = std::nextafter(static_cast<float>(middle), static_cast<float>(low));
        const auto above = std::nextafter(static_cast<float>(middle), static_cast<float>(high));
        if (static_cast<double>(static_cast<float>(middle)) == middle) {
          wrong += convert_one(DType::f32, f.dtype, static_cast<float>(sign) * below) != signed_code(code);
          wrong +=
              convert_one(DType::f32, f.dtype, static_cast<float>(sign) * above) != signed_code(code + 1);
        }
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("overflow gives infinity where there is one, else NaN, else the greatest value") {
  for (const Named &f : kFormats) {
    CAPTURE(f.name);
    const double step = f.greatest - decode(f.format, f.format.max_code - 1);
    CHECK(encodes_to(f, f.greatest + step * 0.499, f.format.max_code));
    for (const double value :
         {f.greatest + step, f.greatest * 4, 1e300, std::numeric_limits<double>::infinity()})
      for (const double sign : {1.0, -1.0}) {
        const double got = decode(f.format, convert_one(DType::f64, f.dtype, sign * value));
        const bool all_finite = f.format.max_code == codes_of(f.format) / 2 - 1 && !f.format.unsigned_zero;
        CHECK((f.format.has_infinity ? got == sign * std::numeric_limits<double>::infinity()
               : all_finite          ? got == sign * f.greatest
                                     : std::isnan(got)));
      }
  }
}

TEST_CASE("NaN stays, where there is one, else it is the zero of the other sign") {
  for (const Named &f : kFormats) {
    CAPTURE(f.name);
    const bool all_finite = f.format.max_code == codes_of(f.format) / 2 - 1 && !f.format.unsigned_zero;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float value : {nan, -nan}) {
      const double got = decode(f.format, convert_one(DType::f32, f.dtype, value));
      CHECK((all_finite ? got == 0 && std::signbit(got) != std::signbit(value) : std::isnan(got)));
    }
  }
}

TEST_CASE("scales are powers of two") {
  const SmallFloat &f = small_float::f8e8m0fnu;
  for (uint32_t code = 0; code < 255; ++code) {
    CHECK(decode(f, code) == std::ldexp(1.0, static_cast<int>(code) - 127));
    CHECK(convert_one(DType::f64, DType::f8e8m0fnu, decode(f, code)) == code);
    CHECK(convert_one(DType::f64, DType::f8e8m0fnu, decode(f, code) * 1.49) == code);
    CHECK(convert_one(DType::f64, DType::f8e8m0fnu, decode(f, code) * 1.5) == code + code % 2);
    CHECK(convert_one(DType::f64, DType::f8e8m0fnu, decode(f, code) * 1.51) == code + 1);
  }
  CHECK(std::isnan(decode(f, 255)));
  for (const double value : {-1.0, 0.0, -0.0, std::numeric_limits<double>::quiet_NaN(), 0x1p128, 1e300})
    CHECK(convert_one(DType::f64, DType::f8e8m0fnu, value) == 255);
  CHECK(convert_one(DType::f32, DType::f8e8m0fnu, 0.0f) == 255);
  CHECK(convert_one(DType::f64, DType::f8e8m0fnu, 0x1p-300) == 0);
}

TEST_CASE("integers round once") {
  // 2^62 + 2^54 is halfway between two bf16 values; one more must go up, though a double on the way would
  // lose it.
  const int64_t value = (int64_t(1) << 62) + (int64_t(1) << 54) + 1;
  CHECK(bf16_to_float(static_cast<uint16_t>(convert_one(DType::s64, DType::bf16, value))) == 0x1.02p62f);
  CHECK(bf16_to_float(static_cast<uint16_t>(convert_one(DType::s64, DType::bf16, -value))) == -0x1.02p62f);
  CHECK(f16_to_float(static_cast<uint16_t>(convert_one(DType::s32, DType::f16, int32_t(2049)))) == 2048);
  CHECK(f16_to_float(static_cast<uint16_t>(convert_one(DType::s32, DType::f16, int32_t(2051)))) == 2052);
}

TEST_CASE("floats saturate to integers, integers wrap, anything but zero is true") {
  auto to = [](DType dtype, double value) {
    int64_t result = 0;
    const void *in = &value;
    convert_block(DType::f64, dtype)(&in, &result, 1);
    return result;
  };
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(static_cast<int8_t>(to(DType::s8, 300)) == 127);
  CHECK(static_cast<int8_t>(to(DType::s8, -300)) == -128);
  CHECK(static_cast<int8_t>(to(DType::s8, -1.9)) == -1);
  CHECK(static_cast<int8_t>(to(DType::s4, 9)) == 7);
  CHECK(static_cast<int8_t>(to(DType::s4, -9)) == -8);
  CHECK(to(DType::u2, 5.5) == 3);
  CHECK(to(DType::u8, -3) == 0);
  CHECK(to(DType::s64, inf) == INT64_MAX);
  CHECK(to(DType::s64, -inf) == INT64_MIN);
  CHECK(static_cast<uint64_t>(to(DType::u64, inf)) == UINT64_MAX);
  CHECK(to(DType::s32, std::nan("")) == 0);
  CHECK(to(DType::i1, 0.25) == 1);
  CHECK(to(DType::i1, -0.0) == 0);
  CHECK(convert_one(DType::s32, DType::u8, int32_t(-1)) == 255);
  CHECK(static_cast<int8_t>(convert_one(DType::s32, DType::s4, int32_t(9))) == -7);
  CHECK(convert_one(DType::s32, DType::u4, int32_t(-1)) == 15);
}

TEST_CASE("maximum and minimum know NaN and the sign of zero") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(scalar::Maximum::apply(nan, 1.0f)));
  CHECK(std::isnan(scalar::Maximum::apply(1.0f, nan)));
  CHECK(std::isnan(scalar::Minimum::apply(1.0f, nan)));
  CHECK(std::isnan(scalar::Minimum::apply(nan, 1.0f)));
  CHECK(!std::signbit(scalar::Maximum::apply(-0.0f, 0.0f)));
  CHECK(!std::signbit(scalar::Maximum::apply(0.0f, -0.0f)));
  CHECK(std::signbit(scalar::Minimum::apply(-0.0f, 0.0f)));
  CHECK(std::signbit(scalar::Minimum::apply(0.0f, -0.0f)));
}

} // namespace tw::test_element
