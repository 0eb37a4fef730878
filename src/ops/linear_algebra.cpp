// SPDX-License-Identifier: Apache-2.0
// cholesky and triangular_solve: batches of small dense matrices factored and solved, each matrix on its own.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::linear_algebra_ops {
namespace {

Status check_matrices(const graph::TensorType &type, size_t operand) {
  if (!(kFloats | kComplex).has(type.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("does not take operand {}, {}, of element type {}", operand,
                            graph::to_short_text(type), graph::name(type.dtype)));
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
  def.kind = OpKind::cholesky;
  def.flags |= kBatches;
  def.infer = infer_cholesky;
  def.rule = cholesky_rule;
  def.rule_text = "([i,n,n])->([i,n,n]) n:whole";
  def.cost = cholesky_cost;
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
  def.kind = OpKind::triangular_solve;
  def.flags |= kBatches;
  def.infer = infer_solve;
  def.rule = solve_rule;
  def.rule_text = "([i,n,n],[i,n,j])->([i,n,j]) n:whole";
  def.cost = solve_cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {cholesky(), triangular_solve()};
  return defs;
}

} // namespace tw::ops::linear_algebra_ops
