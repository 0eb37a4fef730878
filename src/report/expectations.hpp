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
  int64_t found;          // the count, or the bytes
  std::string found_text; // in the unit of `text`
  bool holds;
};
std::vector<Outcome> check_expectations(const Subject &subject);

} // namespace tw::report
