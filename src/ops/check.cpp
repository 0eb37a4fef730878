// SPDX-License-Identifier: Apache-2.0
// Expectations that test programs carry: check.expect_eq, expect_close and expect_almost_eq compare their
// first operand with the second, which holds what is expected, and end the run where they differ.
#include <fmt/format.h>

#include "ops/op_def.hpp"

namespace tw::ops::check_ops {
namespace {

Result<std::vector<graph::TensorType>> infer_check(const OpView &op) {
  if (!(*op.operands[0] == *op.operands[1]))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} and operand 1 is {}: they must have one type",
                            graph::to_short_text(*op.operands[0]), graph::to_short_text(*op.operands[1])));
  return std::vector<graph::TensorType>();
}

// A check looks at whole arrays.
Rule check_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t v = 0; v < op.operands.size(); ++v)
    for (size_t d = 0; d < op.operands[v]->rank(); ++d)
      rule.whole_in(v, d, op.operands[v]->dims[d]);
  return rule.build();
}

OpDef check_op(const char *name, const char *doc, std::vector<AttrSpec> attrs) {
  OpDef def{name, doc, 2, 2, 0, std::move(attrs), kSideEffect | kBatches};
  def.infer = infer_check;
  def.rule = check_rule;
  return def;
}

} // namespace

OpFamily family() {
  static const std::vector<OpDef> ops = {
      check_op("check.expect_almost_eq",
               "Ends the run where an element differs from the expected one by more than a tolerance. Spec: "
               "the check dialect of its tests.",
               {{"tolerance", AttrKind::real, false, "largest difference; 0.001 where absent"}}),
      check_op("check.expect_close",
               "Ends the run where an element is more than some representable values away from the expected "
               "one. Spec: the check dialect of its tests.",
               {{"max_ulp_difference", AttrKind::integer, false, "largest distance; 3 where absent"},
                {"min_ulp_difference", AttrKind::integer, false, "smallest distance; 0 where absent"}}),
      check_op("check.expect_eq",
               "Ends the run where an element has other bits than the expected one. Spec: the check dialect "
               "of its tests.",
               {}),
  };
  return ops;
}

} // namespace tw::ops::check_ops
