// SPDX-License-Identifier: Apache-2.0
// For choices of propagation (partition/moves.hpp): what a run takes on a machine.
#pragma once

#include <memory>

#include "partition/moves.hpp"
#include "system/system.hpp"

namespace tw::cost {

// Null where the plan cannot be lowered, or the system says nothing of one of its axes.
std::unique_ptr<partition::Moves> time_moves(const partition::Plan &plan,
                                             std::shared_ptr<const system::System> system);

} // namespace tw::cost
