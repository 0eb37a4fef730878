// SPDX-License-Identifier: Apache-2.0
// transpose: an array with its dimensions in another order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/rearrange.hpp"

namespace tw::ops::transpose_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &from = *op.operands[0];
  const auto permutation = op.ints(slot::transpose::permutation);
  std::vector<bool> taken(from.rank());
  bool valid = permutation.size() == from.rank();
  for (size_t d = 0; valid && d < permutation.size(); ++d) {
    const int64_t p = permutation[d];
    valid = p >= 0 && p < static_cast<int64_t>(from.rank()) && !taken[static_cast<size_t>(p)];
    if (valid)
      taken[static_cast<size_t>(p)] = true;
  }
  if (!valid)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("permutation [{}] is not one of the {} dimensions of operand 0, {}",
                            fmt::join(permutation, ", "), from.rank(), graph::to_short_text(from)));
  graph::TensorType to{from.dtype, graph::Shape(from.rank())};
  for (size_t d = 0; d < permutation.size(); ++d)
    to.dims[d] = from.dims[static_cast<size_t>(permutation[d])];
  return std::vector<graph::TensorType>{std::move(to)};
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  const auto permutation = op.ints(slot::transpose::permutation);
  for (size_t d = 0; d < permutation.size(); ++d) {
    const FactorId f = rule.pass(op.results[0]->dims[d]);
    rule.in(0, static_cast<size_t>(permutation[d]), f).out(0, d, f);
  }
  return rule.build();
}

std::vector<ElementRead> reads(const OpView &op) {
  std::vector<ElementRead> reads;
  for (const int64_t from : op.ints(slot::transpose::permutation))
    reads.push_back({static_cast<int>(from), 0, 1});
  return reads;
}

OpDef transpose() {
  OpDef def{
      "stablehlo.transpose",
      "Dimensions in another order. Spec: transpose.",
      1,
      1,
      1,
      {{"permutation", AttrKind::ints, true,
        "for each dimension of the result, the dimension of the operand it was", AttrDims::paired, "dims"}}};
  def.flags |= kPassThrough | kPlaceless | kBatches;
  def.kind = OpKind::transpose;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([i,j])->([j,i])";
  return rearranging<reads>(std::move(def));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {transpose()};
  return defs;
}

} // namespace tw::ops::transpose_ops
