// SPDX-License-Identifier: Apache-2.0
// `propagate` (earlier PartIR slides): spreads what was tiled over the program; a sum is formed only where
// every operand that carries its factor is tiled already.
#include "partition/spec.hpp"

namespace tw::partition::propagate_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &) {
  TW_TRY(Reader(statement, {}).finish());
  plan.propagate(Mode::propagate);
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "propagate", "propagate",
      "Spreads tiles over the program; forms a sum only where all its operands are tiled already.", apply};
  return action;
}

} // namespace tw::partition::propagate_action
