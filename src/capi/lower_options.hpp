// SPDX-License-Identifier: Apache-2.0
// tw_lower_options_t as the library has it.
#pragma once

#include <string>
#include <vector>

#include "base/status.hpp"
#include "spmd/program.hpp"
#include <tilewright/tw_program.h>

namespace tw::capi {

// What to leave out of the lowering, and of what runs the program.
struct LowerOptions {
  spmd::Options lowering;
  std::vector<std::string> steps;
};

// NULL: all defaults.
Result<LowerOptions> lower_options(const tw_lower_options_t *given);

} // namespace tw::capi
