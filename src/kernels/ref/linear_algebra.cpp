// SPDX-License-Identifier: Apache-2.0
// Batches of small dense matrices factored and solved, each matrix on its own.
#include <limits>
#include <vector>

#include "kernels/ref/references.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"

namespace tw::kernels::ref::linear_algebra_reference {
namespace {

constexpr TypeSet kFields = kFloats | kComplex;

template <class V> V conjugate(V v) {
  if constexpr (is_complex_value<V>)
    return std::conj(v);
  else
    return v;
}

// A square matrix seen through strides, so that transposing it is swapping them.
template <class V> struct Matrix {
  V *data;
  int64_t row, column;
  V &at(int64_t i, int64_t j) const { return data[i * row + j * column]; }
};

int64_t batches(std::span<const int64_t> extent) {
  int64_t n = 1;
  for (size_t d = 0; d + 2 < extent.size(); ++d)
    n *= extent[d];
  return n;
}

// Row by row: l[i][j] = (a[i][j] - sum of l[i][k] conj(l[j][k])) / l[j][j]. Reads the lower triangle of `a`
// only; the upper one of `l` becomes 0. A matrix that is not positive definite gives NaN throughout.
template <class V> void factor(const Matrix<V> &a, const Matrix<V> &l, int64_t n) {
  bool definite = true;
  for (int64_t i = 0; i < n && definite; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      V sum = a.at(i, j);
      for (int64_t k = 0; k < j; ++k)
        sum -= l.at(i, k) * conjugate(l.at(j, k));
      if (j < i) {
        l.at(i, j) = sum / l.at(j, j);
      } else {
        const auto pivot = std::real(sum);
        definite = pivot > 0;
        l.at(i, i) = V(std::sqrt(pivot));
      }
    }
    for (int64_t j = i + 1; j < n; ++j)
      l.at(i, j) = V(0);
  }
  if (!definite)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        l.at(i, j) = V(std::numeric_limits<decltype(std::real(V()))>::quiet_NaN());
}

template <class E> void cholesky_of(const KernelArgs &args) {
  using V = typename E::Value;
  const Buffer &in = args.operands[0];
  const int64_t n = in.extent.back(), size = n * n;
  const auto *from = static_cast<const typename E::Storage *>(in.data);
  auto *to = static_cast<typename E::Storage *>(args.results[0].data);
  const bool lower = args.op.integer(slot::cholesky::lower) != 0;
  std::vector<V> a(static_cast<size_t>(size)), l(a.size());
  for (int64_t b = batches(in.extent); b > 0; --b, from += size, to += size) {
    for (int64_t i = 0; i < size; ++i)
      a[static_cast<size_t>(i)] = E::load(from[i]);
    // a = u^H u of the upper triangle is the lower factor of the transposed, conjugated matrix, written
    // transposed.
    if (!lower)
      for (V &v : a)
        v = conjugate(v);
    factor<V>(lower ? Matrix<V>{a.data(), n, 1} : Matrix<V>{a.data(), 1, n},
              lower ? Matrix<V>{l.data(), n, 1} : Matrix<V>{l.data(), 1, n}, n);
    for (int64_t i = 0; i < size; ++i)
      to[i] = E::store(lower ? l[static_cast<size_t>(i)] : conjugate(l[static_cast<size_t>(i)]));
  }
}

Status cholesky_kernel(const KernelArgs &args) {
  if (args.results[0].elements() != 0)
    visit_dtype(args.results[0].dtype, [&]<class E>(E) {
      if constexpr (kFields.has(E::dtype))
        cholesky_of<E>(args);
    });
  return {};
}

struct Solve {
  bool forward, unit_diagonal, conjugated;
};

// a x = b in place of b, where only rows before the one at hand (behind it, going backwards) stand in a's
// row.
template <class V>
void solve(const Matrix<V> &a, const Matrix<V> &b, int64_t n, int64_t columns, const Solve &how) {
  const auto element = [&](int64_t i, int64_t k) {
    return how.conjugated ? conjugate(a.at(i, k)) : a.at(i, k);
  };
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = how.forward ? step : n - 1 - step;
    for (int64_t done = 0; done < step; ++done) {
      const int64_t k = how.forward ? done : n - 1 - done;
      const V factor = element(i, k);
      for (int64_t c = 0; c < columns; ++c)
        b.at(i, c) -= factor * b.at(k, c);
    }
    if (!how.unit_diagonal)
      for (int64_t c = 0; c < columns; ++c)
        b.at(i, c) /= element(i, i);
  }
}

template <class E> void solve_all(const KernelArgs &args) {
  using V = typename E::Value;
  const Buffer &out = args.results[0];
  const size_t last = out.extent.size() - 1;
  const bool left = args.op.integer(slot::triangular_solve::left_side) != 0;
  const std::string_view transpose = args.op.string(slot::triangular_solve::transpose_a);
  const bool transposed = transpose != "NO_TRANSPOSE";
  const int64_t rows = out.extent[last - 1], columns = out.extent[last], n = left ? rows : columns;
  const bool lower = args.op.integer(slot::triangular_solve::lower) != 0;
  // x a = b is a^T x^T = b^T.
  const bool swapped = transposed == left;
  const Solve how{lower != swapped, args.op.integer(slot::triangular_solve::unit_diagonal) != 0,
                  transpose == "ADJOINT"};
  const auto *a_from = static_cast<const typename E::Storage *>(args.operands[0].data);
  const auto *b_from = static_cast<const typename E::Storage *>(args.operands[1].data);
  auto *to = static_cast<typename E::Storage *>(out.data);
  std::vector<V> a(static_cast<size_t>(n * n)), b(static_cast<size_t>(rows * columns));
  for (int64_t left_over = batches(out.extent); left_over > 0; --left_over) {
    for (V &v : a)
      v = E::load(*a_from++);
    for (V &v : b)
      v = E::load(*b_from++);
    solve<V>(swapped ? Matrix<V>{a.data(), 1, n} : Matrix<V>{a.data(), n, 1},
             left ? Matrix<V>{b.data(), columns, 1} : Matrix<V>{b.data(), 1, columns}, n,
             left ? columns : rows, how);
    for (const V &v : b)
      *to++ = E::store(v);
  }
}

Status solve_kernel(const KernelArgs &args) {
  if (args.results[0].elements() != 0)
    visit_dtype(args.results[0].dtype, [&]<class E>(E) {
      if constexpr (kFields.has(E::dtype))
        solve_all<E>(args);
    });
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.cholesky", cholesky_kernel},
      {"stablehlo.triangular_solve", solve_kernel},
  };
  return all;
}

} // namespace tw::kernels::ref::linear_algebra_reference
