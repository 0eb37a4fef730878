// SPDX-License-Identifier: Apache-2.0
// What a plan costs most for, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "report/estimate.hpp"

namespace tw::report {

struct Cost {
  double weight;         // of the whole that it is a part of: of time, else of the bytes that are received
  std::string what;      // "70 all_reduce over data"
  std::string why, todo; // "4.5 MB received"; a sentence
  const char *section;   // of the page that shows more
};

// The heaviest first. `estimated`: null where no machine is named; then bytes are what counts.
std::vector<Cost> costs_of(const Subject &subject, const Estimated *estimated);

} // namespace tw::report
