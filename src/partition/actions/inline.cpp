// SPDX-License-Identifier: Apache-2.0
// `inline(value=%2, axis="model")`: puts an op into the loop of those who read its result: done again in
// every turn. The inverse of `hoist`.
#include "partition/rewrites.hpp"
#include "partition/spec.hpp"

namespace tw::partition::inline_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  return rewrite_values(plan, statement, names, "value", inline_into);
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"inline", "inline(value=NAME, axis=\"NAME\")",
                                "Does an op again in every turn of the loop in which its result is read.",
                                apply};
  return action;
}

} // namespace tw::partition::inline_action
