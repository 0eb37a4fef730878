// SPDX-License-Identifier: Apache-2.0
// reverse: an array read backwards along some dimensions. Split along one of these, each device reads the tile on the other side.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/linear.hpp"
#include "ops/op_def.hpp"
#include "ops/strided.hpp"

namespace tw::ops {
namespace {

bool is_reversed(const OpView &op, size_t d) {
  const auto dims = op.ints(slot::reverse::dimensions);
  return std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end();
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &type = *op.operands[0];
  const auto dims = op.ints(slot::reverse::dimensions);
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

Status reference(const KernelArgs &args) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  if (out.elements() == 0)
    return {};
  std::vector<int64_t> from = dense_strides(in.extent);
  int64_t first = 0;
  for (size_t d = 0; d < from.size(); ++d)
    if (is_reversed(args.op, d)) {
      first += (in.global[d] - 1 - out.offset[d] - in.offset[d]) * from[d];
      from[d] = -from[d];
    }
  const size_t size = graph::byte_size(out.dtype);
  copy_strided(out.data, dense_strides(out.extent),
               static_cast<const std::byte *>(in.data) + first * static_cast<int64_t>(size), from, out.extent,
               size);
  return {};
}

OpDef reverse() {
  OpDef def{"stablehlo.reverse",
            "An array read backwards along dimensions. Spec: reverse.",
            1,
            1,
            1,
            {{"dimensions", AttrKind::ints, true, "the dimensions read backwards", AttrDims::named, "dims"}}};
  def.flags |= kBatches;
  def.kind = OpKind::reverse;
  def.infer = infer;
  def.rule = rule;
  def.cost = [](const OpView &op) {
    return Cost{0, static_cast<double>(op.operands[0]->bytes()), static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved<0b1>;
  def.reference = reference;
  return def;
}

} // namespace

OpFamily reverse_ops() {
  static const OpDef defs[] = {reverse()};
  return defs;
}

} // namespace tw::ops
