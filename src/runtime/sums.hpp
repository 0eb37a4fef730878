// SPDX-License-Identifier: Apache-2.0
// A sum over devices of one process that only one elementwise step reads, and that this step computes once for all of them, needs no array: the
// step reads what the devices hold, and the collective is no step any more. That saves a pass: an optimizer's update reads its gradients' parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/layout.hpp"
#include "runtime/roles.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// `places`: one a step, of which those of steps that go are dropped; `runs`: by step, the number of its straight run. All devices are in one process.
void take_in_sums(std::vector<Step> &steps, std::vector<uint32_t> &places, std::span<const uint32_t> runs,
                  const spmd::Program &program, const Layouts &layouts, const Roles &roles);

} // namespace tw::runtime
