// SPDX-License-Identifier: Apache-2.0
// Cholesky and triangular solves the whole way from an op to cuSOLVER and cuBLAS, against the reference
// kernel: on doubles of the libraries and of the driver, and where there is a GPU on it.
#include <complex>
#include <cstring>
#include <string>

#include "cuda/on_queue.hpp"
#include "ops/attributes.hpp"

namespace tw::test_cuda_linear {

using graph::DType;
using test::uniform;

namespace {

constexpr DType kTypes[] = {DType::f32, DType::f64, DType::c64, DType::c128};

template <class Use> void by_type(DType type, Use &&use) {
  switch (type) {
  case DType::f32: use(float{}); break;
  case DType::f64: use(double{}); break;
  case DType::c64: use(std::complex<float>{}); break;
  default: use(std::complex<double>{}); break;
  }
}

template <class V> V number(test::Rng &rng) {
  const auto real = [&] { return static_cast<double>(uniform(rng, -1000, 1000)) / 1000; };
  if constexpr (std::is_floating_point_v<V>)
    return static_cast<V>(real());
  else
    return V(static_cast<typename V::value_type>(real()), static_cast<typename V::value_type>(real()));
}
template <class V> V conjugate(V v) {
  if constexpr (std::is_floating_point_v<V>)
    return v;
  else
    return std::conj(v);
}

// m m^H plus n on the diagonal, which is positive definite, or minus n, which is not. The triangle that must
// not be read has any numbers.
template <class V> std::vector<std::byte> matrices(test::Rng &rng, int64_t count, int64_t n, bool lower) {
  std::vector<V> all(static_cast<size_t>(count * n * n)), m(static_cast<size_t>(n * n));
  for (int64_t b = 0; b < count; ++b) {
    for (V &v : m)
      v = number<V>(rng);
    const bool definite = uniform(rng, 0, 4) != 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        V sum{};
        for (int64_t k = 0; k < n; ++k)
          sum += m[static_cast<size_t>(i * n + k)] * conjugate(m[static_cast<size_t>(j * n + k)]);
        const auto shift = static_cast<decltype(std::real(V()))>(definite ? n : -2 * n);
        V &to = all[static_cast<size_t>((b * n + i) * n + j)];
        to = i == j ? V(std::real(sum) + shift) : (j < i) == lower ? sum : number<V>(rng);
      }
  }
  std::vector<std::byte> bytes(all.size() * sizeof(V));
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return bytes;
}

// Largest difference of parts; NaN stands only for NaN.
double difference(DType type, const std::vector<std::byte> &a, const std::vector<std::byte> &b) {
  const DType part = type == DType::c64 ? DType::f32 : type == DType::c128 ? DType::f64 : type;
  return test::relative_difference(part, a, b);
}

bool is_wide(DType type) { return type == DType::f64 || type == DType::c128; }

} // namespace

TEST_CASE("Cholesky factors through the plug-in are those of the reference") {
  if (!test::has_gpu())
    return;
  test::Rng rng(291);
  int one_by_one = 0, batched = 0;
  for (int round = 0; round < 80; ++round) {
    CAPTURE(round);
    const DType type = kTypes[round % 4];
    const int64_t count = round % 8 < 4 ? 1 : uniform(rng, 2, 6), n = uniform(rng, 1, 7);
    const bool lower = uniform(rng, 0, 1);
    graph::Attrs attrs(1);
    attrs[ops::slot::cholesky::lower] = int64_t{lower};
    test::KernelCase c{"stablehlo.cholesky",
                       attrs,
                       {test::whole(type, {count, n, n})},
                       {test::whole(type, {count, n, n})},
                       {}};
    by_type(type, [&](auto zero) { c.data = {matrices<decltype(zero)>(rng, count, n, lower)}; });
    const auto kernel = c.bind_as(test::on_queue<device::cuda::cholesky_entry>);
    REQUIRE(kernel != nullptr);
    const std::string name = kernel->name();
    CHECK(name.starts_with("cusolver:potrf"));
    ++(name.ends_with("batched") ? batched : one_by_one);
    const auto got = c.run(*kernel, rng)[0], want = c.run(*c.bind_reference(), rng)[0];
    REQUIRE(difference(type, got, want) <= (is_wide(type) ? 1e-13 : 1e-5));
  }
  CHECK(one_by_one > 20);
  CHECK(batched > 20);
}

TEST_CASE("triangular solves through the plug-in are those of the reference, all ways round") {
  if (!test::has_gpu())
    return;
  test::Rng rng(292);
  int batched = 0;
  for (int way = 0; way < 4 * 2 * 2 * 2 * 3 * 2; ++way) {
    CAPTURE(way);
    const DType type = kTypes[way % 4];
    const bool left = way / 4 % 2, lower = way / 8 % 2, unit = way / 16 % 2;
    const std::string transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
                      transpose = transposes[way / 32 % 3];
    const int64_t count = way / 96 % 2 ? uniform(rng, 5, 8) : uniform(rng, 1, 4), rows = uniform(rng, 1, 6),
                  columns = uniform(rng, 1, 6), n = left ? rows : columns;
    graph::Attrs attrs(4);
    attrs[ops::slot::triangular_solve::left_side] = int64_t{left};
    attrs[ops::slot::triangular_solve::lower] = int64_t{lower};
    attrs[ops::slot::triangular_solve::unit_diagonal] = int64_t{unit};
    attrs[ops::slot::triangular_solve::transpose_a] = transpose;
    test::KernelCase c{"stablehlo.triangular_solve",
                       attrs,
                       {test::whole(type, {count, n, n}), test::whole(type, {count, rows, columns})},
                       {test::whole(type, {count, rows, columns})},
                       {}};
    by_type(type, [&](auto zero) {
      using V = decltype(zero);
      std::vector<V> a(static_cast<size_t>(count * n * n)), b(static_cast<size_t>(count * rows * columns));
      for (V &v : b)
        v = number<V>(rng);
      for (size_t i = 0; i < a.size(); ++i)
        a[i] =
            number<V>(rng) + (i % static_cast<size_t>(n * n) % static_cast<size_t>(n + 1) == 0 ? V(3) : V(0));
      for (const auto *values : {&a, &b}) {
        std::vector<std::byte> bytes(values->size() * sizeof(V));
        std::memcpy(bytes.data(), values->data(), bytes.size());
        c.data.push_back(std::move(bytes));
      }
    });
    const auto kernel = c.bind_as(test::on_queue<device::cuda::solve_entry>);
    REQUIRE(kernel != nullptr);
    const std::string name = kernel->name();
    CHECK(name.starts_with("cublas:trsm"));
    batched += name.ends_with("batched");
    const auto got = c.run(*kernel, rng)[0], want = c.run(*c.bind_reference(), rng)[0];
    REQUIRE(difference(type, got, want) <= (is_wide(type) ? 1e-12 : 1e-4));
  }
  CHECK(batched == 96);
}

TEST_CASE("matrices of other types are left to others") {
  graph::Attrs attrs(1);
  attrs[ops::slot::cholesky::lower] = int64_t{1};
  const test::KernelCase c{
      "stablehlo.cholesky", attrs, {test::whole(DType::f16, {3, 3})}, {test::whole(DType::f16, {3, 3})}, {}};
  CHECK(c.bind_as(test::on_queue<device::cuda::cholesky_entry>) == nullptr);
}

} // namespace tw::test_cuda_linear
