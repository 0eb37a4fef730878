// SPDX-License-Identifier: Apache-2.0
// Fewer points of time with the same answer.
#pragma once

#include "solve/problem.hpp"

namespace tw::solve {

// What all choices of a variable need leaves the limits; uses of the same time become one, and what needs
// nothing goes. So do points at which the most that can be needed fits, and points that are no harder
// than one beside them. False: the least that is needed does not fit.
bool tidy_points(std::vector<std::vector<Use>> &uses, std::vector<Cost> &limits);

} // namespace tw::solve
