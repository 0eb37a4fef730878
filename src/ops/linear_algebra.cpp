// SPDX-License-Identifier: Apache-2.0
// cholesky and triangular_solve: batches of small dense matrices factored and solved, each matrix on its own.
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::linear_algebra_ops {
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

Status check_matrices(const graph::TensorType &type, size_t operand) {
  if (!kFields.has(type.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("does not take operand {} of element type {}", operand, graph::name(type.dtype)));
  if (type.rank() < 2)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand {} is {}: expected matrices, of 2 or more dimensions", operand,
                            graph::to_short_text(type)));
  return {};
}

Status check_square(const graph::TensorType &type, size_t operand) {
  TW_TRY(check_matrices(type, operand));
  const size_t last = type.rank() - 1;
  if (type.dims[last] != type.dims[last - 1])
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("operand {} is {}: its matrices must be square, dimensions {} and {} are {} and {}",
                    operand, graph::to_short_text(type), last - 1, last, type.dims[last - 1],
                    type.dims[last]));
  return {};
}

// --- cholesky ---

Result<std::vector<graph::TensorType>> infer_cholesky(const OpView &op) {
  TW_TRY(check_square(*op.operands[0], 0));
  return std::vector<graph::TensorType>{*op.operands[0]};
}

Rule cholesky_rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t rank = op.operands[0]->rank();
  for (size_t d = 0; d < rank; ++d) {
    const int64_t size = op.operands[0]->dims[d];
    if (d + 2 < rank) {
      const FactorId f = rule.pass(size);
      rule.in(0, d, f).out(0, d, f);
    } else {
      rule.whole_in(0, d, size).whole_out(0, d, size);
    }
  }
  return rule.build();
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

Cost cholesky_cost(const OpView &op) {
  const auto bytes = static_cast<double>(op.operands[0]->bytes());
  return {static_cast<double>(op.operands[0]->elements()) * static_cast<double>(op.operands[0]->dims.back()) /
              3,
          bytes, bytes};
}

OpDef cholesky() {
  OpDef def{"stablehlo.cholesky",
            "The triangular factor l with a = l l^H, or u with a = u^H u, of Hermitian positive definite "
            "matrices; the other triangle is 0. Spec: cholesky.",
            1,
            1,
            1,
            {{"lower", AttrKind::boolean, false,
              "whether the lower triangle is read and written; else the upper"}}};
  def.flags |= kBatches;
  def.infer = infer_cholesky;
  def.rule = cholesky_rule;
  def.rule_text = "([i,n,n])->([i,n,n]) n:whole";
  def.cost = cholesky_cost;
  def.reference = cholesky_kernel;
  return def;
}

// --- triangular_solve ---

bool left_side(const OpView &op) { return op.integer(slot::triangular_solve::left_side) != 0; }

Result<std::vector<graph::TensorType>> infer_solve(const OpView &op) {
  const graph::TensorType &a = *op.operands[0], &b = *op.operands[1];
  TW_TRY(check_square(a, 0));
  TW_TRY(check_matrices(b, 1));
  if (a.dtype != b.dtype || a.rank() != b.rank())
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("operand 0 is {} but operand 1 is {}: expected one element type and as many dimensions",
                    graph::to_short_text(a), graph::to_short_text(b)));
  const size_t last = a.rank() - 1, side = left_side(op) ? last - 1 : last;
  for (size_t d = 0; d + 1 < last; ++d)
    if (a.dims[d] != b.dims[d])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand 0 is {} but operand 1 is {}: dimension {} is {} and {}",
                              graph::to_short_text(a), graph::to_short_text(b), d, a.dims[d], b.dims[d]));
  if (b.dims[side] != a.dims[last])
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("dimension {} of operand 1, {}, has size {}, the matrices of operand 0, {}, have {}",
                    side, graph::to_short_text(b), b.dims[side], graph::to_short_text(a), a.dims[last]));
  const std::string_view transpose = op.string(slot::triangular_solve::transpose_a);
  if (transpose != "NO_TRANSPOSE" && transpose != "TRANSPOSE" && transpose != "ADJOINT")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("transpose_a is `{}`, expected NO_TRANSPOSE, TRANSPOSE or ADJOINT", transpose));
  return std::vector<graph::TensorType>{b};
}

// Every right-hand side is solved on its own.
Rule solve_rule(const OpView &op) {
  RuleBuilder rule(op);
  const graph::TensorType &b = *op.operands[1];
  const size_t last = b.rank() - 1, side = left_side(op) ? last - 1 : last;
  for (size_t d = 0; d <= last; ++d) {
    const FactorId f = d == side ? rule.whole(b.dims[d]) : rule.pass(b.dims[d]);
    rule.in(1, d, f).out(0, d, f);
    if (d + 1 < last)
      rule.in(0, d, f);
    else if (d == side)
      rule.in(0, last - 1, f).in(0, last, f);
  }
  return rule.build();
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
  const bool left = left_side(args.op);
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

Cost solve_cost(const OpView &op) {
  return {static_cast<double>(op.operands[1]->elements()) * static_cast<double>(op.operands[0]->dims.back()),
          static_cast<double>(op.operands[0]->bytes() + op.operands[1]->bytes()),
          static_cast<double>(op.results[0]->bytes())};
}

OpDef triangular_solve() {
  OpDef def{
      "stablehlo.triangular_solve",
      "x with a x = b, or with x a = b, of triangular matrices a; only their triangle is read. Spec: "
      "triangular_solve.",
      2,
      2,
      1,
      {{"left_side", AttrKind::boolean, true, "a x = b if true, else x a = b"},
       {"lower", AttrKind::boolean, true, "whether a's lower triangle is meant, before it is transposed"},
       {"unit_diagonal", AttrKind::boolean, true, "whether a's diagonal is taken to be 1"},
       {"transpose_a", AttrKind::string, true, "NO_TRANSPOSE, TRANSPOSE or ADJOINT"}}};
  def.flags |= kBatches;
  def.infer = infer_solve;
  def.rule = solve_rule;
  def.rule_text = "([i,n,n],[i,n,j])->([i,n,j]) n:whole";
  def.cost = solve_cost;
  def.reference = solve_kernel;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {cholesky(), triangular_solve()};
  return defs;
}

} // namespace tw::ops::linear_algebra_ops
