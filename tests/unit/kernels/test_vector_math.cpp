// SPDX-License-Identifier: Apache-2.0
// Vector math: the stated error bounds against double precision, special values, and bits that do not depend
// on position.
#include "kernels/ref/vector_math.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace tw::test_vector_math {

namespace {

using Unary = void (*)(const float *, float *, int64_t);

struct Function {
  const char *name;
  Unary f32;
  double (*f64)(double);
  double bound; // units in the last place
};

const Function kFunctions[] = {
    {"exp", tw::kernels::ref::exp_f32, [](double x) { return std::exp(x); }, 1.01},
    {"expm1", tw::kernels::ref::expm1_f32, [](double x) { return std::expm1(x); }, 3.5},
    {"log", tw::kernels::ref::log_f32, [](double x) { return std::log(x); }, 0.9},
    {"log1p", tw::kernels::ref::log1p_f32, [](double x) { return std::log1p(x); }, 2.5},
    {"logistic", tw::kernels::ref::logistic_f32, [](double x) { return 1 / (1 + std::exp(-x)); }, 2.3},
    {"tanh", tw::kernels::ref::tanh_f32, [](double x) { return std::tanh(x); }, 2.8},
    {"sin", tw::kernels::ref::sin_f32, [](double x) { return std::sin(x); }, 2.4},
    {"cos", tw::kernels::ref::cos_f32, [](double x) { return std::cos(x); }, 2.4},
    {"tan", tw::kernels::ref::tan_f32, [](double x) { return std::tan(x); }, 1.1},
    {"erf", tw::kernels::ref::erf_f32, [](double x) { return std::erf(x); }, 1.0},
};

// Distance in units in the last place of the wanted value; infinite where one of the two is special and the
// other another.
double ulps(float got, double want) {
  const auto rounded = static_cast<float>(want);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded ? 0 : std::numeric_limits<double>::infinity();
  const float a = std::fabs(rounded);
  const float largest = std::numeric_limits<float>::max();
  const double ulp = a == largest ? static_cast<double>(a) - static_cast<double>(std::nextafter(a, 0.0f))
                                  : static_cast<double>(std::nextafter(a, largest)) - static_cast<double>(a);
  return std::fabs(static_cast<double>(got) - want) / ulp;
}

} // namespace

TEST_CASE("unary functions keep their bounds over all floats") {
  for (const Function &f : kFunctions) {
    CAPTURE(f.name);
    std::vector<float> x, y;
    for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 50'021)
      x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    y.resize(x.size());
    f.f32(x.data(), y.data(), static_cast<int64_t>(x.size()));
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, ulps(y[i], f.f64(static_cast<double>(x[i]))));
    CHECK(worst <= f.bound);
  }
}

TEST_CASE("unary functions give the C library's special values") {
  const float inf = std::numeric_limits<float>::infinity();
  for (const Function &f : kFunctions)
    for (float x : {0.0f, -0.0f, inf, -inf, std::nanf("")}) {
      CAPTURE(f.name);
      CAPTURE(x);
      float y = 7;
      f.f32(&x, &y, 1);
      const auto want = static_cast<float>(f.f64(static_cast<double>(x)));
      CHECK((std::isnan(want) ? std::isnan(y) : y == want));
      if (!std::isnan(want))
        CHECK(std::signbit(y) == std::signbit(want));
    }
}

TEST_CASE("powers keep their bound, with negative bases and special values") {
  std::mt19937 rng(3);
  std::vector<float> b, e, y;
  const float inf = std::numeric_limits<float>::infinity();
  const float specials[] = {0.0f,  -0.0f, 1.0f, -1.0f, 2.0f,          3.0f,
                            -2.5f, 0.5f,  inf,  -inf,  std::nanf(""), 1e-40f};
  for (float p : specials)
    for (float q : specials)
      b.push_back(p), e.push_back(q);
  for (int i = 0; i < 100'000; ++i) {
    b.push_back(i % 2 ? std::bit_cast<float>(static_cast<uint32_t>(rng()))
                      : static_cast<float>(rng() % 20001) / 1000 - 10);
    e.push_back(i % 3 ? static_cast<float>(rng() % 21) - 10
                      : std::bit_cast<float>(static_cast<uint32_t>(rng())));
  }
  for (float &v : b)
    v = std::isnan(v) ? std::nanf("") : v; // what a signalling NaN gives is nobody's promise
  y.resize(b.size());
  tw::kernels::ref::pow_f32(b.data(), e.data(), y.data(), static_cast<int64_t>(b.size()));
  for (size_t i = 0; i < b.size(); ++i) {
    CAPTURE(b[i]);
    CAPTURE(e[i]);
    REQUIRE(ulps(y[i], std::pow(static_cast<double>(b[i]), static_cast<double>(e[i]))) <= 0.6);
  }
}

TEST_CASE("an element's bits depend on its value alone, also in place") {
  std::mt19937 rng(4);
  std::vector<float> x(200), whole(200);
  for (float &v : x)
    v = static_cast<float>(static_cast<int32_t>(rng())) / 3e7f;
  x[57] = 1e30f; // takes another path in periodic functions
  for (const Function &f : kFunctions) {
    CAPTURE(f.name);
    f.f32(x.data(), whole.data(), 200);
    for (size_t begin : {0, 1, 7, 56, 57, 150})
      for (size_t n : {1, 2, 15, 16, 17, 33, 50}) {
        std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                x.begin() + static_cast<std::ptrdiff_t>(begin + n));
        f.f32(part.data(), part.data(), static_cast<int64_t>(n));
        for (size_t i = 0; i < n; ++i)
          REQUIRE(std::bit_cast<uint32_t>(part[i]) == std::bit_cast<uint32_t>(whole[begin + i]));
      }
  }
}

} // namespace tw::test_vector_math
