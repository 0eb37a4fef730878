// SPDX-License-Identifier: Apache-2.0
// pad: an array with a value put around it and between its elements; negative edges cut away.
//
// A padded dimension may be split too: each device reads those elements that land in its tile of the result,
// and puts the value elsewhere.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::pad_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &from = *op.operands[0], &value = *op.operands[1];
  const auto low = op.ints(slot::pad::edge_padding_low), high = op.ints(slot::pad::edge_padding_high);
  const auto interior = op.ints(slot::pad::interior_padding);
  if (value.rank() != 0 || value.dtype != from.dtype)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 1, the padding value of {}, is {}: expected a scalar {}",
                            graph::to_short_text(from), graph::to_short_text(value),
                            graph::name(from.dtype)));
  if (low.size() != from.rank() || high.size() != from.rank() || interior.size() != from.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("edge_padding_low, edge_padding_high and interior_padding have {}, {} and {} "
                            "entries for operand 0, {}",
                            low.size(), high.size(), interior.size(), graph::to_short_text(from)));
  graph::TensorType to{from.dtype, graph::Shape(from.rank())};
  for (size_t d = 0; d < from.rank(); ++d) {
    if (interior[d] < 0)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("interior_padding of dimension {} is {}", d, interior[d]));
    int64_t size = 0;
    bool wrong = __builtin_mul_overflow(std::max<int64_t>(from.dims[d] - 1, 0), interior[d], &size);
    for (int64_t more : {from.dims[d], low[d], high[d]})
      wrong = __builtin_add_overflow(size, more, &size) || wrong;
    if (wrong || size < 0)
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("dimension {} of operand 0, {}, of size {}, padded by {} and {} is out of range", d,
                      graph::to_short_text(from), from.dims[d], low[d], high[d]));
    to.dims[d] = size;
  }
  return std::vector<graph::TensorType>{std::move(to)};
}

bool untouched(const OpView &op, size_t d) {
  return op.ints(slot::pad::edge_padding_low)[d] == 0 && op.ints(slot::pad::edge_padding_high)[d] == 0 &&
         (op.ints(slot::pad::interior_padding)[d] == 0 || op.operands[0]->dims[d] <= 1);
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    const int64_t from = op.operands[0]->dims[d], to = op.results[0]->dims[d];
    if (untouched(op, d)) {
      const FactorId f = rule.pass(from);
      rule.in(0, d, f).out(0, d, f);
    } else {
      const FactorId f = rule.pass(to);
      rule.out(0, d, f).slide({0,
                               static_cast<uint32_t>(d),
                               from,
                               {{f, 1}},
                               -op.ints(slot::pad::edge_padding_low)[d],
                               op.ints(slot::pad::interior_padding)[d] + 1,
                               {}},
                              0);
    }
  }
  return rule.build();
}

OpDef pad() {
  OpDef def{"stablehlo.pad",
            "An array with a value around and between its elements; negative edges cut. Spec: pad.",
            2,
            2,
            1,
            {{"edge_padding_low", AttrKind::ints, true,
              "elements put before the first, per dimension; negative cuts", AttrDims::zeros, "low"},
             {"edge_padding_high", AttrKind::ints, true,
              "elements put after the last, per dimension; negative cuts", AttrDims::zeros, "high"},
             {"interior_padding", AttrKind::ints, true, "elements put between neighbours, per dimension",
              AttrDims::zeros, "interior"}}};
  def.kind = OpKind::pad;
  def.infer = infer;
  def.rule = rule;
  def.cost = [](const OpView &op) {
    return Cost{0, static_cast<double>(op.operands[0]->bytes()), static_cast<double>(op.results[0]->bytes())};
  };
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {pad()};
  return defs;
}

} // namespace tw::ops::pad_ops
