// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of every length up to 130 and of lengths of each kind, against the sum that defines
// them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/ref/fft_plan.hpp"

namespace tw::test_fft_plan {

using kernels::ref::Complex;

namespace {

std::vector<Complex> by_definition(const std::vector<Complex> &x, bool inverse) {
  const auto n = static_cast<int64_t>(x.size());
  std::vector<Complex> result(x.size());
  std::vector<std::array<long double, 2>> roots(x.size()); // cosine and sine
  for (int64_t k = 0; k < n; ++k) {
    const long double angle = (inverse ? 2 : -2) * 3.14159265358979323846264338327950288L *
                              static_cast<long double>(k) / static_cast<long double>(n);
    roots[static_cast<size_t>(k)] = {std::cos(angle), std::sin(angle)};
  }
  for (int64_t k = 0; k < n; ++k) {
    long double re = 0, im = 0;
    for (int64_t j = 0; j < n; ++j) {
      const auto &[cosine, sine] = roots[static_cast<size_t>(j * k % n)];
      const Complex v = x[static_cast<size_t>(j)];
      re += v.re * cosine - v.im * sine;
      im += v.re * sine + v.im * cosine;
    }
    result[static_cast<size_t>(k)] = {static_cast<double>(re), static_cast<double>(im)};
  }
  return result;
}

// The largest error relative to the signal's norm, in units of 2^-52.
double error_of(int64_t n, bool inverse) {
  std::vector<Complex> x(static_cast<size_t>(n));
  double norm = 0;
  for (int64_t j = 0; j < n; ++j) {
    const auto at = static_cast<double>(j);
    x[static_cast<size_t>(j)] = {std::sin(3 * at * at + 1), std::cos(5 * at + at * at)};
    norm += x[static_cast<size_t>(j)].re * x[static_cast<size_t>(j)].re +
            x[static_cast<size_t>(j)].im * x[static_cast<size_t>(j)].im;
  }
  const std::vector<Complex> expected = by_definition(x, inverse);
  const kernels::ref::FftPlan plan(n);
  std::vector<Complex> scratch(static_cast<size_t>(plan.scratch_elements()));
  plan.run(x.data(), scratch.data(), inverse);
  double worst = 0;
  for (size_t k = 0; k < x.size(); ++k)
    worst = std::max({worst, std::fabs(x[k].re - expected[k].re), std::fabs(x[k].im - expected[k].im)});
  return worst / std::sqrt(norm) * 0x1p52;
}

} // namespace

TEST_CASE("transforms equal their definition") {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= 130; ++n)
    lengths.push_back(n);
  for (const int64_t n : {256, 243, 625, 343, 961, 720, 1009, 1024, 2 * 503, 37 * 41})
    lengths.push_back(n);
  for (const int64_t n : lengths)
    for (const bool inverse : {false, true}) {
      CAPTURE(n);
      CHECK(error_of(n, inverse) < 16);
    }
}

} // namespace tw::test_fft_plan
