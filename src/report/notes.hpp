// SPDX-License-Identifier: Apache-2.0
// What a reader of a report should know beside its figures.
#pragma once

#include <string>
#include <vector>

#include "report/subject.hpp"

namespace tw::report {

// Annotations that the plan does not follow, arrays of which some devices hold nothing, and that no mesh was
// given.
std::vector<std::string> notes_of(const Subject &subject);

} // namespace tw::report
