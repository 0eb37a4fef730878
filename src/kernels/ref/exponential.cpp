// SPDX-License-Identifier: Apache-2.0
// Exponentials, logarithms, powers and roots of elements, and the logistic function.
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/vector_math.hpp"

namespace tw::kernels::ref::exponential_reference {
namespace {

struct Exponential : VectorFunction<exp_f32> {
  template <class V> static V apply(V x) { return std::exp(x); }
};

struct ExponentialMinusOne : VectorFunction<expm1_f32> {
  static double apply(double x) { return std::expm1(x); }
  template <class T> static std::complex<T> apply(std::complex<T> z) { // e^z - 1 without cancellation near 0
    const T half = std::sin(z.imag() / 2);
    return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
            std::exp(z.real()) * std::sin(z.imag())};
  }
};

struct Log : VectorFunction<log_f32> {
  template <class V> static V apply(V x) { return std::log(x); }
};

struct LogPlusOne : VectorFunction<log1p_f32> {
  static double apply(double x) { return std::log1p(x); }
  template <class T> static std::complex<T> apply(std::complex<T> z) {
    const double x = z.real(), y = z.imag(); // |1 + z| near 1 cancels digits that a float does not have
    const bool near_zero = std::fabs(x) < 0.5 && std::fabs(y) < 0.5;
    const double real = near_zero ? 0.5 * std::log1p(x * (x + 2) + y * y) : std::log(std::hypot(1 + x, y));
    return {static_cast<T>(real), static_cast<T>(std::atan2(y, 1 + x))};
  }
};

struct Logistic : VectorFunction<logistic_f32> {
  static double apply(double x) {
    const double e = std::exp(-std::fabs(x)); // which cannot overflow
    return (x < 0 ? e : 1) / (1 + e);
  }
  template <class T> static std::complex<T> apply(std::complex<T> z) { return T(1) / (T(1) + std::exp(-z)); }
};

struct Sqrt {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::sqrt(x); }
};

struct Rsqrt {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return V(1) / std::sqrt(x); }
};

struct Power {
  static constexpr TypeSet takes = kNumbers;
  static void apply_f32(const float *base, const float *exponent, float *y, int64_t n) {
    pow_f32(base, exponent, y, n);
  }
  template <class V> static V apply(V base, V exponent) {
    if constexpr (is_int_value<V>)
      return integer_power(base, exponent);
    else if constexpr (is_complex_value<V>)
      return base == V(0) ? (exponent == V(0) ? V(1) : V(0)) : std::pow(base, exponent);
    else
      return std::pow(base, exponent);
  }

private:
  // By squaring, wrapping. A negative exponent is a fraction cut to 0, except for the bases 1 and -1.
  template <class V> static V integer_power(V base, V exponent) {
    if constexpr (std::is_signed_v<V>)
      if (exponent < 0)
        return base == 1 ? V(1) : base == -1 ? (exponent % 2 == 0 ? V(1) : V(-1)) : V(0);
    Wide<V> result = 1, square = widen(base);
    for (Wide<V> left = widen(exponent); left != 0; left >>= 1) {
      if (left & 1)
        result *= square;
      square *= square;
    }
    return static_cast<V>(result);
  }
};

} // namespace

References references() {
  static const Reference all[] = {
      unary<Exponential>("stablehlo.exponential"),
      unary<ExponentialMinusOne>("stablehlo.exponential_minus_one"),
      unary<Log>("stablehlo.log"),
      unary<LogPlusOne>("stablehlo.log_plus_one"),
      unary<Logistic>("stablehlo.logistic"),
      binary<Power>("stablehlo.power"),
      unary<Rsqrt>("stablehlo.rsqrt"),
      unary<Sqrt>("stablehlo.sqrt"),
  };
  return all;
}

} // namespace tw::kernels::ref::exponential_reference
