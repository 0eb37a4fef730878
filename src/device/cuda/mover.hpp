// SPDX-License-Identifier: Apache-2.0
// What moves between devices on GPUs: kernels in the taker's queue (move_kernel.hpp). Where there are none,
// the tiles go through memory of the host and are moved there as the host does, so sums have the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "device/queue.hpp"

namespace tw::device::cuda {

// `gpus`: their numbers, by position.
Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers,
                                          std::span<const int32_t> gpus);
Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce, std::span<const int32_t> gpus);

} // namespace tw::device::cuda
