// SPDX-License-Identifier: Apache-2.0
// Functions of CHLO: error functions, inverse and hyperbolic functions, square.
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/vector_math.hpp"

namespace tw::kernels::ref::special_reference {
namespace {

struct Erf {
  static constexpr TypeSet takes = kFloats;
  static void apply_f32(const float *x, float *y, int64_t n) { erf_f32(x, y, n); }
  static double apply(double x) { return std::erf(x); }
};
struct Erfc {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return std::erfc(x); }
};

// Newton's method from Winitzki's approximation; five steps reach double precision even beside 1.
struct ErfInv {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V value) {
    const double x = static_cast<double>(value);
    if (!(std::fabs(x) < 1))
      return std::fabs(x) == 1 ? std::copysign(std::numeric_limits<V>::infinity(), value)
                               : std::numeric_limits<V>::quiet_NaN();
    const double a = 0.147, log_term = std::log1p(-x * x), b = 2 / (M_PI * a) + log_term / 2;
    double y = std::fabs(x) < 1e-4 ? x * std::sqrt(M_PI) / 2 // where the other guess has no digits left
                                   : std::copysign(std::sqrt(std::sqrt(b * b - log_term / a) - b), x);
    for (int step = 0; step < 5 && y != 0; ++step) {
      // Near 1 the complement keeps the digits that erf loses.
      const double miss = std::fabs(x) < 0.5 ? std::erf(y) - x
                          : y > 0            ? (1 - x) - std::erfc(y)
                                             : std::erfc(-y) - (1 + x);
      y -= miss / (2 / std::sqrt(M_PI) * std::exp(-y * y));
    }
    return static_cast<V>(y);
  }
};

struct Acos {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::acos(x); }
};
struct Acosh {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::acosh(x); }
};
struct Asin {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::asin(x); }
};
struct Asinh {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::asinh(x); }
};
struct Atan {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::atan(x); }
};
struct Atanh {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::atanh(x); }
};
struct Cosh {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::cosh(x); }
};
struct Sinh {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::sinh(x); }
};

struct Square {
  static constexpr TypeSet takes = kNumbers;
  template <class V> static V apply(V x) {
    if constexpr (is_int_value<V>)
      return static_cast<V>(widen(x) * widen(x));
    else
      return x * x;
  }
};

} // namespace

References references() {
  static const Reference all[] = {
      unary<Acos>("chlo.acos"),   unary<Acosh>("chlo.acosh"), unary<Asin>("chlo.asin"),
      unary<Asinh>("chlo.asinh"), unary<Atan>("chlo.atan"),   unary<Atanh>("chlo.atanh"),
      unary<Cosh>("chlo.cosh"),   unary<Erf>("chlo.erf"),     unary<ErfInv>("chlo.erf_inv"),
      unary<Erfc>("chlo.erfc"),   unary<Sinh>("chlo.sinh"),   unary<Square>("chlo.square"),
  };
  return all;
}

} // namespace tw::kernels::ref::special_reference
