// SPDX-License-Identifier: Apache-2.0
// The memory that running a program takes, before it runs.
#pragma once

#include "report/subject.hpp"
#include "runtime/executable.hpp"

namespace tw::report {

// What an executable of the default options will count, to the byte.
Result<runtime::Peak> find_peak(const Subject &subject);
// The same as a number; -1 where nobody can say.
int64_t peak_bytes(const Subject &subject);

} // namespace tw::report
