// SPDX-License-Identifier: Apache-2.0
// A plan and its program for people: arguments, results, collectives, bytes, peak, conflicts, expectations as
// tables.
#pragma once

#include <string>

#include "report/subject.hpp"

namespace tw::report {

std::string program_table(const Subject &subject, size_t width);

} // namespace tw::report
