// SPDX-License-Identifier: Apache-2.0
// `threads(axis="t", size=2)`: an axis whose places are threads that run at once and share the memory of one
// device. What is tiled along it forks and joins again; nothing moves between threads.
#include "partition/spec.hpp"

namespace tw::partition::threads_action {

const ActionDef &action() {
  static const ActionDef action{
      "threads", "threads(axis=, size=)",
      "Makes an axis of threads that share a device's memory: what is tiled along it "
      "runs at once on its workers.",
      [](Plan &plan, const Statement &statement, const Names &) {
        return make_axis(plan, statement, sharding::AxisKind::threads);
      }};
  return action;
}

} // namespace tw::partition::threads_action
