// SPDX-License-Identifier: Apache-2.0
// Makes expressions node by node.
#include "ops/expression.hpp"

#include <algorithm>
#include <string_view>

namespace tw::ops {

using graph::DType;

const char *name(ScalarOp op) {
  static constexpr const char *kNames[] = {
#define TW_SCALAR_OP(name, arguments) #name,
#include "ops/scalar_op_list.inc"
#undef TW_SCALAR_OP
  };
  return kNames[static_cast<size_t>(op)];
}

size_t num_arguments(ScalarOp op) {
  static constexpr size_t kArguments[] = {
#define TW_SCALAR_OP(name, arguments) arguments,
#include "ops/scalar_op_list.inc"
#undef TW_SCALAR_OP
  };
  return kArguments[static_cast<size_t>(op)];
}

DType wide_type(DType dtype) { return graph::is_float(dtype) && dtype != DType::f64 ? DType::f32 : dtype; }

DType part_type(DType dtype) {
  return dtype == DType::c64 ? DType::f32 : dtype == DType::c128 ? DType::f64 : dtype;
}

DType Scalar::dtype() const { return builder_->dtype(node_); }

ScalarBuilder::ScalarBuilder(const OpView &op) : result_(op.results[0]->dtype) {
  for (const graph::TensorType *type : op.operands)
    operands_.push_back(type->dtype);
}

Scalar ScalarBuilder::add(ScalarNode node) {
  nodes_.push_back(std::move(node));
  return {*this, static_cast<uint32_t>(nodes_.size() - 1)};
}

Scalar ScalarBuilder::operand(uint32_t i) { return add({ScalarOp::operand, operands_[i], {}, i}); }

Scalar ScalarBuilder::wide(uint32_t i) { return convert(operand(i), wide_type(operands_[i])); }

Scalar ScalarBuilder::literal(DType dtype, double value) {
  return add({ScalarOp::literal, dtype, {}, 0, value});
}

Scalar ScalarBuilder::make(ScalarOp op, DType dtype, std::initializer_list<Scalar> args) {
  TW_ASSERT(args.size() == num_arguments(op));
  ScalarNode node{op, dtype};
  for (const Scalar &arg : args)
    node.args.push_back(arg.node());
  return add(std::move(node));
}

Scalar ScalarBuilder::call(const ScalarFunction &function, DType dtype, std::initializer_list<Scalar> args) {
  ScalarNode node{ScalarOp::call, dtype, {}, 0, 0, &function};
  for (const Scalar &arg : args)
    node.args.push_back(arg.node());
  return add(std::move(node));
}

Expression ScalarBuilder::result(Scalar value) && {
  const uint32_t last = convert(value, result_).node();
  return {std::move(nodes_), std::move(operands_), last};
}

namespace {

Scalar of_two(ScalarOp op, Scalar a, Scalar b) { return a.builder().make(op, a.dtype(), {a, b}); }

// Whether a stands before b: by real, then by imaginary parts.
Scalar stands_before(Scalar a, Scalar b) {
  return less(real(a), real(b)) | (equal(real(a), real(b)) & less(imag(a), imag(b)));
}

} // namespace

Scalar operator+(Scalar a, Scalar b) { return of_two(ScalarOp::add, a, b); }
Scalar operator-(Scalar a, Scalar b) { return of_two(ScalarOp::subtract, a, b); }
Scalar operator*(Scalar a, Scalar b) { return of_two(ScalarOp::multiply, a, b); }
Scalar operator/(Scalar a, Scalar b) { return of_two(ScalarOp::divide, a, b); }
Scalar operator-(Scalar a) { return one_of(ScalarOp::negate, a); }
Scalar operator&(Scalar a, Scalar b) { return of_two(ScalarOp::bit_and, a, b); }
Scalar operator|(Scalar a, Scalar b) { return of_two(ScalarOp::bit_or, a, b); }
Scalar operator^(Scalar a, Scalar b) { return of_two(ScalarOp::bit_xor, a, b); }
Scalar equal(Scalar a, Scalar b) { return a.builder().make(ScalarOp::equal, DType::i1, {a, b}); }
Scalar less(Scalar a, Scalar b) { return a.builder().make(ScalarOp::less, DType::i1, {a, b}); }
Scalar select(Scalar condition, Scalar a, Scalar b) {
  return a.builder().make(ScalarOp::select, a.dtype(), {condition, a, b});
}
Scalar maximum(Scalar a, Scalar b) {
  return a.is_complex() ? select(stands_before(b, a), a, b) : of_two(ScalarOp::maximum, a, b);
}
Scalar minimum(Scalar a, Scalar b) {
  return a.is_complex() ? select(stands_before(a, b), a, b) : of_two(ScalarOp::minimum, a, b);
}
Scalar convert(Scalar a, DType dtype) {
  return a.dtype() == dtype ? a : a.builder().make(ScalarOp::convert, dtype, {a});
}
Scalar recast(Scalar a, DType dtype) { return a.builder().make(ScalarOp::recast, dtype, {a}); }
Scalar like(Scalar a, double value) { return a.builder().literal(a.dtype(), value); }
Scalar real(Scalar a) { return a.builder().make(ScalarOp::real, part_type(a.dtype()), {a}); }
Scalar imag(Scalar a) { return a.builder().make(ScalarOp::imag, part_type(a.dtype()), {a}); }
Scalar complex(Scalar real, Scalar imag) {
  return real.builder().make(ScalarOp::complex, real.dtype() == DType::f32 ? DType::c64 : DType::c128,
                             {real, imag});
}
Scalar one_of(ScalarOp op, Scalar a) { return a.builder().make(op, a.dtype(), {a}); }

std::vector<OpDef> with_scalars(OpFamily family,
                                std::initializer_list<std::pair<const char *, ScalarFn>> scalars) {
  std::vector<OpDef> defs(family.begin(), family.end());
  for (const auto &scalar : scalars) {
    const auto def =
        std::ranges::find_if(defs, [&](const OpDef &d) { return std::string_view(d.name) == scalar.first; });
    TW_ASSERT(def != defs.end());
    def->scalar = scalar.second;
  }
  return defs;
}

} // namespace tw::ops
