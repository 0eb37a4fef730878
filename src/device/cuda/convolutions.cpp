// SPDX-License-Identifier: Apache-2.0
// convolution by cuDNN.
#include "device/cuda/convolution_form.hpp"
#include "device/cuda/library_kernel.hpp"

namespace tw::device::cuda {
namespace {

std::unique_ptr<kernels::Kernel> bind_convolution(const kernels::Request &request) {
  const auto form = convolution_form(request);
  return form ? bind_library(request, *form, &tw_cuda_plugin::plan_convolution) : nullptr;
}

} // namespace

kernels::Entry convolution_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::convolution};
  return {"cudnn", kinds, bind_convolution};
}

} // namespace tw::device::cuda
