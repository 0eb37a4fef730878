// SPDX-License-Identifier: Apache-2.0
// Functions around the gamma function against closed forms, recurrences and sums in long double.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/ref/evaluate.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::test_gamma {

namespace {

double call(const char *op, std::vector<double> arguments) {
  graph::GraphBuilder b("m", "test");
  std::vector<graph::ValueId> operands;
  std::vector<kernels::ref::Array> arrays;
  for (const double x : arguments) {
    const graph::TensorType scalar{graph::DType::f64, {}};
    operands.push_back(b.graph().result(ops::add_argument(b, scalar, "")));
    const auto *bytes = reinterpret_cast<const std::byte *>(&x);
    arrays.push_back({scalar, {bytes, bytes + sizeof x}});
  }
  auto id = ops::add(b, *ops::find_op(op), operands, {});
  REQUIRE(id.has_value());
  ops::add_result(b, b.graph().result(*id), "");
  auto results = kernels::ref::evaluate(*b.finish(), arrays);
  REQUIRE(results.has_value());
  return *reinterpret_cast<const double *>((*results)[0].bytes.data());
}

double ulps(double have, long double want, long double least = 0) {
  return static_cast<double>(std::fabs(have - want) / std::max(std::fabs(want), least)) * 0x1p53;
}

constexpr long double kPi = 3.14159265358979323846264338327950288L;
constexpr long double kEuler = 0.57721566490153286060651209008240243L;

} // namespace

TEST_CASE("digamma at integers and halves") {
  long double at_integer = -kEuler, at_half = -kEuler - 2 * std::log(2.0L);
  for (int n = 1; n < 60; ++n) {
    CAPTURE(n);
    CHECK(ulps(call("chlo.digamma", {static_cast<double>(n)}), at_integer, 1) < 8);
    CHECK(ulps(call("chlo.digamma", {n - 0.5}), at_half, 1) < 8);
    // Reflection: psi(1 - x) = psi(x) + pi cot(pi x), where the cotangent is 0.
    CHECK(ulps(call("chlo.digamma", {1.5 - n}), at_half, 1) < 12);
    at_integer += 1.0L / n;
    at_half += 1.0L / (n - 0.5L);
  }
}

TEST_CASE("zeta and polygamma in closed form") {
  CHECK(ulps(call("chlo.zeta", {2, 1}), kPi * kPi / 6) < 20);
  CHECK(ulps(call("chlo.zeta", {4, 1}), kPi * kPi * kPi * kPi / 90) < 20);
  CHECK(ulps(call("chlo.zeta", {2, 0.5}), kPi * kPi / 2) < 20);
  for (const double q : {0.25, 1.0, 3.5, 20.0, -1.5})
    for (const double s : {2.0, 3.0, 7.0, 1.0625}) {
      if (q < 0 && s != std::floor(s))
        continue;
      CAPTURE(q);
      CAPTURE(s);
      // zeta(s, q) - zeta(s, q + 1) = q^-s, against the largest term; those of negative q may cancel.
      const double here = call("chlo.zeta", {s, q}), next = call("chlo.zeta", {s, q + 1});
      CHECK(std::fabs(here - next - std::pow(q, -s)) <=
            40 * 0x1p-53 * (std::fabs(here) + std::fabs(next) + (q < 0 ? std::pow(0.5, -s) : 0)));
    }
  CHECK(ulps(call("chlo.polygamma", {1, 1}), kPi * kPi / 6) < 20);
  CHECK(ulps(call("chlo.polygamma", {1, 0.5}), kPi * kPi / 2) < 20);
}

TEST_CASE("bessel_i1e against its series") {
  for (const double x : {0.001, 0.5, 2.0, 9.0, 29.9, 30.1, 45.0, 80.0}) {
    long double term = x / 2, sum = 0;
    for (int k = 1; k < 400; ++k) {
      sum += term;
      term *= static_cast<long double>(x) * x / 4 / (static_cast<long double>(k) * (k + 1));
    }
    const long double want = sum * std::exp(-static_cast<long double>(x));
    CAPTURE(x);
    CHECK(ulps(call("chlo.bessel_i1e", {x}), want) < 30);
    CHECK(call("chlo.bessel_i1e", {-x}) == -call("chlo.bessel_i1e", {x}));
  }
}

TEST_CASE("lgamma of factorials") {
  long double sum = 0;
  for (int n = 3; n < 100; ++n) {
    sum += std::log(static_cast<long double>(n - 1));
    CAPTURE(n);
    CHECK(ulps(call("chlo.lgamma", {static_cast<double>(n)}), sum) < 3);
  }
}

} // namespace tw::test_gamma
