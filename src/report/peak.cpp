// SPDX-License-Identifier: Apache-2.0
// Asks an executable that is not made.
#include "report/peak.hpp"

namespace tw::report {

Result<runtime::Peak> find_peak(const Subject &subject) {
  runtime::Options options;
  options.without = subject.steps_without;
  return runtime::Executable::plan_peak(subject.program, std::move(options));
}

int64_t peak_bytes(const Subject &subject) {
  const auto peak = find_peak(subject);
  return peak ? peak->bytes : -1;
}

} // namespace tw::report
