// SPDX-License-Identifier: Apache-2.0
// `hoist(value=%2, axis="model")`: takes an op that does the same in every turn out of a loop: its result is
// kept. The inverse of `inline`.
#include "partition/rewrites.hpp"
#include "partition/spec.hpp"

namespace tw::partition::hoist_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  return rewrite_values(plan, statement, names, "value", hoist_out);
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"hoist", "hoist(value=NAME, axis=\"NAME\")",
                                "Takes an op that does the same in every turn of a loop out of it.", apply};
  return action;
}

} // namespace tw::partition::hoist_action
