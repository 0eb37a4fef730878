// SPDX-License-Identifier: Apache-2.0
// The part of the prelude that says what elements are: their storage, and how narrow floats become numbers
// and back. Plain C++, so that bits are ours on every machine.
#include "kernels/generated/prelude.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/small_float.hpp"
#include "ops/element.hpp"

namespace tw::kernels::generated {

namespace {

// Names of C++ that a device compiler may lack the headers for.
constexpr const char *kTypes = R"text(
#ifndef TW_SHIM
#define TW_FN __device__ __forceinline__
#endif
namespace tw {
typedef signed char i8_t;
typedef unsigned char u8_t;
typedef short i16_t;
typedef unsigned short u16_t;
typedef int i32_t;
typedef unsigned int u32_t;
typedef long long i64_t;
typedef unsigned long long u64_t;

template <class T> struct alignas(2 * sizeof(T)) Complex { T re, im; };
template <class S, int N> struct alignas(sizeof(S) * N) Pack { S at[N]; };
template <int N> struct Words { u64_t word[N]; };
template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };

enum Kind { kBool, kInt, kFloat, kNarrow, kComplex };
struct i1 {
  typedef u8_t Storage;
  typedef bool Value;
  static constexpr Kind kind = kBool;
};
template <class S, int Bits, bool Signed> struct IntType {
  typedef S Storage;
  typedef S Value;
  static constexpr Kind kind = kInt;
  static constexpr int bits = Bits;
  static constexpr bool is_signed = Signed;
};
template <class S> struct FloatType {
  typedef S Storage;
  typedef S Value;
  static constexpr Kind kind = kFloat;
};
// Of a narrow float the value is the code. A scale is a power of two without sign.
template <class S, int ExponentBits, int MantissaBits, int Bias, bool Infinity, bool UnsignedZero, u32_t MaxCode,
          bool Scale>
struct NarrowType {
  typedef S Storage;
  typedef S Value;
  static constexpr Kind kind = kNarrow;
  static constexpr int exponent_bits = ExponentBits, mantissa_bits = MantissaBits, bias = Bias;
  static constexpr bool has_infinity = Infinity, unsigned_zero = UnsignedZero, is_scale = Scale;
  static constexpr u32_t max_code = MaxCode;
};
template <class T> struct ComplexType {
  typedef Complex<T> Storage;
  typedef Complex<T> Value;
  typedef T Part;
  static constexpr Kind kind = kComplex;
};
template <class E> using V = typename E::Value;
typedef FloatType<float> f32;
typedef FloatType<double> f64;
typedef ComplexType<float> c64;
typedef ComplexType<double> c128;
)text";

constexpr const char *kConversions = R"text(
TW_FN u32_t bits_of(float x) { return __float_as_uint(x); }
TW_FN u64_t bits_of(double x) { return (u64_t)__double_as_longlong(x); }
TW_FN float float_of(u32_t bits) { return __uint_as_float(bits); }
TW_FN double double_of(u64_t bits) { return __longlong_as_double((i64_t)bits); }
template <class T> TW_FN T infinity() {
  if constexpr (sizeof(T) == 4)
    return float_of(0x7f800000u);
  else
    return double_of(0x7ff0000000000000ull);
}
template <class T> TW_FN T not_a_number() {
  if constexpr (sizeof(T) == 4)
    return float_of(0x7fc00000u);
  else
    return double_of(0x7ff8000000000000ull);
}

// Loads and stores of one element.
template <class E> TW_FN V<E> load(const void *data, i64_t i) {
  const typename E::Storage s = static_cast<const typename E::Storage *>(data)[i];
  if constexpr (E::kind == kBool)
    return s != 0;
  else
    return s;
}
template <class E> TW_FN V<E> value(typename E::Storage s) { return (V<E>)(E::kind == kBool ? load<E>(&s, 0) : s); }
template <class E> TW_FN void store(void *data, i64_t i, V<E> v) {
  static_cast<typename E::Storage *>(data)[i] = (typename E::Storage)v;
}
// The elements of a thread, at once where they begin at a multiple of their bytes.
template <class S, int N> TW_FN Pack<S, N> load_pack(const S *from) {
  if ((u64_t)from % sizeof(Pack<S, N>) == 0)
    return *(const Pack<S, N> *)from;
  Pack<S, N> pack;
  for (int j = 0; j < N; ++j)
    pack.at[j] = from[j];
  return pack;
}
template <class S, int N> TW_FN void store_pack(S *to, const Pack<S, N> &pack) {
  if ((u64_t)to % sizeof(Pack<S, N>) == 0)
    *(Pack<S, N> *)to = pack;
  else
    for (int j = 0; j < N; ++j)
      to[j] = pack.at[j];
}

template <class E> TW_FN float decode_scale(V<E> code) {
  return code > E::max_code ? not_a_number<float>() : code == 0 ? float_of(0x00400000u) : float_of((u32_t)code << 23);
}

// The least number of a format: 2 to the power of 1 - bias - mantissa bits, which may be less than any normal
// float.
template <class E> TW_FN float least_number() {
  constexpr int kExponent = 128 - E::bias - E::mantissa_bits;
  if constexpr (kExponent > 0)
    return float_of((u32_t)kExponent << 23);
  else
    return float_of(1u << (22 + kExponent));
}

template <class E> TW_FN float decode(V<E> code) {
  if constexpr (E::is_scale) {
    return decode_scale<E>(code);
  } else {
    constexpr int kMantissa = E::mantissa_bits;
    constexpr u32_t kSign = 1u << (E::exponent_bits + kMantissa);
    const u32_t magnitude = code & (kSign - 1), sign = (code & kSign) != 0 ? 0x80000000u : 0u;
    if (E::unsigned_zero && sign != 0 && magnitude == 0)
      return not_a_number<float>();
    if (magnitude > E::max_code)
      return float_of(sign | (E::has_infinity && (magnitude & ((1u << kMantissa) - 1)) == 0
                                  ? 0x7f800000u
                                  : 0x7fc00000u | magnitude << (23 - kMantissa)));
    if (magnitude >> kMantissa != 0)
      return float_of(sign | ((magnitude << (23 - kMantissa)) + ((u32_t)(127 - E::bias) << 23)));
    return float_of(sign | bits_of((float)magnitude * least_number<E>()));
  }
}

template <class E> TW_FN V<E> encode_scale(double x) {
  const u64_t bits = bits_of(x), fraction = bits & 0xfffffffffffffull, half = 1ull << 51;
  const int below = (int)(bits >> 52 & 0x7ff) - 1023 + E::bias;
  if (!(x > 0 && x < infinity<double>()))
    return (V<E>)(E::max_code + 1);
  const int code = below + (fraction > half || (fraction == half && (below & 1) != 0) ? 1 : 0);
  return (V<E>)(code < 0 ? 0 : code > (int)E::max_code ? (int)E::max_code + 1 : code);
}

// Without sign: in units of the last place that a number of this size has, ties to even. A carry runs into
// the exponent.
template <class E> TW_FN u32_t nearest_code(u64_t bits) {
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023, biased = exponent + E::bias;
  if (exponent == 1024 || biased >= 1 << E::exponent_bits)
    return E::max_code + 1;
  const int binade = biased < 1 ? 1 : biased, drop = 52 - E::mantissa_bits + binade - biased;
  if (drop > 53 || exponent == -1023)
    return 0;
  const u64_t mantissa = (bits & 0xfffffffffffffull) | 1ull << 52;
  const u64_t lost = mantissa & ((1ull << drop) - 1), half = 1ull << (drop - 1), kept = mantissa >> drop;
  return (u32_t)(kept + (lost > half || (lost == half && (kept & 1) != 0) ? 1 : 0)) +
         ((u32_t)(binade - 1) << E::mantissa_bits);
}
// The same of a float. What is less than any normal number is added to a float whose last place is the least
// number, which rounds it.
template <class E> TW_FN u32_t nearest_code(u32_t bits) {
  constexpr int kDrop = 23 - E::mantissa_bits;
  constexpr u32_t kBias = (u32_t)(127 - E::bias) << 23;
  constexpr u32_t kLarge = (u32_t)(151 - E::bias - E::mantissa_bits) << 23;
  const u32_t magnitude = bits & 0x7fffffffu;
  if (magnitude < kBias + (1u << 23))
    return bits_of(float_of(magnitude) + float_of(kLarge)) - kLarge;
  return (magnitude - kBias + (1u << (kDrop - 1)) - 1 + (magnitude >> kDrop & 1)) >> kDrop;
}

// The nearest code; what is too large gives infinity, or NaN where there is none.
template <class E, class F> TW_FN V<E> encode(F x) {
  if constexpr (E::is_scale) {
    return encode_scale<E>((double)x);
  } else {
    constexpr u32_t kSign = 1u << (E::exponent_bits + E::mantissa_bits);
    constexpr u32_t kTop = ((1u << E::exponent_bits) - 1) << E::mantissa_bits;
    const auto bits = bits_of(x);
    const u32_t sign = bits >> (8 * sizeof(F) - 1) != 0 ? kSign : 0u;
    const u32_t nan = E::unsigned_zero  ? kSign
                      : E::has_infinity ? sign | kTop | 1u << (E::mantissa_bits - 1)
                                        : sign | (kSign - 1);
    if (x != x) // where every code is a number it is the zero of the other sign
      return (V<E>)(E::max_code == kSign - 1 && !E::unsigned_zero ? sign ^ kSign : nan);
    const u32_t code = nearest_code<E>(bits);
    if (code > E::max_code)
      return (V<E>)(E::has_infinity ? sign | kTop : nan);
    return (V<E>)(code == 0 && E::unsigned_zero ? 0u : sign | code);
  }
}
)text";

// "typedef NarrowType<...> f8e5m2;" and the like, from the formats that the host uses.
std::string named_types() {
  std::string text;
  for (int t = 0; t < static_cast<int>(graph::DType::count_); ++t)
    ops::visit_dtype(static_cast<graph::DType>(t), [&]<class E>(E) {
      const int bytes = static_cast<int>(sizeof(typename E::Storage));
      if constexpr (requires { E::format; }) {
        const SmallFloat &f = E::format;
        text += fmt::format("typedef NarrowType<u{}_t, {}, {}, {}, {}, {}, {}u, {}> {};\n", 8 * bytes,
                            f.exponent_bits, f.mantissa_bits, f.bias, f.has_infinity, f.unsigned_zero,
                            f.max_code, f.is_scale, type_name(E::dtype));
      } else if constexpr (ops::kInts.has(E::dtype)) {
        const bool is_signed = ops::kSignedInts.has(E::dtype);
        text += fmt::format("typedef IntType<{}{}_t, {}, {}> {};\n", is_signed ? "i" : "u", 8 * bytes,
                            E::bits, is_signed, type_name(E::dtype));
      }
    });
  return text;
}

} // namespace

std::string type_name(graph::DType dtype) {
  if (graph::is_complex(dtype))
    return dtype == graph::DType::c64 ? "c64" : "c128";
  if (graph::is_int(dtype)) // in MLIR i8 is signed, here the sign is said always
    return fmt::format("{}{}", graph::is_signed_int(dtype) ? 's' : 'u',
                       ops::visit_dtype(dtype, []<class E>(E) { return E::bits; }));
  std::string text(graph::name(dtype));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string prelude() {
  return fmt::format("{}{}{}{}", kTypes, named_types(), kConversions, prelude_arithmetic());
}

} // namespace tw::kernels::generated
