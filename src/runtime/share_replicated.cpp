// SPDX-License-Identifier: Apache-2.0
// What is the same on several devices of a process is computed once and lies once: which values and steps
// those are.
#include "runtime/scheduling.hpp"

namespace tw::runtime {

void share_replicated(Scheduling &s) {
  s.schedule.sharing = Sharing(s.program, {s.schedule.statics, s.schedule.steps}, s.options.process);
}

} // namespace tw::runtime
