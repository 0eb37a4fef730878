// SPDX-License-Identifier: Apache-2.0
// fft by cuFFT.
#include "device/cuda/fft_form.hpp"
#include "device/cuda/library_kernel.hpp"

namespace tw::device::cuda {
namespace {

std::unique_ptr<kernels::Kernel> bind_fft(const kernels::Request &request) {
  const auto form = fft_form(request);
  return form ? bind_library(request, *form, &tw_cuda_plugin::plan_fft) : nullptr;
}

} // namespace

kernels::Entry fft_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::fft};
  return {"cufft", kinds, bind_fft};
}

} // namespace tw::device::cuda
