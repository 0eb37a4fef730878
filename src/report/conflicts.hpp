// SPDX-License-Identifier: Apache-2.0
// The axes that propagation left undecided, with the bytes that the program would move, were one of them
// decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/subject.hpp"

namespace tw::report {

struct Resolution {
  std::string factor; // "tile 0", "sum"
  std::string source; // the action behind the evidence
  // What the busiest device receives in the program lowered with this alone decided, and how much more that
  // is than in the program as it stands; none where the op cannot be tiled so.
  std::optional<int64_t> bytes, more;
  bool counted = true; // false: not asked, since so many ways of so large a program take too long
};

struct ConflictReport {
  std::string kind, axis, op, value, location;
  std::vector<Resolution> candidates;
  bool moves = false; // in the program as it stands, something that the node reads or makes
};
std::vector<ConflictReport> conflict_reports(const Subject &subject);
// Where decided neighbours do not agree, or must stay whole: the first candidate is the program as it stands.
std::vector<ConflictReport> disagreement_reports(const Subject &subject);

} // namespace tw::report
