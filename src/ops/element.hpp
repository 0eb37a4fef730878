// SPDX-License-Identifier: Apache-2.0
// Elements in memory and as values: for each element type how it is stored, in which C++ type it is computed,
// and how the two convert. Code that works on any element type is written once against Element<T> and chosen
// by visit_dtype.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/small_float.hpp"
#include "graph/types.hpp"

namespace tw::ops {

using graph::DType;

// A set of element types. All of it is public, so that it may be a template argument.
struct TypeSet {
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<DType> types) {
    for (DType t : types)
      bits |= bit(t);
  }
  constexpr bool has(DType t) const { return (bits & bit(t)) != 0; }
  constexpr TypeSet operator|(TypeSet o) const {
    TypeSet both;
    both.bits = bits | o.bits;
    return both;
  }
  static constexpr uint32_t bit(DType t) { return 1u << static_cast<unsigned>(t); }

  uint32_t bits = 0;
};

inline constexpr TypeSet kFloats = {
    DType::f64,    DType::f32,        DType::f16,        DType::bf16,          DType::f8e4m3fn,
    DType::f8e5m2, DType::f8e4m3fnuz, DType::f8e5m2fnuz, DType::f8e4m3b11fnuz, DType::f8e4m3,
    DType::f8e3m4, DType::f4e2m1fn,   DType::f6e2m3fn,   DType::f6e3m2fn,      DType::f8e8m0fnu};
inline constexpr TypeSet kSignedInts = {DType::s2, DType::s4, DType::s8, DType::s16, DType::s32, DType::s64};
inline constexpr TypeSet kUnsignedInts = {DType::u2,  DType::u4,  DType::u8,
                                          DType::u16, DType::u32, DType::u64};
inline constexpr TypeSet kInts = kSignedInts | kUnsignedInts;
inline constexpr TypeSet kBool = {DType::i1};
inline constexpr TypeSet kComplex = {DType::c64, DType::c128};
inline constexpr TypeSet kNumbers = kFloats | kInts | kComplex;
inline constexpr TypeSet kAll = kNumbers | kBool;

// decode for each of the 256 values of a byte that holds a code.
const float *decode_table(DType dtype);

inline float bf16_to_float(uint16_t code) { return std::bit_cast<float>(static_cast<uint32_t>(code) << 16); }

inline uint16_t float_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t quiet_nan = (bits >> 16) | 0x40u;
  return static_cast<uint16_t>(value != value ? quiet_nan : rounded);
}

inline float f16_to_float(uint16_t code) {
  const uint32_t sign = static_cast<uint32_t>(code & 0x8000u) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(code & 0x7fffu) << 13;
  // Multiplying by 2^112 re-biases the exponent and makes subnormals normal; infinity and NaN need the top
  // exponent set.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const uint32_t special = magnitude >= (0x7c00u << 13) ? 0x7f800000u : 0u;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | special | sign);
}

inline uint16_t float_to_f16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Subnormal results: adding 0.5 lets the adder round at bit 2^-24.
  const uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const uint32_t finite = magnitude < 0x38800000u ? small : normal;
  const uint32_t overflow = magnitude >= 0x477ff000u ? 0x7c00u : finite;
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  return static_cast<uint16_t>(sign | (magnitude > 0x7f800000u ? nan : overflow));
}

// Element<T>: Storage is what lies in memory, Value what is computed with.
template <DType T> struct Element;

template <DType T, class S> struct NativeElement {
  static constexpr DType dtype = T;
  static constexpr int bits = static_cast<int>(sizeof(S) * 8);
  using Storage = S;
  using Value = S;
  static Value load(Storage s) { return s; }
  static Storage store(Value v) { return v; }
};

template <DType T, class S, int Bits> struct SubByteElement {
  static constexpr DType dtype = T;
  static constexpr int bits = Bits;
  using Storage = S;
  using Value = S;
  static Value load(Storage s) { return s; }
  static Storage store(Value v) { // keeps the low bits, sign-extended where signed
    return static_cast<S>(static_cast<S>(static_cast<uint8_t>(v) << (8 - Bits)) >> (8 - Bits));
  }
};

template <DType T, const SmallFloat &Format> struct Float8Element {
  static constexpr DType dtype = T;
  static constexpr int bits = Format.bits();
  static constexpr const SmallFloat &format = Format;
  using Storage = uint8_t;
  using Value = float;
  static Value load(Storage s) { return decode_table(T)[s]; }
  static Storage store(Value v) { return static_cast<uint8_t>(encode(Format, static_cast<double>(v))); }
};

template <> struct Element<DType::f64> : NativeElement<DType::f64, double> {};
template <> struct Element<DType::f32> : NativeElement<DType::f32, float> {};
template <> struct Element<DType::f16> {
  static constexpr DType dtype = DType::f16;
  static constexpr int bits = 16;
  static constexpr const SmallFloat &format = small_float::f16;
  using Storage = uint16_t;
  using Value = float;
  static Value load(Storage s) { return f16_to_float(s); }
  static Storage store(Value v) { return float_to_f16(v); }
};
template <> struct Element<DType::bf16> {
  static constexpr DType dtype = DType::bf16;
  static constexpr int bits = 16;
  static constexpr const SmallFloat &format = small_float::bf16;
  using Storage = uint16_t;
  using Value = float;
  static Value load(Storage s) { return bf16_to_float(s); }
  static Storage store(Value v) { return float_to_bf16(v); }
};
template <> struct Element<DType::f8e4m3fn> : Float8Element<DType::f8e4m3fn, small_float::f8e4m3fn> {};
template <> struct Element<DType::f8e5m2> : Float8Element<DType::f8e5m2, small_float::f8e5m2> {};
template <> struct Element<DType::f8e4m3fnuz> : Float8Element<DType::f8e4m3fnuz, small_float::f8e4m3fnuz> {};
template <> struct Element<DType::f8e5m2fnuz> : Float8Element<DType::f8e5m2fnuz, small_float::f8e5m2fnuz> {};
template <>
struct Element<DType::f8e4m3b11fnuz> : Float8Element<DType::f8e4m3b11fnuz, small_float::f8e4m3b11fnuz> {};
template <> struct Element<DType::f8e4m3> : Float8Element<DType::f8e4m3, small_float::f8e4m3> {};
template <> struct Element<DType::f8e3m4> : Float8Element<DType::f8e3m4, small_float::f8e3m4> {};
template <> struct Element<DType::f4e2m1fn> : Float8Element<DType::f4e2m1fn, small_float::f4e2m1fn> {};
template <> struct Element<DType::f6e2m3fn> : Float8Element<DType::f6e2m3fn, small_float::f6e2m3fn> {};
template <> struct Element<DType::f6e3m2fn> : Float8Element<DType::f6e3m2fn, small_float::f6e3m2fn> {};
template <> struct Element<DType::f8e8m0fnu> : Float8Element<DType::f8e8m0fnu, small_float::f8e8m0fnu> {};
template <> struct Element<DType::i1> {
  static constexpr DType dtype = DType::i1;
  static constexpr int bits = 1;
  using Storage = uint8_t;
  using Value = bool;
  static Value load(Storage s) { return s != 0; }
  static Storage store(Value v) { return v ? 1 : 0; }
};
template <> struct Element<DType::s2> : SubByteElement<DType::s2, int8_t, 2> {};
template <> struct Element<DType::s4> : SubByteElement<DType::s4, int8_t, 4> {};
template <> struct Element<DType::s8> : NativeElement<DType::s8, int8_t> {};
template <> struct Element<DType::s16> : NativeElement<DType::s16, int16_t> {};
template <> struct Element<DType::s32> : NativeElement<DType::s32, int32_t> {};
template <> struct Element<DType::s64> : NativeElement<DType::s64, int64_t> {};
template <> struct Element<DType::u2> : SubByteElement<DType::u2, uint8_t, 2> {};
template <> struct Element<DType::u4> : SubByteElement<DType::u4, uint8_t, 4> {};
template <> struct Element<DType::u8> : NativeElement<DType::u8, uint8_t> {};
template <> struct Element<DType::u16> : NativeElement<DType::u16, uint16_t> {};
template <> struct Element<DType::u32> : NativeElement<DType::u32, uint32_t> {};
template <> struct Element<DType::u64> : NativeElement<DType::u64, uint64_t> {};
template <> struct Element<DType::c64> : NativeElement<DType::c64, std::complex<float>> {};
template <> struct Element<DType::c128> : NativeElement<DType::c128, std::complex<double>> {};

template <class V> inline constexpr bool is_complex_value = false;
template <class V> inline constexpr bool is_complex_value<std::complex<V>> = true;
// Integers proper: i1's Value is bool, which is none of them.
template <class V> inline constexpr bool is_int_value = std::is_integral_v<V> && !std::is_same_v<V, bool>;

// Calls visitor(Element<T>{}) for the element type T; every branch must return the same type. Types without
// elements (token, invalid) give a default-made answer.
template <class Visitor>
auto visit_dtype(DType dtype, Visitor &&visitor) -> decltype(visitor(Element<DType::f32>{})) {
  switch (dtype) {
  case DType::f64: return visitor(Element<DType::f64>{});
  case DType::f32: return visitor(Element<DType::f32>{});
  case DType::f16: return visitor(Element<DType::f16>{});
  case DType::bf16: return visitor(Element<DType::bf16>{});
  case DType::f8e4m3fn: return visitor(Element<DType::f8e4m3fn>{});
  case DType::f8e5m2: return visitor(Element<DType::f8e5m2>{});
  case DType::f8e4m3fnuz: return visitor(Element<DType::f8e4m3fnuz>{});
  case DType::f8e5m2fnuz: return visitor(Element<DType::f8e5m2fnuz>{});
  case DType::f8e4m3b11fnuz: return visitor(Element<DType::f8e4m3b11fnuz>{});
  case DType::f8e4m3: return visitor(Element<DType::f8e4m3>{});
  case DType::f8e3m4: return visitor(Element<DType::f8e3m4>{});
  case DType::f4e2m1fn: return visitor(Element<DType::f4e2m1fn>{});
  case DType::f6e2m3fn: return visitor(Element<DType::f6e2m3fn>{});
  case DType::f6e3m2fn: return visitor(Element<DType::f6e3m2fn>{});
  case DType::f8e8m0fnu: return visitor(Element<DType::f8e8m0fnu>{});
  case DType::i1: return visitor(Element<DType::i1>{});
  case DType::s2: return visitor(Element<DType::s2>{});
  case DType::s4: return visitor(Element<DType::s4>{});
  case DType::s8: return visitor(Element<DType::s8>{});
  case DType::s16: return visitor(Element<DType::s16>{});
  case DType::s32: return visitor(Element<DType::s32>{});
  case DType::s64: return visitor(Element<DType::s64>{});
  case DType::u2: return visitor(Element<DType::u2>{});
  case DType::u4: return visitor(Element<DType::u4>{});
  case DType::u8: return visitor(Element<DType::u8>{});
  case DType::u16: return visitor(Element<DType::u16>{});
  case DType::u32: return visitor(Element<DType::u32>{});
  case DType::u64: return visitor(Element<DType::u64>{});
  case DType::c64: return visitor(Element<DType::c64>{});
  case DType::c128: return visitor(Element<DType::c128>{});
  case DType::invalid:
  case DType::token:
  case DType::count_: break;
  }
  using Answer = decltype(visitor(Element<DType::f32>{}));
  if constexpr (!std::is_void_v<Answer>)
    return Answer();
}

// Arithmetic on integers wraps at the type's width; these widen far enough that C++ has no undefined case.
template <class V> using Wide = std::conditional_t<(sizeof(V) < 8), uint32_t, uint64_t>;
template <class V> Wide<V> widen(V v) { return static_cast<Wide<V>>(v); }

// A float towards an integer: NaN gives 0, values outside the range its nearest end, fractions are cut off.
template <class E, class F> typename E::Value saturate(F value) {
  using V = typename E::Value;
  constexpr bool is_signed = std::is_signed_v<V>;
  constexpr int value_bits = E::bits - (is_signed ? 1 : 0);
  const F end = std::ldexp(F(1), value_bits); // first value too large; exact
  if (value != value)
    return V(0);
  if (value >= end)
    return static_cast<V>(static_cast<Wide<V>>(~Wide<V>(0)) >> (sizeof(Wide<V>) * 8 - value_bits));
  if constexpr (is_signed) {
    if (value <= -end)
      return static_cast<V>(-static_cast<int64_t>(uint64_t(1) << (value_bits - 1)) * 2);
  } else if (value <= F(0)) {
    return V(0);
  }
  return static_cast<V>(value);
}

// The bits of an element that count: 4 of s4, though it is stored in a byte.
int element_bits(DType dtype);

// Whether elements of one type, recast to another, are the same bytes: not where one of them leaves bits of
// its bytes unused.
bool has_same_bytes(DType from, DType to);

// One stored element of a value, rounded to the type.
std::vector<std::byte> element_bytes(DType dtype, double value);

} // namespace tw::ops
