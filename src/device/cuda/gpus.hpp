// SPDX-License-Identifier: Apache-2.0
// The GPUs of this process, by their numbers, and which of them the devices of a mesh are on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/cuda/cuda.hpp"
#include "device/kind.hpp"

namespace tw::device::cuda {

// Opened at the first call that succeeds. It stays open.
Result<std::shared_ptr<Gpu>> find_gpu(int32_t index);

// Whether commands of `gpu` may read and write the memory of `other`, from now on.
bool reaches(const Gpu &gpu, const Gpu &other);

// By device: the number of its GPU. Of those that are wished for, else that TW_CUDA_GPUS lists ("0,1"), else
// of GPU 0 and all of its name that it reaches and that reach it. Others move data through memory of the
// host, and GPUs of another name may choose other algorithms, so results would be others: they are there for
// who names them.
Result<std::vector<int32_t>> place(int64_t devices, const Wish &wish);

} // namespace tw::device::cuda
