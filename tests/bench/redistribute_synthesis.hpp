// SPDX-License-Identifier: Apache-2.0
// How long it takes to make redistribution plans.
#pragma once

#include <nlohmann/json.hpp>

namespace tw::bench {

// Prints a row a case with its limits; `rounds` timings of every problem, of which the fastest counts.
nlohmann::ordered_json run_synthesis(int rounds);

} // namespace tw::bench
