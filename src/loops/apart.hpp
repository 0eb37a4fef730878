// SPDX-License-Identifier: Apache-2.0
// What a text keeps apart: loops that stand one behind the other in it, though slices of the second meet tiles of the first and the printer
// would make one loop of them.
#pragma once

#include <span>

#include "import/loops.hpp"
#include "partition/plan.hpp"

namespace tw::loops {

// Marks, in a plan that has the loops of a text, each value that keeps two of them apart. `axes`: of each loop of the text.
void mark_apart(partition::Plan &plan, const import::LoopProgram &program,
                std::span<const sharding::AxisId> axes);

} // namespace tw::loops
