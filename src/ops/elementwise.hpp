// SPDX-License-Identifier: Apache-2.0
// Makes an elementwise op of its element types: unary<takes>(name, doc, traits) and binary<takes>(name, doc,
// traits) give the whole OpDef. Where the result's type is not the operands', a second argument says which it
// is: unary<kFloats, truth>(..).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ops/element.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

// Shape and type rule of ops whose operands all have the first one's type, which must be in `takes`.
Result<graph::TensorType> infer_same_operands(const OpView &op, TypeSet takes);
// Operands of the result's rank share its factors; operands of rank 0 beside it have none.
Rule elementwise_rule(const OpView &op);

// Result types by operand type.
constexpr DType same_type(DType operand) { return operand; }
constexpr DType truth(DType) { return DType::i1; }
constexpr DType part_of_complex(DType operand) {
  return operand == DType::c64 ? DType::f32 : operand == DType::c128 ? DType::f64 : operand;
}
constexpr DType complex_of(DType part) { return part == DType::f32 ? DType::c64 : DType::c128; }

namespace elementwise {

template <TypeSet takes, DType (*result)(DType)>
Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  TW_ASSIGN(graph::TensorType type, infer_same_operands(op, takes));
  type.dtype = result(type.dtype);
  return std::vector<graph::TensorType>{std::move(type)};
}

template <TypeSet takes, DType (*result)(DType)>
OpDef make(const char *name, const char *doc, int operands, uint32_t flags, std::vector<AttrSpec> attrs) {
  OpDef def{name, doc, operands, operands, 1, std::move(attrs), kElementwise | flags};
  def.infer = infer<takes, result>;
  def.rule = elementwise_rule;
  return def;
}

} // namespace elementwise

template <TypeSet takes, DType (*result)(DType) = same_type>
OpDef unary(const char *name, const char *doc, uint32_t flags = 0, std::vector<AttrSpec> attrs = {}) {
  return elementwise::make<takes, result>(name, doc, 1, flags, std::move(attrs));
}

template <TypeSet takes, DType (*result)(DType) = same_type>
OpDef binary(const char *name, const char *doc, uint32_t flags = 0, std::vector<AttrSpec> attrs = {}) {
  return elementwise::make<takes, result>(name, doc, 2, flags, std::move(attrs));
}

// The attribute that StableHLO gives transcendental ops; read and kept, our functions are within its default.
std::vector<AttrSpec> result_accuracy();

} // namespace tw::ops
