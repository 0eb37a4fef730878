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

std::unique_ptr<kernels::Kernel> make_library_kernel(std::shared_ptr<Gpu> gpu, tw_cuda_work *work,
                                                     LibraryTraits traits);

// Null: there is no GPU, no library, or nothing in it for the form; another kernel takes the op.
template <class Form>
std::unique_ptr<kernels::Kernel> bind_library(const kernels::Request &request, const Form &form,
                                              Plan<Form> tw_cuda_plugin::*plan, LibraryTraits traits = {}) {
  const auto gpu = find_gpu(request.unit);
  if (!gpu || (*gpu)->table().*plan == nullptr)
    return nullptr;
  char why[TW_CUDA_WHY] = "";
  tw_cuda_work *work = nullptr;
  if (((*gpu)->table().*plan)((*gpu)->handle(), &form, &work, why) != TW_CUDA_OK)
    return nullptr;
  return make_library_kernel(*gpu, work, traits);
}

} // namespace tw::device::cuda
