// SPDX-License-Identifier: Apache-2.0
// Ops through which partial values pass before they are combined: combining what each device makes of its
// partial operands gives what the op makes of the combined ones. Values for OpDef::linear.
#pragma once

#include "ops/op_def.hpp"

namespace tw::ops::linear {

// Every array of the set is partial and its elements are moved, not computed with: right for every kind.
template <uint64_t operands> bool moved(const OpView &, uint64_t partial, sharding::Reduction) {
  return partial == operands;
}

// The same of ops with any number of operands: all of them are partial.
inline bool moved_all(const OpView &op, uint64_t partial, sharding::Reduction) {
  return op.operands.size() < 64 && partial == (uint64_t{1} << op.operands.size()) - 1;
}

// On i1 a sum is a logical or, which no arithmetic follows.
inline bool is_sum(const OpView &op, sharding::Reduction kind) {
  return kind == sharding::Reduction::sum && op.operands[0]->dtype != graph::DType::i1;
}

// Sums pass where exactly these operands are partial: the op is linear in them together.
template <uint64_t operands> bool sums(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return partial == operands && is_sum(op, kind);
}

// Sums pass where one of two operands is partial: the op is linear in each.
inline bool product(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return (partial == 1 || partial == 2) && is_sum(op, kind);
}

// The op combines by `kind` itself.
template <sharding::Reduction by> bool combines(const OpView &, uint64_t partial, sharding::Reduction kind) {
  return partial == 3 && kind == by;
}

// An elementwise op with its property.
inline OpDef with(OpDef def, bool (*linear)(const OpView &, uint64_t, sharding::Reduction)) {
  def.linear = linear;
  return def;
}

} // namespace tw::ops::linear
