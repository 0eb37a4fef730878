// SPDX-License-Identifier: Apache-2.0
// Propagation one way at a time, as sweeps of other partitioners go.
#pragma once

#include "partition/plan.hpp"

namespace tw::partition {

// What actions and annotations state in a plan, propagated anew, all at once: from makers to users alone
// (forward), from users to makers alone (backward), or both ways. A sum is formed where one operand is tiled
// (Mode::infer_propagate).
Plan propagated_one_way(const Plan &plan, Direction direction);

} // namespace tw::partition
