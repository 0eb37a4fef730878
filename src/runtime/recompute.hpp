// SPDX-License-Identifier: Apache-2.0
// What one fused step makes cheaply and only later ones read is made again by each of them: nothing is stored of it, and what it is made of is
// read instead. So of the chain of an activation function the next pass over it finds the argument, and not every link.
#pragma once

#include <vector>

#include "runtime/layout.hpp"
#include "runtime/roles.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// A fused step takes no more than this: its blocks should stay in the first-level cache.
constexpr size_t kMostMembers = 64;
constexpr size_t kMostReads = 24;

// `steps` in order. Values are made again only where that shortens what is stored, in bytes times steps, and only from one fused step to another
// of the same straight run of steps, those with its number in `runs`. Steps of which nobody reads anything any more are left without results.
void make_again(std::vector<Step> &steps, std::vector<uint32_t> runs, const spmd::Program &program,
                const Layouts &layouts, const Roles &roles);

} // namespace tw::runtime
