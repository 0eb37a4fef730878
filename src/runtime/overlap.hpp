// SPDX-License-Identifier: Apache-2.0
// Between processes a collective takes the time of its messages, in which devices need not stand still: steps that need nothing of what comes
// run meanwhile, and a device waits where the first does that needs it. Steps that need it come as much later as the messages are likely to
// take, and no more, since what they would give back stays that long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/donation.hpp"
#include "runtime/layout.hpp"
#include "runtime/roles.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// Orders steps anew, each within its straight run: those with its number in `runs`; and puts in a step of kind `await` where one waits.
// `places`: one a step. `process`: by position of the mesh.
void overlap(std::vector<Step> &steps, std::vector<uint32_t> &places, std::span<const uint32_t> runs,
             const spmd::Program &program, const Layouts &layouts, const Roles &roles,
             std::span<const Donation> donations, std::span<const int64_t> process);

} // namespace tw::runtime
