// SPDX-License-Identifier: Apache-2.0
// Measures this machine as a system file describes it.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "cli/processes.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

// The text of a system file: what products and other ops reach by size, memory, what a step takes, and what
// moves between devices of one process, or between several processes, which all call and measure at once.
// Takes some seconds, and needs the machine for itself.
std::string calibrated_system(const Processes &processes, const Options &options, Progress &progress);

} // namespace tw::cli
