// SPDX-License-Identifier: Apache-2.0
// The last lines of a plan's report: what it costs, what costs most of that, and whether it is as expected.
#pragma once

#include <string>

#include "report/subject.hpp"

namespace tw::report {

std::string answer_text(const Subject &subject);

} // namespace tw::report
