// SPDX-License-Identifier: Apache-2.0
// `rule(op=%7, "matmul-sum", axis="model")`: one rewrite by its name, or its inverse;
// `rule @my_norm "b s h, h -> b s h"`: how calls of code that nobody here knows may be split.
#include <algorithm>

#include <fmt/format.h>

#include "partition/ranges.hpp"
#include "partition/rewrites.hpp"
#include "partition/spec.hpp"

namespace tw::partition::rule_action {

namespace {

Status state_rule(Plan &plan, const Statement &statement) {
  if (statement.arguments.size() != 2 || !statement.arguments[0].text.starts_with('@'))
    return fail(
        statement.error(Code::invalid_argument, "TW-401", "expected `rule @target \"b s h, h -> b s h\"`"));
  if (auto status =
          plan.set_opaque_rule({statement.arguments[0].text.substr(1), statement.arguments[1].text});
      !status)
    return fail(statement.error(std::move(status.error()), statement.arguments[1].column));
  return {};
}

// Over an axis that a range makes: range=4 counts tiles, width=16 says how wide they are.
Status apply_over_range(Plan &plan, const Statement &statement, Reader &reader, const std::string &key,
                        graph::ValueId made, const std::string &name) {
  TW_ASSIGN(const int64_t size, reader.integer(key.c_str()));
  TW_ASSIGN(const ops::FactorId factor, loop_factor(plan, made, name));
  const NodeId n = plan.flow().maker(made).node;
  const int64_t extent = plan.rule(n).factors[factor].size;
  if (size < 1 || size > extent)
    return fail(statement.error(Code::out_of_range, "TW-409",
                                fmt::format("{}: the {} must be 1 to {}, not {}", name, key, extent, size),
                                reader.column(key.c_str())));
  if (key == "range") {
    TW_ASSIGN(const sharding::AxisId axis, range_axis(plan, n, size, 0));
    return apply_rule(plan, made, name, axis);
  }
  const Intervals cut = intervals(plan, n, factor, size);
  TW_ASSIGN(const sharding::AxisId axis, range_axis(plan, n, cut.extent, size));
  return apply_rule(plan, made, name, axis, &cut.rule);
}

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  if (!statement.call)
    return state_rule(plan, statement);
  Reader reader(statement, {"op", "rule", "inverse", "axis|range|width"});
  TW_ASSIGN(const std::vector<Target> targets, read_targets(reader, statement, names, plan, "op"));
  TW_ASSIGN(const std::string name, reader.text("rule"));
  const auto inverse = reader.optional("inverse");
  if (inverse && inverse->text != "inverse")
    return fail(statement.error(Code::invalid_argument, "TW-401",
                                fmt::format("expected `inverse` or axis=.., found '{}'", inverse->text),
                                inverse->column));
  TW_ASSIGN(const Argument how, reader.one_of(inverse ? "axis" : "axis|range|width"));
  std::vector<sharding::AxisId> axes;
  if (how.key == "axis") {
    TW_ASSIGN(axes, read_axes(reader, statement, plan));
  }
  TW_TRY(reader.finish());
  if (inverse) // from the innermost loop outwards
    std::ranges::reverse(axes);
  for (const Target &target : targets) {
    for (const sharding::AxisId axis : axes)
      TW_TRY(inverse ? invert_rule(plan, target.value, name, axis)
                     : apply_rule(plan, target.value, name, axis));
    if (how.key != "axis")
      TW_TRY(apply_over_range(plan, statement, reader, how.key, target.value, name));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"rule",
                                "rule(op=NAME, \"REWRITE\", axis=\"NAME\" | range=COUNT | width=SIZE) | "
                                "rule(op=NAME, \"REWRITE\", axis=\"NAME\", "
                                "inverse) | rule @TARGET \"DIMENSIONS -> DIMENSIONS\"",
                                "One rewrite of one op (`tw ops NAME` lists them); or which dimensions of a "
                                "custom_call go together, a word each, "
                                "`*` stays whole.",
                                apply};
  return action;
}

} // namespace tw::partition::rule_action
