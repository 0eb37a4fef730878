// SPDX-License-Identifier: Apache-2.0
// A queue of a GPU as NCCL's communicator wants a device: boxes are copied and tiles moved by kernels in it,
// and marks are events.
#pragma once

#include <memory>
#include <string>

#include "comm/nccl/device.hpp"
#include "device/cuda/queue.hpp"

namespace tw::device::cuda {

// The host and the bus of a GPU: alike in all processes that see it.
Result<std::string> nccl_id(const Gpu &gpu);

std::shared_ptr<comm::nccl::Device> make_nccl_device(std::shared_ptr<CudaQueue> queue, std::string id);

} // namespace tw::device::cuda
