// SPDX-License-Identifier: Apache-2.0
// Elements one at a time, with their exact values.
#include "cli/element.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace tw::cli {

namespace {

// A binary float of at most 16 bits.
struct SmallFloat {
  int exponent_bits, mantissa_bits, bias;
  // Which codes are special: `ieee` has infinities and NaNs where the exponent is all ones, `fn` a NaN where
  // all bits below the sign are ones, `fnuz` the one NaN that would be -0, `finite` none, `scale` the one NaN beside powers of two.
  enum { ieee, fn, fnuz, finite, scale } specials;

  int sign_shift() const { return exponent_bits + mantissa_bits; }
  uint32_t magnitude_mask() const { return (1U << sign_shift()) - 1; }
  uint32_t infinity() const { return ((1U << exponent_bits) - 1) << mantissa_bits; }
  uint32_t nan() const {
    switch (specials) {
    case ieee: return infinity() | 1U << (mantissa_bits - 1);
    case fn:
    case scale: return magnitude_mask();
    default: return 1U << sign_shift();
    }
  }
};

// NaN codes of fnuz and fn, infinities: by the definitions in StableHLO's type list.
std::optional<SmallFloat> small_float(tw_dtype_t dtype) {
  switch (dtype) {
  case TW_F16: return SmallFloat{5, 10, 15, SmallFloat::ieee};
  case TW_BF16: return SmallFloat{8, 7, 127, SmallFloat::ieee};
  case TW_F8E5M2: return SmallFloat{5, 2, 15, SmallFloat::ieee};
  case TW_F8E4M3: return SmallFloat{4, 3, 7, SmallFloat::ieee};
  case TW_F8E3M4: return SmallFloat{3, 4, 3, SmallFloat::ieee};
  case TW_F8E4M3FN: return SmallFloat{4, 3, 7, SmallFloat::fn};
  case TW_F8E5M2FNUZ: return SmallFloat{5, 2, 16, SmallFloat::fnuz};
  case TW_F8E4M3FNUZ: return SmallFloat{4, 3, 8, SmallFloat::fnuz};
  case TW_F8E4M3B11FNUZ: return SmallFloat{4, 3, 11, SmallFloat::fnuz};
  case TW_F4E2M1FN: return SmallFloat{2, 1, 1, SmallFloat::finite};
  case TW_F6E2M3FN: return SmallFloat{2, 3, 1, SmallFloat::finite};
  case TW_F6E3M2FN: return SmallFloat{3, 2, 3, SmallFloat::finite};
  case TW_F8E8M0FNU: return SmallFloat{8, 0, 127, SmallFloat::scale};
  default: return std::nullopt;
  }
}

double decode_small(const SmallFloat &f, uint32_t code) {
  const uint32_t magnitude = code & f.magnitude_mask();
  const bool negative = (code >> f.sign_shift() & 1) != 0;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (f.specials == SmallFloat::fnuz && code == f.nan())
    return nan;
  if ((f.specials == SmallFloat::fn || f.specials == SmallFloat::scale) && magnitude == f.nan())
    return nan;
  if (f.specials == SmallFloat::scale)
    return std::ldexp(1, static_cast<int>(magnitude) - f.bias);
  if (f.specials == SmallFloat::ieee && magnitude >= f.infinity()) {
    if (magnitude > f.infinity())
      return nan;
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const auto mantissa = static_cast<int>(magnitude & ((1U << f.mantissa_bits) - 1));
  const double value =
      exponent == 0 ? std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits)
                    : std::ldexp(mantissa + (1 << f.mantissa_bits), exponent - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// The code of a value, by construction and by decoding it again.
std::optional<uint32_t> encode_small(const SmallFloat &f, double value) {
  if (std::isnan(value))
    return f.specials == SmallFloat::finite ? std::nullopt : std::optional<uint32_t>(f.nan());
  if (f.specials == SmallFloat::scale) {
    const double exponent = value > 0 ? std::log2(value) + f.bias : -1;
    return exponent >= 0 && exponent < f.nan() && exponent == std::floor(exponent)
               ? std::optional<uint32_t>(static_cast<uint32_t>(exponent))
               : std::nullopt;
  }
  uint32_t code = std::signbit(value) ? 1U << f.sign_shift() : 0;
  if (std::isinf(value)) {
    code |= f.infinity();
  } else if (value != 0) {
    int exponent = 0;
    std::frexp(value, &exponent); // |value| in [0.5, 1) times 2^exponent
    const int biased = std::max(exponent - 1 + f.bias, 0);
    const double scaled = std::ldexp(std::fabs(value), f.bias + f.mantissa_bits - std::max(biased, 1));
    if (biased >= 1 << f.exponent_bits || scaled != std::floor(scaled))
      return std::nullopt;
    const auto digits = static_cast<uint32_t>(scaled); // with the leading one of a normal number
    code |= biased == 0
                ? digits
                : (static_cast<uint32_t>(biased) << f.mantissa_bits) + digits - (1U << f.mantissa_bits);
  }
  return same(decode_small(f, code), value) ? std::optional<uint32_t>(code) : std::nullopt;
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
  if (const auto f = small_float(dtype))
    return decode_small(*f, tw_dtype_size(dtype) == 1 ? load<uint8_t>(element) : load<uint16_t>(element));
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
  const auto f = small_float(dtype);
  const auto code = f ? encode_small(*f, *real) : std::nullopt;
  if (!code)
    return false;
  return tw_dtype_size(dtype) == 1 ? store(element, static_cast<uint8_t>(*code))
                                   : store(element, static_cast<uint16_t>(*code));
}

} // namespace tw::cli
