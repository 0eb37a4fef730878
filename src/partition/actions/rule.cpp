// SPDX-License-Identifier: Apache-2.0
// `rule @my_norm "b s h, h -> b s h"`: how calls of code that nobody here knows may be split.
#include <fmt/format.h>

#include "partition/spec.hpp"

namespace tw::partition {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &) {
  if (statement.call) // a rewrite by hand: rule(op=%7, "matmul-sum", axis=model)
    return fail(statement.error(Code::unimplemented, "TW-408", "'rule(..)' is not in this version"));
  if (statement.arguments.size() != 2 || !statement.arguments[0].text.starts_with('@'))
    return fail(
        statement.error(Code::invalid_argument, "TW-401", "expected `rule @target \"b s h, h -> b s h\"`"));
  if (auto status =
          plan.set_opaque_rule({statement.arguments[0].text.substr(1), statement.arguments[1].text});
      !status)
    return fail(statement.error(std::move(status.error()), statement.arguments[1].column));
  return {};
}

} // namespace

const ActionDef &rule_action() {
  static const ActionDef action{
      "rule", "rule @TARGET \"DIMENSIONS -> DIMENSIONS\"",
      "Which dimensions of a custom_call go together; a word each, `*` stays whole.", apply};
  return action;
}

} // namespace tw::partition
