// SPDX-License-Identifier: Apache-2.0
// Asks an executable that is not made, once for all that a program is asked.
#include "report/peak.hpp"

#include "runtime/executable.hpp"
#include "runtime/planned.hpp"

namespace tw::report {

Result<int64_t> peak_bytes(const Subject &subject) {
  const std::lock_guard lock(subject.peak->mutex);
  if (!subject.peak->bytes) {
    runtime::Options options;
    options.without = subject.steps_without;
    TW_ASSIGN(const runtime::Planned planned, runtime::Executable::plan(subject.program, std::move(options)));
    subject.peak->bytes = planned.peak.bytes;
  }
  return *subject.peak->bytes;
}

} // namespace tw::report
