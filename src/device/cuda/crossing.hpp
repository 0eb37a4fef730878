// SPDX-License-Identifier: Apache-2.0
// The way of GPUs between processes: NCCL.
#pragma once

#include "device/crossing.hpp"

namespace tw::device::cuda {

Result<Crossing> cross(const CrossingWish &wish);

} // namespace tw::device::cuda
