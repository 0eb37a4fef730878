// SPDX-License-Identifier: Apache-2.0
// The C library's functions, and series for those that it does not have.
#include "conformance/long_functions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tw::test {
namespace {

using Real = long double;
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kPi = 3.14159265358979323846264338327950288L;

bool is_whole(Real x) { return x == std::floor(x); }

// B(2), B(4), ..
constexpr Real kBernoulli[] = {1.0L / 6,       -1.0L / 30,       1.0L / 42,      -1.0L / 30,
                               5.0L / 66,      -691.0L / 2730,   7.0L / 6,       -3617.0L / 510,
                               43867.0L / 798, -174611.0L / 330, 854513.0L / 138};

// Newton's method in the complement, which keeps its digits near 1.
Real erf_inv(Real value) {
  const Real x = std::fabs(value);
  if (!(x < 1))
    return x == 1 ? std::copysign(kInfinity, value) : kNaN;
  Real low = 0, high = 1;
  while (std::erfc(high) > 1 - x)
    low = high, high *= 2;
  Real y = x < 0.5L ? x * std::sqrt(kPi) / 2 : (low + high) / 2;
  for (int step = 0; step < 60 && y != 0; ++step) {
    const Real miss = x < 0.5L ? std::erf(y) - x : (1 - x) - std::erfc(y);
    (miss < 0 ? low : high) = y;
    const Real next = y - miss * std::sqrt(kPi) / 2 * std::exp(y * y);
    if (next == y)
      break;
    y = x < 0.5L || (next > low && next < high) ? next : (low + high) / 2;
  }
  return std::copysign(y, value);
}

Real digamma(Real x) {
  if (x <= 0 && is_whole(x))
    return kNaN;
  if (std::isinf(x))
    return x;
  Real shift = 0;
  if (x < 0) {
    shift = -kPi / std::tan(kPi * (x - std::round(x)));
    x = 1 - x;
  }
  for (; x < 30; ++x)
    shift -= 1 / x;
  Real sum = std::log(x) - 0.5L / x, power = 1 / (x * x);
  for (size_t k = 0; k < std::size(kBernoulli); ++k, power /= x * x)
    sum -= kBernoulli[k] / static_cast<Real>(2 * k + 2) * power;
  return shift + sum;
}

// Sum over k >= 0 of (q + k)^-s, by Euler and Maclaurin's formula; before it term by term.
Real zeta_from(Real s, Real q) {
  Real sum = 0;
  for (; q < 40; ++q)
    sum += std::pow(q, -s);
  const Real last = std::pow(q, -s);
  sum += last * q / (s - 1) + last / 2;
  Real factor = last * s / q / 2;
  for (size_t j = 1; j <= std::size(kBernoulli); ++j) {
    const Real n = 2 * static_cast<Real>(j);
    sum += kBernoulli[j - 1] * factor;
    factor *= (s + n - 1) * (s + n) / (q * q * (n + 1) * (n + 2));
  }
  return sum;
}

Real zeta(Real s, Real q) {
  if (std::isnan(s) || std::isnan(q) || s < 1)
    return kNaN;
  if (s == 1)
    return kInfinity;
  if (q > 0)
    return std::isinf(q) || std::isinf(s) ? (q < 1 ? kInfinity : q == 1 ? 1 : 0) : zeta_from(s, q);
  const bool even = is_whole(s) && std::fmod(s, 2) == 0;
  if (is_whole(q))
    return even ? kInfinity : kNaN;
  if (!is_whole(s) || std::isinf(s))
    return kNaN;
  // Down from q the terms are those from its fraction up, with the other sign where s is odd.
  const Real down = -q - std::floor(-q);
  const Real left = zeta_from(s, down), right = zeta_from(s, 1 - down), beyond = zeta_from(s, 1 - q);
  if (std::isinf(left) && std::isinf(right))
    return even || 1 - down < down ? kInfinity : -kInfinity;
  return even ? left - beyond + right : right - left + beyond;
}

Real polygamma(Real n, Real x) {
  if (n < 0 || !is_whole(n))
    return kNaN;
  if (n == 0)
    return digamma(x);
  return (std::fmod(n, 2) == 0 ? -1 : 1) * std::tgamma(n + 1) * zeta(n + 1, x);
}

Real bessel_i1e(Real x) {
  const Real a = std::fabs(x);
  if (std::isnan(x) || std::isinf(x))
    return std::isnan(x) ? x : std::copysign(0.0L, x);
  Real sum = 0, term = 1;
  if (a <= 60) {
    for (int k = 1; term > sum * 1e-22L; ++k) {
      sum += term;
      term *= a * a / 4 / (static_cast<Real>(k) * static_cast<Real>(k + 1));
    }
    return std::copysign(sum * a / 2 * std::exp(-a), x);
  }
  for (int k = 1; std::fabs(term) > 1e-22L; ++k) {
    const Real odd = 2 * static_cast<Real>(k) - 1;
    sum += term;
    term *= (odd * odd - 4) / (8 * a * static_cast<Real>(k));
  }
  return std::copysign(sum / std::sqrt(2 * kPi * a), x);
}

Real lgamma(Real x) {
  int sign = 0;
  return ::lgammal_r(x, &sign);
}

constexpr LongFunction kFunctions[] = {
    {"chlo.acos", std::acos},
    {"chlo.acosh", std::acosh},
    {"chlo.asin", std::asin},
    {"chlo.asinh", std::asinh},
    {"chlo.atan", std::atan},
    {"chlo.atanh", std::atanh},
    {"chlo.bessel_i1e", bessel_i1e},
    {"chlo.cosh", std::cosh},
    {"chlo.digamma", digamma},
    {"chlo.erf", std::erf},
    {"chlo.erf_inv", erf_inv},
    {"chlo.erfc", std::erfc},
    {"chlo.lgamma", lgamma},
    {"chlo.polygamma", nullptr, polygamma, [](Real n, Real) { return !(n > 170); }},
    {"chlo.sinh", std::sinh},
    {"chlo.zeta", nullptr, zeta},
    {"stablehlo.atan2", nullptr, std::atan2},
    {"stablehlo.cbrt", std::cbrt},
    {"stablehlo.cosine", std::cos},
    {"stablehlo.exponential", std::exp},
    {"stablehlo.exponential_minus_one", std::expm1},
    {"stablehlo.log", std::log},
    {"stablehlo.log_plus_one", std::log1p},
    {"stablehlo.logistic", [](Real x) { return 1 / (1 + std::exp(-x)); }},
    {"stablehlo.power", nullptr, std::pow},
    {"stablehlo.rsqrt", [](Real x) { return 1 / std::sqrt(x); }},
    {"stablehlo.sine", std::sin},
    {"stablehlo.sqrt", std::sqrt},
    {"stablehlo.tan", std::tan},
    {"stablehlo.tanh", std::tanh},
};

} // namespace

const LongFunction *find_long_function(std::string_view op) {
  const auto *found = std::ranges::find(kFunctions, op, &LongFunction::op);
  return found == std::end(kFunctions) ? nullptr : found;
}

} // namespace tw::test
