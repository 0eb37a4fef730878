// SPDX-License-Identifier: Apache-2.0
// The memory that running a program takes, before it runs.
#pragma once

#include "report/subject.hpp"

namespace tw::report {

// What an executable of the default options will count on the device that needs most, to the byte.
Result<int64_t> peak_bytes(const Subject &subject);

} // namespace tw::report
