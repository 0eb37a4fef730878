// SPDX-License-Identifier: Apache-2.0
// Holds planned work of a library and puts it into queues. Memory for it is the queue's.
#include "device/cuda/library_kernel.hpp"

#include <utility>

namespace tw::device::cuda {

LibraryKernel::LibraryKernel(std::shared_ptr<Gpu> gpu, tw_cuda_work *work, LibraryTraits traits)
    : gpu_(std::move(gpu)), work_(work), traits_(traits), claim_(gpu_->claim(workspace())) {}

LibraryKernel::~LibraryKernel() { gpu_->table().release_work(work_); }

const char *LibraryKernel::name() const { return gpu_->table().work_name(work_); }

size_t LibraryKernel::workspace() const { return gpu_->table().work_bytes(work_); }

Status LibraryKernel::enqueue(CudaQueue &queue, std::span<const void *const> operands,
                              std::span<void *const> results) const {
  TW_ASSIGN(std::byte *const workspace, queue.scratch(this->workspace()));
  return enqueue(queue, operands, results, workspace);
}

Status LibraryKernel::enqueue(CudaQueue &queue, std::span<const void *const> operands,
                              std::span<void *const> results, std::byte *workspace) const {
  return queue.run(work_, operands, results, workspace);
}

} // namespace tw::device::cuda
