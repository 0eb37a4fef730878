// SPDX-License-Identifier: Apache-2.0
// reverse: an array read backwards along some dimensions. Split along one of these, each device reads the
// tile on the other side.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/rearrange.hpp"

namespace tw::ops::reverse_ops {
namespace {

constexpr size_t kDimensions = 0; // the attribute

bool is_reversed(const OpView &op, size_t d) {
  const auto dims = op.ints(kDimensions);
  return std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end();
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &type = *op.operands[0];
  const auto dims = op.ints(kDimensions);
  std::vector<bool> taken(type.rank());
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(type.rank()) || taken[static_cast<size_t>(d)])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("dimensions [{}] must name different dimensions of operand 0, {}",
                              fmt::join(dims, ", "), graph::to_short_text(type)));
    taken[static_cast<size_t>(d)] = true;
  }
  return std::vector<graph::TensorType>{type};
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d) {
    const int64_t size = op.results[0]->dims[d];
    const FactorId f = rule.pass(size);
    rule.out(0, d, f);
    if (size > 1 && is_reversed(op, d))
      rule.slide({0, static_cast<uint32_t>(d), size, {{f, -1}}, size - 1, 1, {}}, 0);
    else
      rule.in(0, d, f);
  }
  return rule.build();
}

std::vector<ElementRead> reads(const OpView &op) {
  std::vector<ElementRead> reads;
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    reads.push_back(is_reversed(op, d) ? ElementRead{static_cast<int>(d), op.results[0]->dims[d] - 1, -1}
                                       : ElementRead{static_cast<int>(d), 0, 1});
  return reads;
}

OpDef reverse() {
  OpDef def{"stablehlo.reverse",
            "An array read backwards along dimensions. Spec: reverse.",
            1,
            1,
            1,
            {{"dimensions", AttrKind::ints, true, "the dimensions read backwards", AttrDims::named, "dims"}}};
  def.flags |= kBatches;
  def.infer = infer;
  def.rule = rule;
  return rearranging<reads>(std::move(def));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {reverse()};
  return defs;
}

} // namespace tw::ops::reverse_ops
