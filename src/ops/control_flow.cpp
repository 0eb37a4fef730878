// SPDX-License-Identifier: Apache-2.0
// while, if and case: their regions are bodies of the program. They have no loops of their own and no kernel:
// the variables (variables.hpp) carry layouts, and whoever runs a program runs its bodies.
#include <string>

#include <fmt/format.h>

#include "ops/op_def.hpp"

namespace tw::ops::control_flow_ops {
namespace {

using graph::DType;
using graph::TensorType;
using graph::to_short_text;

const TensorType &type_of(const OpView &op, graph::ValueId v) { return op.graph.type(v); }

tl::unexpected<Error> wrong(std::string what) {
  return fail(Code::invalid_argument, "TW-248", std::move(what));
}

// A region of a loop takes what the loop carries.
Status check_arguments(const OpView &op, const graph::Region &region, const char *what) {
  if (region.args.size() != op.operands.size())
    return wrong(fmt::format("its {} takes {} values, but the loop carries {}", what, region.args.size(),
                             op.operands.size()));
  for (size_t i = 0; i < region.args.size(); ++i)
    if (!(type_of(op, region.args[i]) == *op.operands[i]))
      return wrong(fmt::format("its {} takes {} as argument {}, but operand {} is {}", what,
                               to_short_text(type_of(op, region.args[i])), i, i,
                               to_short_text(*op.operands[i])));
  return {};
}

Result<std::vector<TensorType>> infer_while(const OpView &op) {
  const graph::Region &condition = op.graph.region(op.regions[0]);
  const graph::Region &body = op.graph.region(op.regions[1]);
  TW_TRY(check_arguments(op, condition, "condition"));
  TW_TRY(check_arguments(op, body, "body"));
  if (condition.yields.size() != 1)
    return wrong(fmt::format("its condition returns {} values: expected one i1[]", condition.yields.size()));
  if (const TensorType &type = type_of(op, condition.yields[0]); !(type == TensorType{DType::i1, {}}))
    return wrong(fmt::format("its condition returns {}: expected i1[]", to_short_text(type)));
  if (body.yields.size() != op.operands.size())
    return wrong(fmt::format("its body returns {} values, but the loop carries {}", body.yields.size(),
                             op.operands.size()));
  std::vector<TensorType> results;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (const TensorType &type = type_of(op, body.yields[i]); !(type == *op.operands[i]))
      return wrong(fmt::format("its body returns {} as value {}, but operand {} is {}", to_short_text(type),
                               i, i, to_short_text(*op.operands[i])));
    results.push_back(*op.operands[i]);
  }
  return results;
}

// Branches take nothing and return the same types.
Result<std::vector<TensorType>> infer_branches(const OpView &op) {
  std::vector<TensorType> results;
  for (size_t r = 0; r < op.regions.size(); ++r) {
    const graph::Region &branch = op.graph.region(op.regions[r]);
    if (!branch.args.empty())
      return wrong(fmt::format("branch {} takes {} values: expected none", r, branch.args.size()));
    if (r == 0)
      for (const graph::ValueId v : branch.yields)
        results.push_back(type_of(op, v));
    if (branch.yields.size() != results.size())
      return wrong(fmt::format("branch {} returns {} values, branch 0 returns {}", r, branch.yields.size(),
                               results.size()));
    for (size_t i = 0; i < results.size(); ++i)
      if (const TensorType &type = type_of(op, branch.yields[i]); !(type == results[i]))
        return wrong(fmt::format("branch {} returns {} as value {}, branch 0 returns {}", r,
                                 to_short_text(type), i, to_short_text(results[i])));
  }
  return results;
}

Status check_selector(const OpView &op, DType dtype) {
  if (*op.operands[0] == TensorType{dtype, {}})
    return {};
  return fail(Code::invalid_argument, "TW-245",
              fmt::format("operand 0 is {}: expected {}", to_short_text(*op.operands[0]),
                          to_short_text({dtype, {}})));
}

Result<std::vector<TensorType>> infer_if(const OpView &op) {
  TW_TRY(check_selector(op, DType::i1));
  return infer_branches(op);
}

Result<std::vector<TensorType>> infer_case(const OpView &op) {
  TW_TRY(check_selector(op, DType::s32));
  if (op.regions.empty())
    return wrong("has no branch");
  return infer_branches(op);
}

OpDef control_flow(const char *name, const char *doc, int most_operands, int regions) {
  OpDef def{name, doc, most_operands < 0 ? 0 : 1, most_operands, -1, {}, kControlFlow, regions};
  def.rule = [](const OpView &op) { return RuleBuilder(op).build(); };
  def.cost = [](const OpView &) { return Cost{}; };
  return def;
}

} // namespace

OpFamily family() {
  static const std::vector<OpDef> defs = [] {
    std::vector<OpDef> all;
    all.push_back(
        control_flow("stablehlo.case",
                     "The branch that an index names, the last one where it names none. Spec: case.", 1, -1));
    all.back().infer = infer_case;
    all.push_back(control_flow("stablehlo.if", "One of two branches. Spec: if.", 1, 2));
    all.back().infer = infer_if;
    all.back().kind = OpKind::conditional;
    all.push_back(control_flow("stablehlo.while",
                               "A body run as long as a condition on what it carries holds. Spec: while.", -1,
                               2));
    all.back().infer = infer_while;
    all.back().kind = OpKind::loop;
    return all;
  }();
  return defs;
}

} // namespace tw::ops::control_flow_ops
