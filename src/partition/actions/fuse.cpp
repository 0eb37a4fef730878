// SPDX-License-Identifier: Apache-2.0
// `fuse(value=%2, axis="model")`: who reads a value tile by tile goes on in the loop that makes it: slice
// meets tile. The inverse of `materialise`.
#include "partition/rewrites.hpp"
#include "partition/spec.hpp"

namespace tw::partition::fuse_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  return rewrite_values(plan, statement, names, "value|arg", fuse);
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"fuse", "fuse(value=|arg=NAME, axis=\"NAME\")",
                                "Who reads a value slice by slice goes on in the loop that makes it.", apply};
  return action;
}

} // namespace tw::partition::fuse_action
