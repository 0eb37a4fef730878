// SPDX-License-Identifier: Apache-2.0
// Large arrays that are whole on every device of an axis though they could be tiled, and what stopped that.
#pragma once

#include <string>
#include <vector>

#include "cost/estimate.hpp"
#include "report/subject.hpp"

namespace tw::report {

// A sentence an axis and reason, of arguments and of what is held at the peak: those of which a device has
// more than a hundredth of the memory it may use. The largest first, and no more than a handful.
std::vector<std::string> whole_values(const Subject &subject, const cost::Estimate &estimate);

} // namespace tw::report
