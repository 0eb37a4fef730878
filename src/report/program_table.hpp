// SPDX-License-Identifier: Apache-2.0
// A plan and its program for people: arguments, results, collectives, bytes, peak, conflicts, expectations as
// tables, the answer last.
#pragma once

#include <string>

#include "report/subject.hpp"

namespace tw::report {

// Of many rows those with most bytes, unless `all` are asked for.
std::string program_table(const Subject &subject, size_t width, bool all);

} // namespace tw::report
