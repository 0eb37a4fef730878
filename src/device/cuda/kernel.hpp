// SPDX-License-Identifier: Apache-2.0
// Kernels that run on a GPU: they put what they do into a queue.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/cuda/queue.hpp"
#include "kernels/entry.hpp"
#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"

namespace tw::device::cuda {

class CompiledKernel;

class GpuKernel : public kernels::Kernel {
public:
  virtual const CompiledKernel *compiled() const { return nullptr; } // what of it is generated
  // Pointers are taken at once. An error is one of issuing; what fails later fails the queue.
  virtual Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                         std::span<void *const> results) const = 0;
  Status run(int64_t, std::span<const void *const>, std::span<void *const>, void *) const final {
    return fail(Code::internal, "TW-681", "a kernel for GPUs was run by the host");
  }
};

kernels::Entry product_entry();     // cuBLASLt
kernels::Entry sort_entry();        // CUB
kernels::Entry scan_entry();        // CUB
kernels::Entry convolution_entry(); // cuDNN
kernels::Entry fft_entry();         // cuFFT
kernels::Entry cholesky_entry();    // cuSOLVER
kernels::Entry solve_entry();       // cuBLAS

// See QueueKind::bind_product: by cuBLASLt.
std::unique_ptr<kernels::Kernel> bind_product(const kernels::Request &product,
                                              const kernels::FusedRequest &group, uint32_t made);

// A kernel of the host on copies of its tiles; null: it is one for GPUs. `bytes`: see QueueKind::adapt.
std::unique_ptr<kernels::Kernel> adapt(const kernels::Kernel &kernel, std::vector<int64_t> bytes);

} // namespace tw::device::cuda
