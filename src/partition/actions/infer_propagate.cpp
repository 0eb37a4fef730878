// SPDX-License-Identifier: Apache-2.0
// `infer-propagate` (PartIR slides, 2021): spreads what was tiled over the program; one tiled operand is
// enough to form a sum, and the others are tiled by inference.
#include "partition/spec.hpp"

namespace tw::partition::infer_propagate_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &) {
  TW_TRY(Reader(statement, {}).finish());
  plan.propagate(Mode::infer_propagate);
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "infer-propagate", "infer-propagate",
      "Spreads tiles over the program; one tiled operand forms a sum, the others are tiled by inference.",
      apply};
  return action;
}

} // namespace tw::partition::infer_propagate_action
