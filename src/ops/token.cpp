// SPDX-License-Identifier: Apache-2.0
// Tokens: values without elements that only say what comes before what. Ops run in the order of the text
// anyway.
#include <fmt/format.h>

#include "ops/op_def.hpp"

namespace tw::ops::token_ops {
namespace {

graph::TensorType token_type() { return {graph::DType::token, {}}; }

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  for (size_t v = 0; v < op.operands.size(); ++v)
    if (!(*op.operands[v] == token_type()))
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("operand {} is {}: expected a token", v, graph::to_short_text(*op.operands[v])));
  return std::vector<graph::TensorType>{token_type()};
}

Rule no_factors(const OpView &op) { return RuleBuilder(op).build(); }
Cost no_cost(const OpView &) { return {}; }

OpDef token(const char *name, const char *doc, int least, int most) {
  OpDef def{name, doc, least, most, 1, {}};
  def.infer = infer;
  def.rule = no_factors;
  def.cost = no_cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      token("stablehlo.after_all", "A token that comes after others. Spec: after_all.", 0, -1),
      token("stablehlo.create_token", "A token that comes after nothing. Spec: create_token.", 0, 0),
  };
  return defs;
}

} // namespace tw::ops::token_ops
