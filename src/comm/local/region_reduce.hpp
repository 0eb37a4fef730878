// SPDX-License-Identifier: Apache-2.0
// A reduce in process: each block of the parts is read where it lies, put together by the region in order,
// and written to every taker.
#pragma once

#include <cstddef>
#include <memory>

#include "comm/array_steps.hpp"
#include "comm/comm.hpp"

namespace tw::comm {

// All arrays move as `move` says. `slots`: source tiles of an array, those of device d in buffer b being the
// (b * devices + d)th.
Result<std::unique_ptr<Collective>> make_region_reduce(const RegionReduce &reduce, const ArrayStep &move,
                                                       Groups groups, size_t slots);

} // namespace tw::comm
