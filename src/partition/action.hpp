// SPDX-License-Identifier: Apache-2.0
// An action as a program remembers it, which needs nothing else of the plan.
#pragma once

#include <string>

#include "base/status.hpp"

namespace tw::partition {

// One step applied to the plan: a line of a spec, an annotation of the module, or a call through the API.
struct Action {
  std::string text; // as written
  SourcePos pos;    // "spec.txt:3"
};

} // namespace tw::partition
