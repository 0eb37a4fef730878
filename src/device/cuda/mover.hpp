// SPDX-License-Identifier: Apache-2.0
// What moves between devices on GPUs. A taker's tiles and those that it reads go through memory of the
// host, in the taker's queue; there they are moved as the host does, so sums have the host's bits.
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
