// SPDX-License-Identifier: Apache-2.0
// Which right matrices of products may lie in the order in which their kernel reads them fastest: they never
// change and one step alone reads them. They are brought there when the executable is loaded (`packing`).
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {

void pack_constants(Scheduling &s) {
  const Schedule &schedule = s.schedule;
  const auto readers = count_readers(s.program, {schedule.statics, schedule.steps}, s.roles.views());
  for (const Step &step : schedule.steps)
    if (step.kind == Step::Kind::kernel && step.operands.size() > 1) {
      const spmd::ValueRef v = step.operands[1];
      s.schedule.packable[v] = schedule.is_static[v] && s.roles.view(v).root == v && readers[v] == 1;
    }
}

} // namespace tw::runtime
