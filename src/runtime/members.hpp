// SPDX-License-Identifier: Apache-2.0
// What steps read; the members of a fused one each other at the same index, or arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <span>
#include <vector>

#include "runtime/roles.hpp"
#include "runtime/step.hpp"

namespace tw::runtime {

// A fused step takes no more than this: its blocks should stay in the first-level cache.
constexpr size_t kMostMembers = 64;
constexpr size_t kMostReads = 24;

// The read is of what a member of the step makes, element by element: no array is needed.
bool is_of_member(const Step &step, const FusedRead &read, const spmd::Program &program);
// Finds the reads and arguments of a fused step whose members are known, in program order.
void connect_members(Step &step, const spmd::Program &program, const Roles &roles);

// Roots of the values that any step reads.
std::set<spmd::ValueRef> roots_read(const Step &step, const Roles &roles);

// By root: how many steps read it, and results of the program.
std::vector<uint32_t> count_readers(const spmd::Program &program,
                                    std::initializer_list<std::span<const Step>> steps,
                                    std::span<const View> views);

// Those that the step is there for: what is made again stands for the step that made it first.
std::vector<uint32_t> own_members(const Step &step);

} // namespace tw::runtime
