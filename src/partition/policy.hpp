// SPDX-License-Identifier: Apache-2.0
// Policies: what propagation does where PartIR's rules leave a choice, on one engine. `conservative` leaves
// ties undecided. `shardy` lets cheap ops go first, level by level, and where neighbours want different
// things takes what moves the fewest bytes, also by hearing some actions before others (choices.hpp).
// `cheapest` looks further: it may leave the levels, and put loops that nobody offers. `explicit` goes
// forward only, and what does not follow from what is stated is an error.
#pragma once

#include <string_view>

#include "annotation/annotations.hpp"
#include "partition/plan.hpp"

namespace tw::partition {

Result<Policy> parse_policy(std::string_view name); // "conservative", "shardy", ..

// Whether a tie goes to the largest array, until bytes say otherwise.
bool takes_largest(Policy policy);
// How many levels propagation goes through, and whether on one of them an op takes a factor because of what
// its operands (`forward`), or those who use its results, are.
int num_levels(Policy policy);
bool takes(const Plan &plan, int level, NodeId n, ops::FactorId factor, bool forward);

// Under `explicit`: an error for the first place at which something would have to be decided, or moved, that
// nobody stated; collectives of device-local code say what they move.
Status check_stated(const Plan &plan, const annotation::Annotations &annotations);

} // namespace tw::partition
