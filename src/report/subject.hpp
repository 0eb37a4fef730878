// SPDX-License-Identifier: Apache-2.0
// What reports are about: a lowered program, the plan it came from, and how long each stage took.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "import/import.hpp"
#include "spmd/program.hpp"

namespace tw::partition {
class Plan;
}

namespace tw::report {

struct Timing {
  double import_ms = 0, plan_ms = 0, lower_ms = 0;
};

// What was found of it so far (report/facts.hpp).
struct Kept;
std::shared_ptr<Kept> nothing_kept();

struct Subject {
  std::shared_ptr<const import::Imported> imported;
  std::shared_ptr<const partition::Plan> plan; // null for the unpartitioned program
  std::shared_ptr<const spmd::Program> program;
  std::vector<std::string> steps_without = {}; // passes over steps that its executables leave out
  std::vector<std::string> notes; // annotations of the module that the plan does not follow, and why
  Timing timing = {};
  std::shared_ptr<Kept> kept = nothing_kept();
};

} // namespace tw::report
