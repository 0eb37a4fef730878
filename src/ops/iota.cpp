// SPDX-License-Identifier: Apache-2.0
// iota: each element is its index along one dimension. A device's piece starts at the piece's offset.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::iota_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246", "the result type must be stated: nothing else says it");
  const graph::TensorType &type = *op.results[0];
  if (!kNumbers.has(type.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("the result is {}: iota counts in integers, floats or complex numbers",
                            graph::to_short_text(type)));
  const int64_t dim = op.integer(slot::iota::iota_dimension);
  if (dim < 0 || dim >= static_cast<int64_t>(type.rank()))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("iota_dimension is {}, but the result {} has {} dimensions", dim,
                            graph::to_short_text(type), type.rank()));
  return std::vector<graph::TensorType>{type};
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    rule.out(0, d, rule.pass(op.results[0]->dims[d]));
  return rule.build();
}

OpDef iota() {
  OpDef def{
      "stablehlo.iota",
      "Each element is its index along iota_dimension. Spec: iota.",
      0,
      0,
      1,
      {{"iota_dimension", AttrKind::integer, true, "the dimension that is counted", AttrDims::none, "dim"}},
      kSource};
  def.flags |= kOwnTypes;
  def.kind = OpKind::iota;
  def.infer = infer;
  def.rule = rule;
  def.mark_placed = [](const OpView &op, const Rule &rule, std::vector<bool> &placed) {
    mark(rule.results[0][static_cast<size_t>(op.integer(slot::iota::iota_dimension))], placed);
  };
  def.rule_text = "()->([i,j])";
  def.cost = [](const OpView &op) { return Cost{0, 0, static_cast<double>(op.results[0]->bytes())}; };
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {iota()};
  return defs;
}

} // namespace tw::ops::iota_ops
