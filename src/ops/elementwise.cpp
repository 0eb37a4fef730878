// SPDX-License-Identifier: Apache-2.0
// What all elementwise ops share: type checks and the factor rule.
#include "ops/elementwise.hpp"

#include <fmt/format.h>

namespace tw::ops {

std::vector<AttrSpec> result_accuracy() {
  return {{"result_accuracy", AttrKind::string, false,
           "the accuracy asked of a transcendental function, as text"}};
}

Result<graph::TensorType> infer_same_operands(const OpView &op, TypeSet takes) {
  const graph::TensorType &first = *op.operands[0];
  if (!takes.has(first.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("does not take operand 0, {}, of element type {}", graph::to_short_text(first),
                            graph::name(first.dtype)));
  for (size_t v = 1; v < op.operands.size(); ++v) {
    const graph::TensorType &other = *op.operands[v];
    if (other == first)
      continue;
    std::string why;
    if (other.dtype != first.dtype) {
      why = "element types differ";
    } else if (other.rank() != first.rank()) {
      why = fmt::format("ranks {} and {} differ", first.rank(), other.rank());
    } else {
      size_t d = 0;
      while (other.dims[d] == first.dims[d])
        ++d;
      why = fmt::format("dimension {} is {} and {}", d, first.dims[d], other.dims[d]);
    }
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} but operand {} is {}: {}", graph::to_short_text(first), v,
                            graph::to_short_text(other), why));
  }
  return first;
}

Rule elementwise_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d) {
    const FactorId f = rule.pass(op.results[0]->dims[d]);
    for (size_t v = 0; v < op.operands.size(); ++v)
      if (op.operands[v]->rank() != 0)
        rule.in(v, d, f);
    rule.out(0, d, f);
  }
  return rule.build();
}

} // namespace tw::ops
