// SPDX-License-Identifier: Apache-2.0
// Which steps devices with queues may record with their neighbours and replay in later runs: all but those
// that what a device has computed decides (`queue_executor_record`). The host's workers record nothing.
#include "runtime/scheduling.hpp"

namespace tw::runtime {

void record_runs(Scheduling &s) {
  for (const Step &step : s.schedule.steps)
    s.schedule.recordable.push_back(step.kind != Step::Kind::jump || step.operands.empty());
}

} // namespace tw::runtime
