// SPDX-License-Identifier: Apache-2.0
// The part of the prelude that computes: every scalar operation of ops/scalar_op_list.inc, for every element
// type, by the operation's name.
#include "kernels/generated/prelude.hpp"

#include <fmt/format.h>

namespace tw::kernels::generated {

namespace {

constexpr const char *kIntegers = R"text(
// The low bits, as the type holds them.
template <class E> TW_FN V<E> wrap(u64_t x) {
  constexpr int kHigh = 64 - E::bits;
  return E::is_signed ? (V<E>)((i64_t)(x << kHigh) >> kHigh) : (V<E>)(x << kHigh >> kHigh);
}
template <class E> TW_FN u64_t low_bits(V<E> v) { return (u64_t)v & (~0ull >> (64 - E::bits)); }

template <class E> TW_FN V<E> whole_quotient(V<E> a, V<E> b) {
  if (b == 0)
    return wrap<E>(~0ull);
  if (E::is_signed && b == (V<E>)-1)
    return wrap<E>(0ull - (u64_t)a);
  return wrap<E>((u64_t)(a / b));
}
template <class E> TW_FN V<E> whole_remainder(V<E> a, V<E> b) {
  return b == 0 ? a : E::is_signed && b == (V<E>)-1 ? (V<E>)0 : (V<E>)(a % b);
}
template <class E> TW_FN V<E> power(V<E> base, V<E> exponent) {
  if (E::is_signed && exponent < (V<E>)0)
    return base == (V<E>)1 ? (V<E>)1 : base == (V<E>)-1 ? (V<E>)((exponent & 1) == 0 ? 1 : -1) : (V<E>)0;
  u64_t result = 1, square = (u64_t)base;
  for (u64_t left = (u64_t)exponent; left != 0; left >>= 1, square *= square)
    if (left & 1)
      result *= square;
  return wrap<E>(result);
}
template <class E> TW_FN V<E> shift_left(V<E> x, V<E> by) {
  const u64_t n = low_bits<E>(by);
  return n >= (u64_t)E::bits ? (V<E>)0 : wrap<E>(low_bits<E>(x) << n);
}
template <class E> TW_FN V<E> shift_right_logical(V<E> x, V<E> by) {
  const u64_t n = low_bits<E>(by);
  return n >= (u64_t)E::bits ? (V<E>)0 : wrap<E>(low_bits<E>(x) >> n);
}
template <class E> TW_FN V<E> shift_right_arithmetic(V<E> x, V<E> by) {
  const u64_t n = low_bits<E>(by), most = E::bits - 1;
  return wrap<E>((u64_t)((i64_t)(low_bits<E>(x) << (64 - E::bits)) >> (64 - E::bits) >> (n < most ? n : most)));
}
template <class E> TW_FN V<E> population_count(V<E> x) { return wrap<E>((u64_t)__popcll(low_bits<E>(x))); }
template <class E> TW_FN V<E> leading_zeros(V<E> x) {
  return wrap<E>((u64_t)(__clzll((i64_t)low_bits<E>(x)) - (64 - E::bits)));
}
template <class E> TW_FN V<E> bit_and(V<E> a, V<E> b) { return (V<E>)(a & b); }
template <class E> TW_FN V<E> bit_or(V<E> a, V<E> b) { return (V<E>)(a | b); }
template <class E> TW_FN V<E> bit_xor(V<E> a, V<E> b) { return (V<E>)(a ^ b); }
template <class E> TW_FN V<E> bit_not(V<E> a) {
  if constexpr (E::kind == kBool)
    return !a;
  else
    return wrap<E>(~(u64_t)a);
}
)text";

constexpr const char *kComplex = R"text(
template <class T> TW_FN bool is_infinite(T x) { return x == infinity<T>() || x == -infinity<T>(); }
TW_FN float sign_of(float magnitude, float sign) {
  return float_of((bits_of(magnitude) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}
TW_FN double sign_of(double magnitude, double sign) {
  return double_of((bits_of(magnitude) & ~(1ull << 63)) | (bits_of(sign) & 1ull << 63));
}
// An infinite number as a corner of the unit square, beside which NaN counts as 0.
template <class T> TW_FN Complex<T> corner(Complex<T> x) {
  return {sign_of(is_infinite(x.re) ? T(1) : T(0), x.re), sign_of(is_infinite(x.im) ? T(1) : T(0), x.im)};
}
template <class T> TW_FN Complex<T> without_nan(Complex<T> x) {
  return {x.re != x.re ? sign_of(T(0), x.re) : x.re, x.im != x.im ? sign_of(T(0), x.im) : x.im};
}
// As in C, annex G: a product that would be NaN in both parts is infinite where an operand or a partial
// product is.
template <class T> TW_FN Complex<T> product(Complex<T> p, Complex<T> q) {
  const T ac = p.re * q.re, bd = p.im * q.im, ad = p.re * q.im, bc = p.im * q.re;
  const Complex<T> plain = {ac - bd, ad + bc};
  if (plain.re == plain.re || plain.im == plain.im)
    return plain;
  const bool left = is_infinite(p.re) || is_infinite(p.im), right = is_infinite(q.re) || is_infinite(q.im);
  if (left) {
    p = corner(p);
    q = without_nan(q);
  }
  if (right) {
    q = corner(q);
    p = without_nan(p);
  }
  if (!left && !right) {
    if (!is_infinite(ac) && !is_infinite(bd) && !is_infinite(ad) && !is_infinite(bc))
      return plain;
    p = without_nan(p);
    q = without_nan(q);
  }
  return {infinity<T>() * (p.re * q.re - p.im * q.im), infinity<T>() * (p.re * q.im + p.im * q.re)};
}
)text";

constexpr const char *kArithmetic = R"text(
TW_FN float remainder_of(float a, float b) { return fmodf(a, b); }
TW_FN double remainder_of(double a, double b) { return fmod(a, b); }

template <class E> TW_FN V<E> add(V<E> a, V<E> b) {
  if constexpr (E::kind == kBool)
    return a || b;
  else if constexpr (E::kind == kInt)
    return wrap<E>((u64_t)a + (u64_t)b);
  else if constexpr (E::kind == kComplex)
    return {a.re + b.re, a.im + b.im};
  else
    return a + b;
}
template <class E> TW_FN V<E> subtract(V<E> a, V<E> b) {
  if constexpr (E::kind == kInt)
    return wrap<E>((u64_t)a - (u64_t)b);
  else if constexpr (E::kind == kComplex)
    return {a.re - b.re, a.im - b.im};
  else
    return a - b;
}
template <class E> TW_FN V<E> multiply(V<E> a, V<E> b) {
  if constexpr (E::kind == kBool)
    return a && b;
  else if constexpr (E::kind == kInt)
    return wrap<E>((u64_t)a * (u64_t)b);
  else if constexpr (E::kind == kComplex)
    return product(a, b);
  else
    return a * b;
}
// A device divides normal numbers with few instructions, and others with some hundred. Zero, which masks and
// exponentials make, is not normal.
TW_FN float quotient_of(float a, float b) {
  const bool zero = a == 0 && (bits_of(b) & 0x7fffffffu) - 0x00800000u < 0x7f000000u;
  const float q = (zero ? b : a) / b;
  return zero ? a * b : q;
}
TW_FN double quotient_of(double a, double b) { return a / b; }
TW_FN float root_of(float a) {
  const float root = sqrtf(a == 0 ? 1.0f : a);
  return a == 0 ? a : root;
}
TW_FN double root_of(double a) { return sqrt(a); }

template <class E> TW_FN V<E> divide(V<E> a, V<E> b) {
  if constexpr (E::kind == kInt)
    return whole_quotient<E>(a, b);
  else
    return quotient_of(a, b);
}
template <class E> TW_FN V<E> remainder(V<E> a, V<E> b) {
  if constexpr (E::kind == kInt)
    return whole_remainder<E>(a, b);
  else
    return remainder_of(a, b);
}
template <class E> TW_FN V<E> negate(V<E> a) {
  if constexpr (E::kind == kInt)
    return wrap<E>(0ull - (u64_t)a);
  else if constexpr (E::kind == kComplex)
    return {-a.re, -a.im};
  else
    return -a;
}
template <class E> TW_FN V<E> absolute(V<E> a) {
  if constexpr (E::kind == kInt)
    return a < (V<E>)0 ? wrap<E>(0ull - (u64_t)a) : a;
  else
    return sign_of(a, V<E>(0));
}
// The larger, or smaller, of two floats: NaN where one is, and -0 is less than 0.
template <class T> TW_FN T larger(T a, T b) {
  if (a != a || b != b)
    return not_a_number<T>();
  return a == b ? (sign_of(T(1), a) < 0 ? b : a) : a > b ? a : b;
}
template <class T> TW_FN T smaller(T a, T b) {
  if (a != a || b != b)
    return not_a_number<T>();
  return a == b ? (sign_of(T(1), a) < 0 ? a : b) : a < b ? a : b;
}
#if !defined(TW_SHIM) && __CUDA_ARCH__ >= 800
#define TW_EXTREME(name, instruction)                                  \
  template <> TW_FN float name<float>(float a, float b) {              \
    float c;                                                           \
    asm(instruction " %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));        \
    return c;                                                          \
  }
TW_EXTREME(larger, "max.NaN.f32")
TW_EXTREME(smaller, "min.NaN.f32")
#endif
template <class E> TW_FN V<E> maximum(V<E> a, V<E> b) {
  if constexpr (E::kind == kFloat)
    return larger(a, b);
  else
    return a > b ? a : b;
}
template <class E> TW_FN V<E> minimum(V<E> a, V<E> b) {
  if constexpr (E::kind == kFloat)
    return smaller(a, b);
  else
    return a < b ? a : b;
}
template <class E> TW_FN bool equal(V<E> a, V<E> b) {
  if constexpr (E::kind == kComplex)
    return a.re == b.re && a.im == b.im;
  else
    return a == b;
}
template <class E> TW_FN bool not_equal(V<E> a, V<E> b) { return !equal<E>(a, b); }
template <class E> TW_FN bool less(V<E> a, V<E> b) { return a < b; }
template <class E> TW_FN bool less_equal(V<E> a, V<E> b) { return a <= b; }
template <class E> TW_FN V<E> select(bool condition, V<E> a, V<E> b) { return condition ? a : b; }
template <class E> TW_FN V<E> square_root(V<E> a) { return root_of(a); }
template <class E> TW_FN V<E> floor(V<E> a) {
  if constexpr (sizeof(V<E>) == 4)
    return floorf(a);
  else
    return ::floor(a);
}
template <class E> TW_FN V<E> ceil(V<E> a) {
  if constexpr (sizeof(V<E>) == 4)
    return ceilf(a);
  else
    return ::ceil(a);
}
template <class E> TW_FN V<E> round_away(V<E> a) {
  if constexpr (sizeof(V<E>) == 4)
    return roundf(a);
  else
    return round(a);
}
template <class E> TW_FN V<E> round_even(V<E> a) {
  if constexpr (sizeof(V<E>) == 4)
    return rintf(a);
  else
    return rint(a);
}
template <class E> TW_FN typename E::Part real(V<E> a) { return a.re; }
template <class E> TW_FN typename E::Part imag(V<E> a) { return a.im; }
template <class E> TW_FN V<E> complex(typename E::Part re, typename E::Part im) { return {re, im}; }
)text";

constexpr const char *kFunctions = R"text(
// The functions of C for both types of parts, for functions of complex numbers.
#define TW_OVERLOAD(name)                              \
  TW_FN float name(float x) { return ::name##f(x); }   \
  TW_FN double name(double x) { return ::name(x); }
TW_OVERLOAD(exp)
TW_OVERLOAD(log)
TW_OVERLOAD(sin)
TW_OVERLOAD(cos)
TW_OVERLOAD(sinh)
TW_OVERLOAD(cosh)
TW_OVERLOAD(tanh)
TW_OVERLOAD(expm1)
TW_OVERLOAD(log1p)
TW_OVERLOAD(cbrt)
#undef TW_OVERLOAD
TW_FN float hypot(float x, float y) { return ::hypotf(x, y); }
TW_FN double hypot(double x, double y) { return ::hypot(x, y); }
TW_FN float atan2(float y, float x) { return ::atan2f(y, x); }
TW_FN double atan2(double y, double x) { return ::atan2(y, x); }
TW_FN float tw_logisticf(float x) {
  const float e = ::expf(-sign_of(x, 1.0f));
  return (x < 0 ? e : 1.0f) / (1.0f + e);
}
TW_FN double tw_logistic(double x) {
  const double e = ::exp(-sign_of(x, 1.0));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}
// Of f32 in f64, where nothing overflows; of f64 by the larger part of the divisor first.
TW_FN Complex<float> quotient(Complex<float> a, Complex<float> b) {
  const double p = a.re, q = a.im, c = b.re, d = b.im, size = c * c + d * d;
  return {(float)((p * c + q * d) / size), (float)((q * c - p * d) / size)};
}
TW_FN Complex<double> quotient(Complex<double> a, Complex<double> b) {
  const bool wide = sign_of(b.re, 1.0) >= sign_of(b.im, 1.0);
  const double ratio = wide ? b.im / b.re : b.re / b.im, size = wide ? b.re + b.im * ratio : b.re * ratio + b.im;
  return wide ? Complex<double>{(a.re + a.im * ratio) / size, (a.im - a.re * ratio) / size}
              : Complex<double>{(a.re * ratio + a.im) / size, (a.im * ratio - a.re) / size};
}
template <class T> TW_FN Complex<T> root(Complex<T> a) {
  const double re = a.re, im = a.im;
  if (re == 0 && im == 0)
    return {T(0), a.im};
  const double half = ::sqrt(0.5 * (sign_of(re, 1.0) + ::hypot(re, im))), other = im / (2 * half);
  return re >= 0 ? Complex<T>{(T)half, (T)other} : Complex<T>{(T)sign_of(other, 1.0), (T)sign_of(half, im)};
}
template <class T> TW_FN Complex<T> exponential(Complex<T> a) {
  const T size = exp(a.re);
  return {size * cos(a.im), a.im == 0 ? a.im : size * sin(a.im)};
}
template <class T> TW_FN Complex<T> logarithm(Complex<T> a) { return {log(hypot(a.re, a.im)), atan2(a.im, a.re)}; }
// Without cancellation near 0.
template <class T> TW_FN Complex<T> exponential_less_one(Complex<T> a) {
  const T half = sin(a.im / 2);
  return {expm1(a.re) * cos(a.im) - 2 * half * half, exp(a.re) * sin(a.im)};
}
template <class T> TW_FN Complex<T> logarithm_of_more(Complex<T> a) {
  const double x = a.re, y = a.im;
  const bool small = sign_of(x, 1.0) < 0.5 && sign_of(y, 1.0) < 0.5;
  return {(T)(small ? 0.5 * log1p(x * (x + 2) + y * y) : log(hypot(1 + x, y))), (T)atan2(y, 1 + x)};
}
// The quotient of sine and cosine, which is 1 or -1 to the last bit where both would overflow.
template <class T> TW_FN Complex<T> hyperbolic_tangent(Complex<T> a) {
  if (a.re > 22 || a.re < -22)
    return {sign_of(T(1), a.re), sign_of(T(0), a.im)};
  const T s = sinh(a.re), t = sin(a.im), c = cos(a.im), size = s * s + c * c;
  return {s * cosh(a.re) / size, t * c / size};
}
template <class T> TW_FN Complex<T> tangent(Complex<T> a) {
  const Complex<T> t = hyperbolic_tangent(Complex<T>{-a.im, a.re});
  return {t.im, -t.re};
}
template <class T> TW_FN Complex<T> logistic(Complex<T> a) {
  const Complex<T> e = exponential(Complex<T>{-a.re, -a.im});
  return quotient(Complex<T>{T(1), T(0)}, Complex<T>{T(1) + e.re, e.im});
}
template <class T> TW_FN Complex<T> cube_root(Complex<T> a) {
  const T size = cbrt(hypot(a.re, a.im)), angle = atan2(a.im, a.re) / 3;
  return {size * cos(angle), size * sin(angle)};
}
template <class T> TW_FN Complex<T> power_of(Complex<T> a, Complex<T> b) {
  const T zero = 0;
  if (a.re == 0 && a.im == 0)
    return {b.re == 0 && b.im == 0 ? T(1) : zero, zero};
  return exponential(product(b, logarithm(a)));
}
} // namespace tw
#define TW_TEXT(...) __VA_ARGS__

#ifndef TW_SHIM
#define TW_KERNEL(name, words) extern "C" __global__ void name(const __grid_constant__ tw::Words<words> args)
#define TW_BLOCK_KERNEL(name, words) TW_KERNEL(name, words)
// A function of a device: `text` computes a result from `a` (and `b`).
#define TW_FUNCTION_1(name, op, R, A, text) \
  namespace tw { TW_FN V<R> name(V<A> a) { text } }
#define TW_FUNCTION_2(name, op, R, A, text) \
  namespace tw { TW_FN V<R> name(V<A> a, V<A> b) { text } }
#endif
)text";

} // namespace

std::string prelude_arithmetic() {
  return fmt::format("{}{}{}{}{}", kIntegers, kComplex, kArithmetic, prelude_conversions(), kFunctions);
}

} // namespace tw::kernels::generated
