// SPDX-License-Identifier: Apache-2.0
// optimization_barrier: values passed through unchanged, none before all are there.
#include "ops/linear.hpp"

namespace tw::ops::barrier_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  std::vector<graph::TensorType> types;
  for (const graph::TensorType *t : op.operands)
    types.push_back(*t);
  return types;
}

// Each operand goes its own way. A rule holds some 200 factors: dimensions beyond them stay whole.
Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  size_t factors = 0;
  for (size_t v = 0; v < op.operands.size(); ++v)
    for (size_t d = 0; d < op.operands[v]->rank(); ++d) {
      const int64_t size = op.operands[v]->dims[d];
      if (factors++ < 180) {
        const FactorId f = rule.pass(size);
        rule.in(v, d, f).out(v, d, f);
      } else {
        rule.whole_in(v, d, size).whole_out(v, d, size);
      }
    }
  return rule.build();
}

OpDef optimization_barrier() {
  OpDef def{"stablehlo.optimization_barrier",
            "Its operands unchanged, none before all are computed. Spec: optimization_barrier.",
            0,
            -1,
            -1,
            {},
            kRename};
  def.flags |= kBatches;
  def.kind = OpKind::barrier;
  def.infer = infer;
  def.rule = rule;
  def.cost = [](const OpView &) { return Cost{}; };
  def.linear = [](const OpView &op, uint64_t partial, sharding::Reduction kind) {
    return op.operands.size() == 1 &&
           linear::moved<0b1>(op, partial, kind); // several are variables of their own
  };
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {optimization_barrier()};
  return defs;
}

} // namespace tw::ops::barrier_ops
