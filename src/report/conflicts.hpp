// SPDX-License-Identifier: Apache-2.0
// The axes that propagation left undecided, with the bytes that the program would move, were one of them
// decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "partition/conflicts.hpp"
#include "report/subject.hpp"

namespace tw::report {

struct Resolution {
  std::string factor; // "tile 0", "sum"
  std::string source; // the action behind the evidence
  partition::LoopRole role;
  graph::OpId source_op = graph::kNone; // the neighbour that offers it
  partition::ActionId action = 0;       // behind the evidence; 0 where there is none
  // What the busiest device receives in the program lowered with this alone decided, and how much more that
  // is than in the program as it stands; none where the op cannot be tiled so.
  std::optional<int64_t> bytes, more;
  bool counted = true; // false: not asked, since so many ways of so large a program take too long
};

struct ConflictReport {
  partition::Conflict::Kind kind;
  std::string axis, op, value, location;
  graph::OpId at = graph::kNone; // the op that the node is or stands for
  graph::ValueId made = graph::kNone;
  std::string text; // all of it, in a line
  std::vector<Resolution> candidates;
  bool moves = false; // in the program as it stands, something that the node reads or makes
};
std::vector<ConflictReport> conflict_reports(const Subject &subject);
std::vector<ConflictReport> conflict_reports(const partition::Plan &plan); // without bytes
// Where decided neighbours do not agree, or must stay whole: the first candidate is the program as it stands.
std::vector<ConflictReport> disagreement_reports(const Subject &subject);
std::vector<ConflictReport> disagreement_reports(const partition::Plan &plan); // without bytes

} // namespace tw::report
