// SPDX-License-Identifier: Apache-2.0
// `serial(axis="micro", size=4)`: an axis whose places are steps in time on one device. What is tiled along
// it runs in a loop: a batch so tiled is taken in micro-batches.
#include "partition/spec.hpp"

namespace tw::partition::serial_action {

const ActionDef &action() {
  static const ActionDef action{
      "serial", "serial(axis=, size=)",
      "Makes an axis of steps in time: what is tiled along it runs in a loop on each device.",
      [](Plan &plan, const Statement &statement, const Names &) {
        return make_axis(plan, statement, sharding::AxisKind::serial);
      }};
  return action;
}

} // namespace tw::partition::serial_action
