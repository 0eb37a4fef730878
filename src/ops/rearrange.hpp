// SPDX-License-Identifier: Apache-2.0
// Ops that put the elements of operand 0 elsewhere: transpose, broadcast, slice, reverse. Such an op says
// which element each result element is, and has its reference, its kernel, its cost and its linearity from
// that.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "ops/linear.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

// Copies, or writes zeros where the elements do not lie in the operand's tile (of a factor that picks).
Status rearrange(const KernelArgs &args, std::span<const ElementRead> reads);

template <std::vector<ElementRead> (*Reads)(const OpView &op)> OpDef rearranging(OpDef def) {
  def.flags |= kRearranges;
  def.rearranges = Reads;
  def.reference = [](const KernelArgs &args) { return rearrange(args, Reads(args.op)); };
  def.cost = [](const OpView &op) {
    const auto read = static_cast<double>(std::min(op.operands[0]->bytes(), op.results[0]->bytes()));
    return Cost{0, read, static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved<0b1>;
  return def;
}

} // namespace tw::ops
