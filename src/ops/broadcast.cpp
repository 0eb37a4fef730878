// SPDX-License-Identifier: Apache-2.0
// broadcast_in_dim: an array repeated along new and along size-1 dimensions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/rearrange.hpp"

namespace tw::ops::broadcast_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operand does not say it");
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  const auto dims = op.ints(slot::broadcast_in_dim::broadcast_dimensions);
  if (from.dtype != to.dtype)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} but the result is {}: element types differ",
                            graph::to_short_text(from), graph::to_short_text(to)));
  if (dims.size() != from.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("broadcast_dimensions [{}] has {} entries for operand 0, {}",
                            fmt::join(dims, ", "), dims.size(), graph::to_short_text(from)));
  std::vector<bool> taken(to.rank());
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t into = dims[d];
    if (into < 0 || into >= static_cast<int64_t>(to.rank()) || taken[static_cast<size_t>(into)])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("broadcast_dimensions [{}] must name different dimensions of the result {}",
                              fmt::join(dims, ", "), graph::to_short_text(to)));
    taken[static_cast<size_t>(into)] = true;
    if (from.dims[d] != 1 && from.dims[d] != to.dims[static_cast<size_t>(into)])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("dimension {} of operand 0 has size {} and cannot become dimension {} of the "
                              "result, of size {}",
                              d, from.dims[d], into, to.dims[static_cast<size_t>(into)]));
  }
  return std::vector<graph::TensorType>{to};
}

// A repeated dimension is a factor of the result alone: any device can make any part of it.
Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  const auto dims = op.ints(slot::broadcast_in_dim::broadcast_dimensions);
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  std::vector<FactorId> factor(to.rank());
  for (size_t d = 0; d < to.rank(); ++d) {
    factor[d] = rule.pass(to.dims[d]);
    rule.out(0, d, factor[d]);
  }
  for (size_t d = 0; d < from.rank(); ++d) {
    const auto into = static_cast<size_t>(dims[d]);
    if (from.dims[d] == to.dims[into])
      rule.in(0, d, factor[into]);
  }
  return rule.build();
}

std::vector<ElementRead> reads(const OpView &op) {
  const auto dims = op.ints(slot::broadcast_in_dim::broadcast_dimensions);
  std::vector<ElementRead> reads(op.results[0]->rank());
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto into = static_cast<size_t>(dims[d]);
    if (op.operands[0]->dims[d] == op.results[0]->dims[into])
      reads[into].dim = static_cast<int>(d);
  }
  return reads;
}

OpDef broadcast_in_dim() {
  OpDef def{"stablehlo.broadcast_in_dim",
            "Repeats an array along new dimensions and along those of size 1. Spec: broadcast_in_dim.",
            1,
            1,
            1,
            {{"broadcast_dimensions", AttrKind::ints, true,
              "for each dimension of the operand, the dimension of the result it becomes", AttrDims::paired,
              "dims"}}};
  def.flags |= kSourceOfSources | kPlaceless | kBatches;
  def.kind = OpKind::broadcast;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([i])->([i,j])";
  return rearranging<reads>(std::move(def));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {broadcast_in_dim()};
  return defs;
}

} // namespace tw::ops::broadcast_ops
