// SPDX-License-Identifier: Apache-2.0
// Steps that give back at least the memory that they take run as soon as what they read is there: an optimizer's update, written over the
// parameter that is donated to it, does not let its gradient wait until all others are there.
#pragma once

#include <span>
#include <vector>

#include "runtime/donation.hpp"
#include "runtime/roles.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// Moves fused steps and collectives ahead, each within its straight run of steps: those with its number in `runs`.
void hasten(std::vector<Step> &steps, std::vector<uint32_t> runs, const spmd::Program &program,
            const Roles &roles, std::span<const Donation> donations);

} // namespace tw::runtime
