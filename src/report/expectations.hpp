// SPDX-License-Identifier: Apache-2.0
// Checks the `expect` lines of a plan's specs against its program.
#pragma once

#include <string>
#include <vector>

#include "report/subject.hpp"
#include "report/tally.hpp"

namespace tw::report {

struct Outcome {
  std::string line;       // "spec.txt:9"
  std::string text;       // as written
  int64_t found;          // the count, bytes or nanoseconds; -1 where it cannot be found
  std::string found_text; // in the unit of `text`, or why it cannot be found
  bool holds;
};
std::vector<Outcome> check_expectations(const Subject &subject);

} // namespace tw::report
