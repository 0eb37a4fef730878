// SPDX-License-Identifier: Apache-2.0
// `materialise(value=%2, axis="model")`: a value is made whole at the end of its loop, and sliced again by
// who reads it. The inverse of `fuse`.
#include "partition/rewrites.hpp"
#include "partition/spec.hpp"

namespace tw::partition::materialise_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  return rewrite_values(plan, statement, names, "value|arg", materialise);
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"materialise", "materialise(value=|arg=NAME, axis=\"NAME\")",
                                "Makes a value whole at the end of its loop; who reads it slices it again.",
                                apply};
  return action;
}

} // namespace tw::partition::materialise_action
