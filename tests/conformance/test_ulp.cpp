// SPDX-License-Identifier: Apache-2.0
// Errors of float functions against long double, op by op and type by type, under the bounds that ulp.md
// states.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "conformance/long_functions.hpp"
#include "kernels/ref/convert.hpp"
#include "kernels/ref/references.hpp"

namespace tw::test_ulp {

using graph::DType;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Bound {
  std::string op;
  double f32, f64, narrow, near;
  double of(DType type) const { return type == DType::f64 ? f64 : type == DType::f32 ? f32 : narrow; }
};

std::vector<Bound> read_bounds() {
  std::ifstream file(TW_ULP_TABLE);
  std::vector<Bound> bounds;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| ") || line.find('.') == std::string::npos)
      continue;
    std::ranges::replace(line, '|', ' ');
    Bound b{};
    std::istringstream(line) >> b.op >> b.f32 >> b.f64 >> b.narrow >> b.near;
    bounds.push_back(b);
  }
  return bounds;
}

// Ops whose results are exact, or that one IEEE operation rounds.
const std::set<std::string> kRoundedOnce = {
    "chlo.conj",
    "chlo.next_after",
    "chlo.square",
    "stablehlo.abs",
    "stablehlo.add",
    "stablehlo.ceil",
    "stablehlo.clamp",
    "stablehlo.convert",
    "stablehlo.divide",
    "stablehlo.floor",
    "stablehlo.imag",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.negate",
    "stablehlo.real",
    "stablehlo.reduce_precision",
    "stablehlo.remainder",
    "stablehlo.round_nearest_afz",
    "stablehlo.round_nearest_even",
    "stablehlo.select",
    "stablehlo.sign",
    "stablehlo.subtract",
};

std::vector<std::byte> converted(const std::vector<std::byte> &data, int64_t n, DType from, DType to) {
  std::vector<std::byte> out(static_cast<size_t>(n) * graph::byte_size(to));
  const void *in = data.data();
  kernels::ref::convert_block(from, to)(&in, out.data(), n);
  return out;
}

std::vector<double> as_doubles(const std::vector<std::byte> &data, int64_t n, DType from) {
  const auto wide = from == DType::f64 ? data : converted(data, n, from, DType::f64);
  std::vector<double> out(static_cast<size_t>(n));
  std::memcpy(out.data(), wide.data(), wide.size());
  return out;
}

std::vector<std::byte> from_doubles(const std::vector<double> &values, DType to) {
  std::vector<std::byte> data(values.size() * sizeof(double));
  std::memcpy(data.data(), values.data(), data.size());
  return to == DType::f64 ? data : converted(data, static_cast<int64_t>(values.size()), DType::f64, to);
}

// What a type's arithmetic can tell apart.
struct Format {
  int digits, least_exponent; // of the last place of the smallest numbers
  double largest;
};
Format format_of(DType type) {
  switch (type) {
  case DType::f64: return {53, -1074, std::numeric_limits<double>::max()};
  case DType::f32: return {24, -149, static_cast<double>(std::numeric_limits<float>::max())};
  case DType::f16: return {11, -24, 65504};
  default: return {8, -133, 0x1.FEp127};
  }
}

// Distance in units in the last place of the wanted value, or of `near` where that is larger; beyond the
// largest number lies infinity, one unit further. Infinite where one of the two is special and the other is
// another.
double ulps(double got, long double want, DType type, double near) {
  const Format format = format_of(type);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : kInfinity;
  const auto ulp_of = [&](long double x) {
    const int exponent = std::max(std::ilogb(x) + 1 - format.digits, format.least_exponent);
    return std::ldexp(1.0L, exponent);
  };
  const long double end = static_cast<long double>(format.largest) + ulp_of(format.largest);
  const auto clipped = [&](long double x) { return std::clamp(x, -end, end); };
  const long double size = std::max(
      {std::fabs(clipped(want)), static_cast<long double>(near), std::ldexp(1.0L, format.least_exponent)});
  return static_cast<double>(std::fabs(clipped(got) - clipped(want)) /
                             ulp_of(std::min(size, static_cast<long double>(format.largest))));
}

// Numbers of a type from all over its range, more of them where programs live, and the edges of functions.
std::vector<double> samples(test::Rng &rng, DType type, size_t n) {
  std::vector<double> x = {0.0,
                           -0.0,
                           kInfinity,
                           -kInfinity,
                           std::nan(""),
                           format_of(type).largest,
                           std::ldexp(1.0, format_of(type).least_exponent)};
  for (const double edge :
       {1.0, 2.0, M_PI_2, M_PI, 3 * M_PI, 1e5, 0.5, 36.0, 88.72, 709.78, 745.0, 27.2, 30.0})
    for (const double beside : {0.0, 1e-15, -1e-15, 1e-7, -1e-7, 1e-3, -1e-3})
      x.insert(x.end(), {edge * (1 + beside), -edge * (1 + beside)});
  std::uniform_real_distribution<double> moderate(-20, 20), log_distance(-52, 0);
  while (x.size() < n)
    switch (rng() % 4) {
    case 0: x.push_back(moderate(rng)); break;
    case 1: x.push_back((rng() % 2 ? 1 : -1) + (rng() % 2 ? 1 : -1) * std::exp2(log_distance(rng))); break;
    default:
      x.push_back(type == DType::f64
                      ? std::bit_cast<double>(rng())
                      : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(rng()))));
    }
  for (double &v : x)
    v = std::isnan(v) ? std::nan("") : v; // what a signalling NaN gives is nobody's promise
  return x;
}

// Operands of an op of a type: for a narrow one every value.
std::vector<std::vector<std::byte>> operands_of(test::Rng &rng, DType type, size_t arity, size_t n) {
  const bool narrow = graph::byte_size(type) == 2;
  if (narrow && arity == 1) {
    std::vector<std::byte> all(2 << 16);
    for (uint32_t code = 0; code < 1 << 16; ++code)
      std::memcpy(&all[2 * code], &code, 2);
    return {all};
  }
  std::vector<double> first = samples(rng, type, n);
  if (arity == 1)
    return {from_doubles(first, type)};
  std::vector<double> second = samples(rng, type, n);
  std::shuffle(second.begin(), second.end(), rng);
  for (size_t i = 0; i < n; i += 2) { // orders and exponents are mostly small whole numbers
    first[i] = i % 4 ? static_cast<double>(rng() % 30) : first[i];
    second[i] = i % 4 ? static_cast<double>(rng() % 400) / 8 - 20 : static_cast<double>(rng() % 21) - 10;
  }
  return {from_doubles(first, type), from_doubles(second, type)};
}

struct Worst {
  double error = 0, x = 0, y = 0, got = 0;
  long double want = 0;
};

Worst measure(const Bound &bound, const test::LongFunction &function, DType type) {
  test::Rng rng(7);
  test::KernelCase call;
  call.op = bound.op;
  call.attrs.resize(ops::op_def(*ops::find_op(bound.op)).attrs.size());
  const size_t arity = function.binary ? 2 : 1;
  call.data = operands_of(rng, type, arity, function.binary ? 20'000 : 60'000);
  const auto n = static_cast<int64_t>(call.data[0].size() / graph::byte_size(type));
  call.operands.assign(arity, test::whole(type, {n}));
  call.results = {test::whole(type, {n})};
  const auto got = as_doubles(call.run(*call.bind(), rng)[0], n, type);
  std::vector<std::vector<double>> in;
  for (const auto &data : call.data)
    in.push_back(as_doubles(data, n, type));
  Worst worst;
  for (size_t i = 0; i < got.size(); ++i) {
    const double x = in[0][i], y = function.binary ? in[1][i] : 0;
    if (function.domain && !function.domain(x, y))
      continue;
    const long double want = function.binary ? function.binary(x, y) : function.unary(x);
    if (const double error = ulps(got[i], want, type, bound.near); error > worst.error || i == 0)
      worst = {error, x, y, got[i], want};
  }
  return worst;
}

} // namespace

TEST_CASE("float functions keep the bounds of ulp.md") {
  for (const Bound &bound : read_bounds()) {
    const test::LongFunction *function = test::find_long_function(bound.op);
    CAPTURE(bound.op);
    REQUIRE(function);
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      const Worst worst = measure(bound, *function, type);
      CAPTURE(graph::name(type));
      CAPTURE(worst.x);
      CAPTURE(worst.y);
      CAPTURE(worst.got);
      CAPTURE(static_cast<double>(worst.want));
      CHECK(worst.error <= bound.of(type));
    }
  }
}

TEST_CASE("every float function has a bound, or is rounded once") {
  std::set<std::string> stated;
  for (const Bound &bound : read_bounds())
    CHECK_MESSAGE(stated.insert(bound.op).second, bound.op);
  CHECK(stated.size() > 20);
  const graph::TensorType scalar{DType::f64, {}};
  const graph::TensorType *operands[] = {&scalar, &scalar, &scalar}, *results[] = {&scalar};
  const graph::GraphBuilder empty("", "");
  for (const ops::OpDef *def : ops::all_ops()) {
    if ((def->flags & ops::kElementwise) == 0)
      continue;
    const graph::Attrs attrs(def->attrs.size());
    const auto arity = static_cast<size_t>(std::max(def->min_operands, 0));
    const ops::OpView view{empty.graph(), attrs, std::span(operands).first(arity), results, {}};
    const auto types = def->infer(view);
    const bool makes_floats = types && types->size() == 1 && (*types)[0].dtype == DType::f64;
    if (makes_floats && kernels::ref::block_of(*def, view) != nullptr && !kRoundedOnce.contains(def->name))
      CHECK_MESSAGE(stated.contains(def->name), def->name);
  }
}

} // namespace tw::test_ulp
