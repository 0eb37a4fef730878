// SPDX-License-Identifier: Apache-2.0
// Plans that are sequences of collectives, for backends that offer nothing else and to count as the paper
// does.
#pragma once

#include "base/status.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/sequence.hpp"

namespace tw::redistribute {

// Both layouts on the same devices, cuts that nest, no partial values; else why not.
Result<Tilings> tilings_of(const Problem &problem);

// Fills buffers, steps, cost and certificate of a scalar or vector plan whose tiles have at most `cap`
// elements. False where no sequence stays below the cap.
bool plan_sequence(const Tilings &tilings, OpSet ops, int64_t cap, Plan &plan);

} // namespace tw::redistribute
