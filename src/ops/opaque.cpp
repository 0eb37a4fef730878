// SPDX-License-Identifier: Apache-2.0
// Ops that programs may hold and plans may pass through, but that have no kernel: custom_call and rng.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {
namespace {

Result<std::vector<graph::TensorType>> stated_types(const OpView &op) {
  std::vector<graph::TensorType> types;
  for (const graph::TensorType *t : op.results)
    types.push_back(*t);
  return types;
}

// Nothing is known of what it does, so everything stays whole.
Rule whole_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t v = 0; v < op.operands.size(); ++v)
    for (size_t d = 0; d < op.operands[v]->rank(); ++d)
      rule.whole_in(v, d, op.operands[v]->dims[d]);
  for (size_t v = 0; v < op.results.size(); ++v)
    for (size_t d = 0; d < op.results[v]->rank(); ++d)
      rule.whole_out(v, d, op.results[v]->dims[d]);
  return rule.build();
}

OpDef custom_call() {
  OpDef def{"stablehlo.custom_call",
            "A call of code that the program names but does not hold. Spec: custom_call.",
            0,
            -1,
            -1,
            {{"call_target_name", AttrKind::string, true, "what is called"},
             {"has_side_effect", AttrKind::boolean, false, "whether it does more than compute its results"},
             {"backend_config", AttrKind::string, false, "text for the callee"},
             {"api_version", AttrKind::integer, false, "how the callee takes its arguments"}},
            kOpaque};
  def.infer = stated_types;
  def.check = [](const OpView &) -> Status { return {}; };
  def.rule = whole_rule;
  return def;
}

Result<std::vector<graph::TensorType>> infer_rng(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operands do not say it");
  for (size_t v : {size_t(0), size_t(1)})
    if (op.operands[v]->rank() != 0 || op.operands[v]->dtype != op.results[0]->dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {}: expected a scalar {}", v,
                              graph::to_short_text(*op.operands[v]), graph::name(op.results[0]->dtype)));
  const graph::TensorType &shape = *op.operands[2];
  if (shape.rank() != 1 || !graph::is_int(shape.dtype) ||
      shape.dims[0] != static_cast<int64_t>(op.results[0]->rank()))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 2, the shape of {}, is {}: expected {} integers",
                            graph::to_short_text(*op.results[0]), graph::to_short_text(shape),
                            op.results[0]->rank()));
  const std::string_view distribution = op.string(slot::rng::rng_distribution);
  if (distribution != "UNIFORM" && distribution != "NORMAL")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("rng_distribution is `{}`, expected UNIFORM or NORMAL", distribution));
  return std::vector<graph::TensorType>{*op.results[0]};
}

// Every element is drawn on its own.
Rule rng_rule(const OpView &op) {
  RuleBuilder rule(op);
  rule.whole_in(2, 0, op.operands[2]->dims[0]);
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    rule.out(0, d, rule.pass(op.results[0]->dims[d]));
  return rule.build();
}

OpDef rng() {
  OpDef def{"stablehlo.rng",
            "Random numbers from a hidden state. Spec: rng.",
            3,
            3,
            1,
            {{"rng_distribution", AttrKind::string, true,
              "UNIFORM (operands: least, greatest) or NORMAL (mean, deviation)"}},
            kOpaque};
  def.infer = infer_rng;
  def.rule = rng_rule;
  return def;
}

} // namespace

OpFamily opaque_ops() {
  static const OpDef defs[] = {custom_call(), rng()};
  return defs;
}

} // namespace tw::ops
