// SPDX-License-Identifier: Apache-2.0
// concatenate: arrays one after the other along a dimension.
//
// Split along that dimension, each device reads those parts of the arrays that lie in its tile of the result.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/linear.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::concatenate_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  graph::TensorType to = *op.operands[0];
  const int64_t dim = op.integer(slot::concatenate::dimension);
  if (dim < 0 || dim >= static_cast<int64_t>(to.rank()))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("dimension is {}, but operand 0, {}, has {} dimensions", dim,
                            graph::to_short_text(to), to.rank()));
  const auto along = static_cast<size_t>(dim);
  for (size_t v = 1; v < op.operands.size(); ++v) {
    graph::TensorType other = *op.operands[v];
    if (other.rank() == to.rank())
      other.dims[along] = op.operands[0]->dims[along];
    if (!(other == *op.operands[0]))
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand 0 is {} but operand {} is {}: they may differ in dimension {} only",
                              graph::to_short_text(*op.operands[0]), v, graph::to_short_text(*op.operands[v]),
                              dim));
    if (__builtin_add_overflow(to.dims[along], op.operands[v]->dims[along], &to.dims[along]))
      return fail(Code::invalid_argument, "TW-221",
                  fmt::format("the operands have more than 2^63 elements along dimension {}", dim));
  }
  return std::vector<graph::TensorType>{std::move(to)};
}

Rule rule(const OpView &op) {
  const auto along = static_cast<size_t>(op.integer(slot::concatenate::dimension));
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d) {
    const FactorId f = rule.pass(op.results[0]->dims[d]);
    rule.out(0, d, f);
    int64_t begin = 0;
    for (size_t v = 0; v < op.operands.size(); ++v) {
      const int64_t size = op.operands[v]->dims[d];
      if (d != along || size == op.results[0]->dims[d])
        rule.in(v, d, f);
      else
        rule.slide({static_cast<uint32_t>(v), static_cast<uint32_t>(d), size, {{f, 1}}, -begin, 1, {}}, 0);
      begin += size;
    }
  }
  return rule.build();
}

OpDef concatenate() {
  OpDef def{"stablehlo.concatenate",
            "Arrays one after the other along a dimension. Spec: concatenate.",
            1,
            -1,
            1,
            {{"dimension", AttrKind::integer, true, "the dimension that grows", AttrDims::named, "dim"}}};
  def.flags |= kBatches;
  def.kind = OpKind::concatenate;
  def.infer = infer;
  def.rule = rule;
  def.cost = [](const OpView &op) {
    return Cost{0, static_cast<double>(op.results[0]->bytes()), static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved_all;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {concatenate()};
  return defs;
}

} // namespace tw::ops::concatenate_ops
