// SPDX-License-Identifier: Apache-2.0
// Holds planned work of a library and puts it into queues. Memory for it is the queue's.
#include "device/cuda/library_kernel.hpp"

#include <utility>

namespace tw::device::cuda {
namespace {

class LibraryKernel final : public GpuKernel {
public:
  LibraryKernel(std::shared_ptr<Gpu> gpu, tw_cuda_work *work, LibraryTraits traits)
      : gpu_(std::move(gpu)), work_(work), traits_(traits), claim_(gpu_->claim(bytes())) {}
  LibraryKernel(const LibraryKernel &) = delete;
  LibraryKernel &operator=(const LibraryKernel &) = delete;
  ~LibraryKernel() override { gpu_->table().release_work(work_); }

  const char *name() const override { return gpu_->table().work_name(work_); }
  bool split_invariant() const override { return traits_.split_invariant; }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override {
    return queue.run(work_, operands, results);
  }

private:
  size_t bytes() const { return gpu_->table().work_bytes(work_); }

  std::shared_ptr<Gpu> gpu_;
  tw_cuda_work *work_;
  LibraryTraits traits_;
  Gpu::Claim claim_;
};

} // namespace

std::unique_ptr<kernels::Kernel> make_library_kernel(std::shared_ptr<Gpu> gpu, tw_cuda_work *work,
                                                     LibraryTraits traits) {
  return std::make_unique<LibraryKernel>(std::move(gpu), work, traits);
}

} // namespace tw::device::cuda
