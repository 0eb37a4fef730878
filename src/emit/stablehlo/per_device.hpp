// SPDX-License-Identifier: Apache-2.0
// The program that every device runs, as one StableHLO module with explicit collectives: for JAX and XLA, or
// around those of another dialect.
//
// For XLA, replica r of the module is mesh position r (the first axis is the slowest): compile it for as many
// replicas as the mesh has devices, one partition each, and assign replica r the device that the mesh has
// there.
// Arguments and results are tiles; `tw.sharding` says of which layout. A value has one type on all devices:
// tiles that differ in size are stored in the largest one's, and what a smaller one has behind its end means
// nothing.
#pragma once

#include <string>

#include "emit/stablehlo/collectives.hpp"
#include "spmd/program.hpp"

namespace tw::emit::stablehlo {

std::string to_device_text(const spmd::Program &program);
// With these collectives, which are over the mesh of the program.
std::string to_device_text(const spmd::Program &program, const Collectives &collectives);

} // namespace tw::emit::stablehlo
