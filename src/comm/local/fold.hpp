// SPDX-License-Identifier: Apache-2.0
// A fold in process: each block of the parts is read where it lies, put together by the region in order, and written to every taker.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/comm.hpp"
#include "comm/local/step_work.hpp"
#include "redistribute/plan.hpp"

namespace tw::comm {

// `step` and `buffers` are those of one of the arrays: the others lie alike.
Result<std::unique_ptr<Collective>> make_fold(const Fold &fold, const redistribute::Step &step,
                                              std::span<const redistribute::Placement> buffers);

} // namespace tw::comm
