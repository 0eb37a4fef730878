// SPDX-License-Identifier: Apache-2.0
// constant: an array literal held by the graph. Each device copies the part it needs.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"
#include "ops/strided.hpp"

namespace tw::ops::constant_ops {
namespace {

const graph::Constant &literal(const OpView &op) {
  return op.graph.constant(std::get<graph::ConstantId>(op.attrs[slot::constant::value]));
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::Constant &value = literal(op);
  const graph::TensorType &type = op.graph.type_at(value.type);
  const auto expected = value.splat ? static_cast<int64_t>(graph::byte_size(type.dtype)) : type.bytes();
  if (static_cast<int64_t>(value.bytes->size()) != expected)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("the literal of {} has {} bytes, expected {}", graph::to_short_text(type),
                            value.bytes->size(), expected));
  return std::vector<graph::TensorType>{type};
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    rule.out(0, d, rule.pass(op.results[0]->dims[d]));
  return rule.build();
}

Status reference(const KernelArgs &args) {
  const graph::Constant &value = literal(args.op);
  const Buffer &out = args.results[0];
  const size_t size = graph::byte_size(out.dtype);
  if (value.splat) {
    fill(out.data, value.bytes->data(), out.elements(), size);
    return {};
  }
  const std::vector<int64_t> from = dense_strides(out.global);
  int64_t first = 0;
  for (size_t d = 0; d < from.size(); ++d)
    first += out.offset[d] * from[d];
  copy_strided(out.data, dense_strides(out.extent), value.bytes->data() + first * static_cast<int64_t>(size),
               from, out.extent, size);
  return {};
}

OpDef constant() {
  OpDef def{"stablehlo.constant",
            "An array literal. Spec: constant.",
            0,
            0,
            1,
            {{"value", AttrKind::constant, true, "the literal; its type is the result's"}},
            kSource};
  def.kind = OpKind::constant;
  def.infer = infer;
  def.rule = rule;
  def.mark_placed = [](const OpView &op, const Rule &rule, std::vector<bool> &placed) {
    if (!op.graph.constant(std::get<graph::ConstantId>(op.attrs[slot::constant::value])).splat)
      mark_all(rule.results[0], placed);
  };
  def.rule_text = "()->([i,j])";
  def.cost = [](const OpView &op) { return Cost{0, 0, static_cast<double>(op.results[0]->bytes())}; };
  def.reference = reference;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {constant()};
  return defs;
}

} // namespace tw::ops::constant_ops
