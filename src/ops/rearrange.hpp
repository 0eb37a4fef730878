// SPDX-License-Identifier: Apache-2.0
// Ops that put the elements of operand 0 elsewhere: transpose, broadcast, slice, reverse. Such an op says
// which element each result element is, and has its cost and its linearity from that, and what computes it.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/linear.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

template <std::vector<ElementRead> (*Reads)(const OpView &op)> OpDef rearranging(OpDef def) {
  def.flags |= kRearranges;
  def.rearranges = Reads;
  def.cost = [](const OpView &op) {
    const auto read = static_cast<double>(std::min(op.operands[0]->bytes(), op.results[0]->bytes()));
    return Cost{0, read, static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved<0b1>;
  return def;
}

} // namespace tw::ops
