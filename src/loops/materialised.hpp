// SPDX-License-Identifier: Apache-2.0
// What a text keeps apart: loops that stand one behind the other in it, though slices of the second meet
// tiles of the first and the printer would make one loop of them. Where that does not say it all, attributes
// do: `"partir.apart 0 batch":"%3, %5"`.
#pragma once

#include <span>
#include <vector>

#include "annotation/loop_program.hpp"
#include "partition/plan.hpp"

namespace tw::loops {

// A value that is made whole at the end of its loop over an axis.
struct Materialised {
  graph::ValueId value;
  sharding::AxisId axis;
  bool operator==(const Materialised &) const = default;
};

// Those of a plan that its text must list: all or, where a reader finds them from the loops, none.
std::vector<Materialised> listed_materialised(const partition::Plan &plan);

// Marks, in a plan that has the loops of a text, each value that keeps two of them apart. `axes`: of each
// loop of the text.
void mark_apart(partition::Plan &plan, const annotation::LoopProgram &program,
                std::span<const sharding::AxisId> axes);

} // namespace tw::loops
