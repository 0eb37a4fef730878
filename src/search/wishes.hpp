// SPDX-License-Identifier: Apache-2.0
// For choices of propagation (partition/moves.hpp): counts bytes or time, and knows where ops run an axis
// where each chooses by itself (relaxation.hpp).
#pragma once

#include <memory>

#include "partition/plan.hpp"
#include "system/system.hpp"

namespace tw::search {

// What plans of a policy count with, as tw has them: time where there is a system, else bytes. Wishes are for
// those that look further.
partition::CountMoves count_for(partition::Policy policy,
                                std::shared_ptr<const system::System> system = nullptr);

} // namespace tw::search
