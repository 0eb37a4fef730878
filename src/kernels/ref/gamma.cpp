// SPDX-License-Identifier: Apache-2.0
// Functions of CHLO around the gamma function, Bessel's I1, neighbours of a float and questions about
// infinities.
//
// Floats narrower than f64 are computed in f64 and rounded, so their error is half an ulp and the little that
// f64 leaves. Largest errors of f64 are stated in tests/conformance/ulp.md.
#include <math.h>

#include "kernels/ref/elementwise.hpp"

namespace tw::kernels::ref::gamma_reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double lgamma_of(double x) {
  int sign = 0; // the C library's lgamma leaves it in a variable that all threads share
  return ::lgamma_r(x, &sign);
}

// B(2k) / (2k) for k = 1, 2, ...: the asymptotic series of digamma.
double digamma_of(double x) {
  static constexpr double kTerms[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                      1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  if (x <= 0 && x == std::floor(x))
    return kNaN;
  double shift = 0;
  if (x < 0) { // reflection; pi x counted from the nearest integer
    shift = -M_PI / std::tan(M_PI * (x - std::round(x)));
    x = 1 - x;
  }
  for (; x < 12; ++x)
    shift -= 1 / x;
  const double square = 1 / (x * x);
  double sum = 0, power = square;
  for (const double term : kTerms) {
    sum += term * power;
    power *= square;
  }
  return std::isinf(x) ? x : shift + std::log(x) - 0.5 / x - sum;
}

// Sum over k >= 0 of (q + k)^-s for positive q, by Euler and Maclaurin's formula.
double zeta_from(double s, double q) {
  if (std::isinf(q))
    return 0;
  static constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,      1.0 / 42, -1.0 / 30,
                                          5.0 / 66,      -691.0 / 2730,  7.0 / 6,  -3617.0 / 510,
                                          43867.0 / 798, -174611.0 / 330};
  double sum = 0;
  for (int k = 0; k < 12; ++k, ++q) {
    const double term = std::pow(q, -s);
    sum += term;
    if (term * std::max(1.0, q / (s - 1)) <= sum * 1e-17) // what follows is below term * q / (s - 1)
      return sum;
  }
  const double last = std::pow(q, -s);
  sum += last * q / (s - 1) + last / 2;
  double factor = last * s / q / 2; // s (s+1) ... (s+2j-2) q^(-s-2j+1) / (2j)!
  for (int j = 1; j <= 10; ++j) {
    sum += kBernoulli[j - 1] * factor;
    factor *= (s + 2 * j - 1) * (s + 2 * j) / (q * q * (2 * j + 1) * (2 * j + 2));
  }
  return sum;
}

// Hurwitz's zeta. Below zero the terms down from q are those from its fraction up, with the other sign where
// s is odd.
double zeta_of(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1)
    return kNaN;
  if (s == 1)
    return kInfinity;
  if (q > 0)
    return zeta_from(s, q);
  const bool even = s == std::floor(s) && std::fmod(s, 2) == 0;
  if (q == std::floor(q))
    return even ? kInfinity : kNaN;
  if (s != std::floor(s) || std::isinf(s))
    return kNaN; // a power of a negative number
  const double down = -q - std::floor(-q), left = zeta_from(s, down), right = zeta_from(s, 1 - down),
               beyond = zeta_from(s, 1 - q);
  if (std::isinf(left) && std::isinf(right)) // the nearer pole tells
    return even || 1 - down < down ? kInfinity : -kInfinity;
  return even ? left - beyond + right : right - left + beyond;
}

// The logarithm of zeta for positive q, where zeta itself may be no number.
double log_zeta_from(double s, double q) {
  if (const double zeta = zeta_from(s, q); std::isnormal(zeta) || q < 1)
    return std::log(zeta);
  double scaled = 1; // by q^s
  if (q < s)
    for (double k = 1, term = 1; term > 1e-17; ++k)
      scaled += term = std::exp(-s * std::log1p(k / q));
  else
    scaled = q / (s - 1) + 0.5 + s / (12 * q);
  return std::log(scaled) - s * std::log(q);
}

double polygamma_of(double n, double x) {
  if (n < 0 || n != std::floor(n))
    return kNaN;
  if (n == 0)
    return digamma_of(x);
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1, s = n + 1;
  if (n <= 170)
    return sign * std::tgamma(s) * zeta_of(s, x);
  // n! is no number any more, but its product with zeta may be.
  return sign * (x > 0 ? std::exp(lgamma_of(s) + log_zeta_from(s, x)) : kInfinity * zeta_of(s, x));
}

// e^-|x| I1(x): the power series, all of whose terms have one sign, and for large x the asymptotic one.
double bessel_i1e_of(double x) {
  const double a = std::fabs(x);
  if (std::isinf(a))
    return std::copysign(0.0, x);
  double sum = 0, term = 1;
  if (a <= 30) {
    const double square = a * a / 4;
    for (int k = 1; term > sum * 1e-17; ++k) {
      sum += term;
      term *= square / (static_cast<double>(k) * (k + 1));
    }
    sum *= a / 2 * std::exp(-a);
  } else {
    for (int k = 1; std::fabs(term) > 1e-17; ++k) {
      sum += term;
      const double odd = 2 * k - 1;
      term *= -(4 - odd * odd) / (8 * a * k);
    }
    sum /= std::sqrt(2 * M_PI) * std::sqrt(a); // the product of both may overflow
  }
  return std::isnan(x) ? x : std::copysign(sum, x);
}

struct Lgamma {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return static_cast<V>(lgamma_of(static_cast<double>(x))); }
};
struct Digamma {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return static_cast<V>(digamma_of(static_cast<double>(x))); }
};
struct BesselI1e {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return static_cast<V>(bessel_i1e_of(static_cast<double>(x))); }
};
struct Zeta {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V s, V q) {
    return static_cast<V>(zeta_of(static_cast<double>(s), static_cast<double>(q)));
  }
};
struct Polygamma {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V n, V x) {
    return static_cast<V>(polygamma_of(static_cast<double>(n), static_cast<double>(x)));
  }
};

// The codes of these formats ascend with the magnitude, so the neighbour's code is one away.
struct NextAfter {
  static constexpr TypeSet takes = {DType::f64, DType::f32, DType::f16, DType::bf16};
  template <class E> static typename E::Value apply_as(typename E::Value x, typename E::Value y) {
    if constexpr (std::is_floating_point_v<typename E::Storage>) {
      return std::nextafter(x, y);
    } else {
      if (x != x || y != y)
        return std::numeric_limits<float>::quiet_NaN();
      if (x == y)
        return y;
      uint16_t code = E::store(x);
      if (x == 0)
        code = y > 0 ? 0x0001 : 0x8001;
      else
        code = static_cast<uint16_t>((x < y) == (x > 0) ? code + 1 : code - 1);
      return E::load(code);
    }
  }
};

struct Conj {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) {
    if constexpr (is_complex_value<V>)
      return std::conj(x);
    else
      return x;
  }
};

enum class Infinite { either, positive, negative };
template <Infinite which> struct IsInfinite {
  static constexpr TypeSet takes = kFloats;
  template <class E> using Result = Element<DType::i1>;
  template <class V> static bool apply(V x) {
    return std::isinf(x) && (which == Infinite::either || (x > 0) == (which == Infinite::positive));
  }
};

} // namespace

References references() {
  static const Reference all[] = {
      unary<BesselI1e>("chlo.bessel_i1e"),
      unary<Conj>("chlo.conj"),
      unary<Digamma>("chlo.digamma"),
      unary<IsInfinite<Infinite::either>>("chlo.is_inf"),
      unary<IsInfinite<Infinite::negative>>("chlo.is_neg_inf"),
      unary<IsInfinite<Infinite::positive>>("chlo.is_pos_inf"),
      unary<Lgamma>("chlo.lgamma"),
      binary<NextAfter>("chlo.next_after"),
      binary<Polygamma>("chlo.polygamma"),
      binary<Zeta>("chlo.zeta"),
  };
  return all;
}

} // namespace tw::kernels::ref::gamma_reference
