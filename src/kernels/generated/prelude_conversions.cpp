// SPDX-License-Identifier: Apache-2.0
// The part of the prelude that converts numbers between element types. A device has instructions for the
// narrow floats that are used most.
#include <string>

#include "kernels/generated/prelude.hpp"

namespace tw::kernels::generated {

namespace {

constexpr const char *kConvert = R"text(
// Cut towards zero; beyond the ends those, NaN gives 0.
template <class E, class F> TW_FN V<E> saturate(F x) {
  constexpr int kBits = E::bits - (E::is_signed ? 1 : 0);
  const F end = (F)(1ull << (kBits - 1)) * 2;
  if (x != x)
    return (V<E>)0;
  if (x >= end)
    return (V<E>)(~0ull >> (64 - kBits));
  if (E::is_signed ? x <= -end : x <= F(0))
    return E::is_signed ? (V<E>)(-(i64_t)(1ull << (kBits - 1)) * 2) : (V<E>)0;
  return (V<E>)x;
}
// An integer as a double that rounds to a narrower float as the integer itself would: the last of 53 bits
// tells of those that are lost.
template <class E> TW_FN double to_odd(V<E> v) {
  const bool negative = E::is_signed && v < (V<E>)0;
  const u64_t magnitude = negative ? 0ull - (u64_t)v : (u64_t)v;
  const int excess = 11 - __clzll((i64_t)magnitude);
  u64_t kept = magnitude;
  if (excess > 0) {
    kept = magnitude >> excess;
    kept = (kept | (kept << excess != magnitude ? 1 : 0)) << excess;
  }
  return negative ? -(double)kept : (double)kept;
}
// Of NaN a device's instructions make the NaN that its arithmetic gives. Those for pairs are the fast ones.
#if !defined(TW_SHIM) && __CUDA_ARCH__ >= 800
#define TW_NARROW(name, instruction)                                       \
  TW_FN u16_t name(float x) {                                              \
    u32_t pair;                                                            \
    asm(instruction " %0, %1, %2;" : "=r"(pair) : "f"(0.0f), "f"(x));      \
    return (u16_t)pair;                                                    \
  }
TW_NARROW(bf16_code, "cvt.rn.bf16x2.f32")
TW_NARROW(f16_code, "cvt.rn.f16x2.f32")
TW_FN float f16_number(u16_t code) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(code));
  return x;
}
#else
TW_FN u16_t bf16_code(float x) {
  const u32_t bits = bits_of(x);
  return (u16_t)(x != x ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
TW_FN u16_t f16_code(float x) { return encode<f16>(x); }
TW_FN float f16_number(u16_t code) { return decode<f16>(code); }
#endif
template <class E, class F> TW_FN V<E> narrow(F x) {
  if constexpr (Same<E, bf16>::value && sizeof(F) == 4)
    return bf16_code(x);
  else if constexpr (Same<E, f16>::value && sizeof(F) == 4)
    return f16_code(x);
  else
    return encode<E>(x);
}
template <class E> TW_FN float widened(V<E> code) {
  if constexpr (Same<E, bf16>::value)
    return float_of((u32_t)code << 16);
  else if constexpr (Same<E, f16>::value)
    return f16_number(code);
  else
    return decode<E>(code);
}
template <class E, class From> TW_FN V<E> convert(V<From> v) {
  if constexpr (From::kind == kNarrow && E::kind != kNarrow) {
    return convert<E, f32>(widened<From>(v));
  } else if constexpr (From::kind == kNarrow) {
    return narrow<E>(widened<From>(v));
  } else if constexpr (E::kind == kComplex) {
    if constexpr (From::kind == kComplex)
      return {(typename E::Part)v.re, (typename E::Part)v.im};
    else
      return {(typename E::Part)v, typename E::Part(0)};
  } else if constexpr (From::kind == kComplex) {
    return convert<E, FloatType<typename From::Part>>(v.re);
  } else if constexpr (E::kind == kBool) {
    return v != V<From>(0);
  } else if constexpr (E::kind == kInt && From::kind == kFloat) {
    return saturate<E>(v);
  } else if constexpr (E::kind == kInt) {
    return wrap<E>((u64_t)v);
  } else if constexpr (E::kind == kNarrow && From::kind == kInt) {
    return encode<E>(to_odd<From>(v));
  } else if constexpr (E::kind == kNarrow && From::kind == kBool) {
    return encode<E>(v ? 1.0 : 0.0);
  } else if constexpr (E::kind == kNarrow) {
    return narrow<E>(v);
  } else {
    return (V<E>)v;
  }
}
// A float's code as an unsigned integer, and back.
template <class E, class From> TW_FN V<E> recast(V<From> v) {
  if constexpr (From::kind == kFloat)
    return (V<E>)bits_of(v);
  else if constexpr (E::kind == kFloat && sizeof(V<E>) == 4)
    return float_of(v);
  else if constexpr (E::kind == kFloat)
    return double_of(v);
  else
    return (V<E>)v;
}
)text";

} // namespace

std::string prelude_conversions() { return kConvert; }

} // namespace tw::kernels::generated
