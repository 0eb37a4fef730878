// SPDX-License-Identifier: Apache-2.0
// The axes that propagation left undecided, with the bytes that each way of deciding them would move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/subject.hpp"

namespace tw::report {

struct Resolution {
  std::string factor; // "tile 0", "sum"
  std::string source; // the action behind the evidence
  int64_t bytes =
      0; // that a device would receive at most, moving the other neighbours' values to this choice
};

struct ConflictReport {
  std::string kind, axis, op, value, location;
  std::vector<Resolution> candidates;
};
std::vector<ConflictReport> conflict_reports(const Subject &subject);
// Where decided neighbours do not agree, or must stay whole: what the first candidate costs is what moves now.
std::vector<ConflictReport> disagreement_reports(const Subject &subject);

} // namespace tw::report
