// SPDX-License-Identifier: Apache-2.0
// Elements one at a time, with their exact values.
#include "cli/element.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "cli/handles.hpp"

namespace tw::cli {

namespace {

// Floats narrower than f32.
bool is_small_float(tw_dtype_t dtype) {
  return (dtype >= TW_F16 && dtype <= TW_F8E3M4) || (dtype >= TW_F4E2M1FN && dtype <= TW_F8E8M0FNU);
}

double decode_small(tw_dtype_t dtype, const void *element) {
  double value = 0;
  check(tw_dtype_decode(dtype, element, &value, nullptr));
  return value;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T> T load(const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <class T> bool store(void *element, T value) {
  std::memcpy(element, &value, sizeof value);
  return true;
}

// Where a small float has exactly this value; NaN becomes the type's own.
bool store_small(tw_dtype_t dtype, double value, void *element) {
  uint16_t code = 0;
  const double wanted = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  check(tw_dtype_encode(dtype, wanted, 0, &code));
  if (!same(decode_small(dtype, &code), value))
    return false;
  std::memcpy(element, &code, tw_dtype_size(dtype));
  return true;
}

// Range of an integer type; booleans are 0 and 1.
struct IntegerRange {
  int64_t low;
  uint64_t high;
};

std::optional<IntegerRange> integer_range(tw_dtype_t dtype) {
  switch (dtype) {
  case TW_I1: return IntegerRange{0, 1};
  case TW_S2: return IntegerRange{-2, 1};
  case TW_S4: return IntegerRange{-8, 7};
  case TW_S8: return IntegerRange{INT8_MIN, INT8_MAX};
  case TW_S16: return IntegerRange{INT16_MIN, INT16_MAX};
  case TW_S32: return IntegerRange{INT32_MIN, INT32_MAX};
  case TW_S64: return IntegerRange{INT64_MIN, INT64_MAX};
  case TW_U2: return IntegerRange{0, 3};
  case TW_U4: return IntegerRange{0, 15};
  case TW_U8: return IntegerRange{0, UINT8_MAX};
  case TW_U16: return IntegerRange{0, UINT16_MAX};
  case TW_U32: return IntegerRange{0, UINT32_MAX};
  case TW_U64: return IntegerRange{0, UINT64_MAX};
  default: return std::nullopt;
  }
}

// A value as a real number, where a double holds it exactly.
std::optional<double> exact_real(const Value &value) {
  if (const auto *d = std::get_if<double>(&value))
    return *d;
  if (const auto *c = std::get_if<Complex>(&value))
    return c->im == 0 && !std::signbit(c->im) ? std::optional<double>(c->re) : std::nullopt;
  if (const auto *i = std::get_if<int64_t>(&value)) {
    const auto d = static_cast<double>(*i);
    return d < 0x1p63 && static_cast<int64_t>(d) == *i ? std::optional<double>(d) : std::nullopt;
  }
  const uint64_t u = std::get<uint64_t>(value);
  const auto d = static_cast<double>(u);
  return d < 0x1p64 && static_cast<uint64_t>(d) == u ? std::optional<double>(d) : std::nullopt;
}

// A value as an integer's bits, where it is one within the range.
std::optional<uint64_t> exact_integer(const Value &value, IntegerRange range) {
  if (const auto *i = std::get_if<int64_t>(&value)) {
    const bool fits = *i >= range.low && (*i < 0 || static_cast<uint64_t>(*i) <= range.high);
    return fits ? std::optional<uint64_t>(static_cast<uint64_t>(*i)) : std::nullopt;
  }
  if (const auto *u = std::get_if<uint64_t>(&value))
    return *u <= range.high ? std::optional<uint64_t>(*u) : std::nullopt;
  const auto real = exact_real(value);
  if (!real || *real != std::floor(*real) || (*real == 0 && std::signbit(*real)))
    return std::nullopt;
  if (*real < 0)
    return *real >= -0x1p63 ? exact_integer(Value(static_cast<int64_t>(*real)), range) : std::nullopt;
  return *real < 0x1p64 ? exact_integer(Value(static_cast<uint64_t>(*real)), range) : std::nullopt;
}

std::optional<float> exact_float(double value) {
  if (std::isnan(value))
    return std::numeric_limits<float>::quiet_NaN();
  if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max())
    return std::nullopt;
  const auto narrow = static_cast<float>(value);
  return same(narrow, value) ? std::optional<float>(narrow) : std::nullopt;
}

bool is_signed(tw_dtype_t dtype) { return dtype >= TW_S2 && dtype <= TW_S64; }

} // namespace

Value decode(tw_dtype_t dtype, const void *element) {
  if (is_small_float(dtype))
    return decode_small(dtype, element);
  switch (dtype) {
  case TW_F64: return load<double>(element);
  case TW_F32: return static_cast<double>(load<float>(element));
  case TW_C64: return Complex{load<float>(element), load<float>(static_cast<const float *>(element) + 1)};
  case TW_C128: return Complex{load<double>(element), load<double>(static_cast<const double *>(element) + 1)};
  default: break;
  }
  switch (tw_dtype_size(dtype)) {
  case 1: return is_signed(dtype) ? int64_t{load<int8_t>(element)} : int64_t{load<uint8_t>(element)};
  case 2: return is_signed(dtype) ? int64_t{load<int16_t>(element)} : int64_t{load<uint16_t>(element)};
  case 4: return is_signed(dtype) ? int64_t{load<int32_t>(element)} : int64_t{load<uint32_t>(element)};
  default: break;
  }
  if (is_signed(dtype))
    return load<int64_t>(element);
  return load<uint64_t>(element);
}

bool encode(tw_dtype_t dtype, const Value &value, void *element) {
  if (const auto range = integer_range(dtype)) {
    const auto bits = exact_integer(value, *range);
    if (!bits)
      return false;
    switch (tw_dtype_size(dtype)) {
    case 1: return store(element, static_cast<uint8_t>(*bits));
    case 2: return store(element, static_cast<uint16_t>(*bits));
    case 4: return store(element, static_cast<uint32_t>(*bits));
    default: return store(element, *bits);
    }
  }
  if (dtype == TW_C64 || dtype == TW_C128) {
    const auto *given = std::get_if<Complex>(&value);
    const auto real = given ? std::optional<double>(given->re) : exact_real(value);
    const double imaginary = given ? given->im : 0;
    if (!real)
      return false;
    if (dtype == TW_C128)
      return store(element, *real) && store(static_cast<double *>(element) + 1, imaginary);
    const auto re = exact_float(*real), im = exact_float(imaginary);
    return re && im && store(element, *re) && store(static_cast<float *>(element) + 1, *im);
  }
  const auto real = exact_real(value);
  if (!real)
    return false;
  if (dtype == TW_F64)
    return store(element, *real);
  if (dtype == TW_F32) {
    const auto narrow = exact_float(*real);
    return narrow && store(element, *narrow);
  }
  return is_small_float(dtype) && store_small(dtype, *real, element);
}

} // namespace tw::cli
