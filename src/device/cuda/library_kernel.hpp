// SPDX-License-Identifier: Apache-2.0
// Kernels that are one call of the plug-in: work of a library, planned when the kernel is bound.
#pragma once

#include <memory>

#include "device/cuda/gpus.hpp"
#include "device/cuda/kernel.hpp"

namespace tw::device::cuda {

// How a form becomes work. Null in the table of a plug-in that was built without the library.
template <class Form>
using Plan = tw_cuda_result (*)(tw_cuda_gpu *gpu, const Form *form, tw_cuda_work **out, char *why);

struct LibraryTraits {
  bool split_invariant = false; // see Kernel
};

class LibraryKernel final : public GpuKernel {
public:
  LibraryKernel(std::shared_ptr<Gpu> gpu, tw_cuda_work *work, LibraryTraits traits);
  LibraryKernel(const LibraryKernel &) = delete;
  LibraryKernel &operator=(const LibraryKernel &) = delete;
  ~LibraryKernel() override;

  const char *name() const override;
  bool split_invariant() const override { return traits_.split_invariant; }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override;

  // The same with memory of the caller's, as much as workspace() says.
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands, std::span<void *const> results,
                 std::byte *workspace) const;
  size_t workspace() const;
  const Gpu &gpu() const { return *gpu_; }

private:
  std::shared_ptr<Gpu> gpu_;
  tw_cuda_work *work_;
  LibraryTraits traits_;
  Gpu::Claim claim_;
};

// Null: there is no GPU, no library, or nothing in it for the form; another kernel takes the op.
template <class Form>
std::unique_ptr<LibraryKernel> bind_library(const kernels::Request &request, const Form &form,
                                            Plan<Form> tw_cuda_plugin::*plan, LibraryTraits traits = {}) {
  const auto gpu = find_gpu(request.unit);
  if (!gpu || (*gpu)->table().*plan == nullptr)
    return nullptr;
  char why[TW_CUDA_WHY] = "";
  tw_cuda_work *work = nullptr;
  if (((*gpu)->table().*plan)((*gpu)->handle(), &form, &work, why) != TW_CUDA_OK)
    return nullptr;
  return std::make_unique<LibraryKernel>(*gpu, work, traits);
}

} // namespace tw::device::cuda
