// SPDX-License-Identifier: Apache-2.0
// For choices of propagation (partition/moves.hpp): counts as spmd::count_moves does, and knows where ops
// run an axis where each chooses by itself (relaxation.hpp).
#pragma once

#include <memory>

#include "partition/plan.hpp"

namespace tw::search {

std::unique_ptr<partition::Moves> count_moves_with_wishes(const partition::Plan &plan);

// What plans of a policy count with, as tw has them: wishes are for those that look further.
partition::CountMoves count_for(partition::Policy policy);

} // namespace tw::search
