// SPDX-License-Identifier: Apache-2.0
// Right matrices of products that never change, in the order in which their kernel reads them fastest:
// brought there once, when the executable is made.
#pragma once

#include <span>
#include <vector>

#include "runtime/executor.hpp"
#include "runtime/memory.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// Brings what kernels want packed into their order, once in each place. `steps` are the schedule's, bound;
// what never changes has run.
void pack(const spmd::Program &program, const Schedule &schedule, const Layouts &layouts,
          const Memory &memory, std::span<const BoundStep> steps, std::span<std::byte *const> arenas);

} // namespace tw::runtime
