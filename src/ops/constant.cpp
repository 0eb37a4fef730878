// SPDX-License-Identifier: Apache-2.0
// constant: an array literal held by the graph. Each device copies the part it needs.
#include <fmt/format.h>

#include "ops/literal.hpp"

namespace tw::ops::constant_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::Constant &value = literal_of(op);
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
    if (!literal_of(op).splat)
      mark_all(rule.results[0], placed);
  };
  def.rule_text = "()->([i,j])";
  def.cost = [](const OpView &op) { return Cost{0, 0, static_cast<double>(op.results[0]->bytes())}; };
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {constant()};
  return defs;
}

} // namespace tw::ops::constant_ops
