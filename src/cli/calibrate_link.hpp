// SPDX-License-Identifier: Apache-2.0
// Measures what collectives take, between processes or between the devices of one, as a section of a system
// file describes it.
#pragma once

#include "cli/options.hpp"
#include "cli/processes.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

struct MeasuredLink {
  double bytes_per_s, step_s, base_s; // of a ring of all processes; of a switch between devices of one
  size_t hosts;                       // on which they are
};

// All processes call; without a communicator one, for eight devices that share its memory and take turns.
// `memory_bytes_per_s`: of one of them, for what a collective's probe computes besides.
MeasuredLink measured_link(const Processes &processes, double memory_bytes_per_s, const Options &options,
                           Progress &progress);

} // namespace tw::cli
