// SPDX-License-Identifier: Apache-2.0
// Chains: neighbouring steps that all work row by row on the same rows, as those of a softmax or a layer norm do, become one step, which takes
// them through some rows after the other while these are in cache. What only the chain itself reads is nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/roles.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// Steps in order, and their places: rising numbers. No chain reaches over a border, a place too.
void form_chains(std::vector<Step> &steps, std::vector<uint32_t> &places, std::span<const uint32_t> borders,
                 const spmd::Program &program, const Layouts &layouts, const Roles &roles);

// Whether what a member with `row_dims` reads has rows too: false where every row reads the same.
bool varies(const FusedRead &read, size_t row_dims);

} // namespace tw::runtime
