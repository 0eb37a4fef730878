// SPDX-License-Identifier: Apache-2.0
// The GPU on which all devices of the kind are. Several devices of a mesh share it: each has a queue of its
// own.
#pragma once

#include <memory>

#include "device/cuda/cuda.hpp"

namespace tw::device::cuda {

// Opened at the first call that succeeds: that of TW_CUDA_GPU, else 0. It stays open.
Result<std::shared_ptr<Gpu>> shared_gpu();

} // namespace tw::device::cuda
