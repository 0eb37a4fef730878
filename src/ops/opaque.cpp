// SPDX-License-Identifier: Apache-2.0
// custom_call: what programs may hold and plans pass through. What runs it comes from outside.
#include "ops/attributes.hpp"
#include "ops/lapack_calls.hpp"
#include "ops/linear.hpp"
#include "ops/placement.hpp"
#include "ops/plain_cost.hpp"
#include "ops/registry.hpp"

namespace tw::ops {

bool is_placement(const OpDef &def, const OpView &op) {
  return def.kind == OpKind::custom_call &&
         op.string(slot::custom_call::call_target_name) == "annotate_device_placement" &&
         op.operands.size() == 1 && op.results.size() == 1 && *op.operands[0] == *op.results[0];
}

bool is_placement(const graph::Graph &graph, graph::OpId op) {
  const OpDef &def = op_def(graph.op(op).code);
  return def.kind == OpKind::custom_call && is_placement(def, OpViewHolder(graph, op).view());
}

namespace opaque_ops {
namespace {

Result<std::vector<graph::TensorType>> stated_types(const OpView &op) {
  std::vector<graph::TensorType> types;
  for (const graph::TensorType *t : op.results)
    types.push_back(*t);
  return types;
}

bool is_placement(const OpView &op) { return ops::is_placement(op_def(code_of(OpKind::custom_call)), op); }

// Where nothing is known of what it does, everything stays whole.
Rule call_rule(const OpView &op) {
  if (auto known = lapack_rule(op))
    return std::move(*known);
  RuleBuilder rule(op);
  if (is_placement(op)) {
    for (size_t d = 0; d < op.results[0]->rank(); ++d) {
      const FactorId f = rule.pass(op.results[0]->dims[d]);
      rule.in(0, d, f).out(0, d, f);
    }
    return rule.build();
  }
  for (size_t v = 0; v < op.operands.size(); ++v)
    for (size_t d = 0; d < op.operands[v]->rank(); ++d)
      rule.whole_in(v, d, op.operands[v]->dims[d]);
  for (size_t v = 0; v < op.results.size(); ++v)
    for (size_t d = 0; d < op.results[v]->rank(); ++d)
      rule.whole_out(v, d, op.results[v]->dims[d]);
  return rule.build();
}

Cost call_cost(const OpView &op) {
  Cost cost = plain_cost(op);
  if (is_lapack_call(op))
    if (const auto call = read_lapack_call(op)) {
      cost.flops = call->flops();
      for (size_t d = 0; d < call->batch_rank; ++d)
        cost.flops *= static_cast<double>(op.operands[0]->dims[d]);
    }
  return cost;
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
             {"api_version", AttrKind::integer, false, "how the callee takes its arguments"},
             {"attributes", AttrKind::string, false, "what else the call says, as the text of a dictionary"},
             {"called_functions", AttrKind::string, false, "functions that the call names, as text"}},
            kOpaque};
  def.flags |= kOwnTypes;
  def.kind = OpKind::custom_call;
  def.infer = stated_types;
  def.check = [](const OpView &) -> Status { return {}; };
  def.rule = call_rule;
  def.cost = call_cost;
  def.linear = [](const OpView &op, uint64_t partial, sharding::Reduction kind) {
    return is_placement(op) && linear::moved<0b1>(op, partial, kind);
  };
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {custom_call()};
  return defs;
}

} // namespace opaque_ops

} // namespace tw::ops
