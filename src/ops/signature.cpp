// SPDX-License-Identifier: Apache-2.0
// The entry function's signature as ops: func.argument gives a value to the program, func.result takes one
// from it.
#include "ops/op_def.hpp"

#include <fmt/format.h>

namespace tw::ops::signature_ops {
namespace {

Rule argument_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    rule.out(0, d, rule.pass(op.results[0]->dims[d]));
  return rule.build();
}

Rule result_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.operands[0]->rank(); ++d)
    rule.in(0, d, rule.pass(op.operands[0]->dims[d]));
  return rule.build();
}

Result<std::vector<graph::TensorType>> infer_argument(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246", "an argument needs its type stated");
  return std::vector<graph::TensorType>{*op.results[0]};
}

Cost no_cost(const OpView &) { return {}; }

// slot::signature
const AttrSpec kMemory = {"memory_kind", AttrKind::string, false,
                          "the memory in which the caller has it, for those who read the program's text"};

OpDef argument() {
  OpDef def{"func.argument", "An argument of the program. Spec: Programs, func.", 0, 0, 1, {kMemory},
            kSideEffect};
  def.kind = OpKind::argument;
  def.infer = infer_argument;
  def.rule = argument_rule;
  def.cost = no_cost;
  return def;
}

OpDef result() {
  OpDef def{"func.result", "A result of the program. Spec: Programs, func.", 1, 1, 0, {kMemory}, kSideEffect};
  def.kind = OpKind::result;
  def.infer = [](const OpView &) -> Result<std::vector<graph::TensorType>> {
    return std::vector<graph::TensorType>();
  };
  def.rule = result_rule;
  def.cost = no_cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {argument(), result()};
  return defs;
}

} // namespace tw::ops::signature_ops
