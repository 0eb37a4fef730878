// SPDX-License-Identifier: Apache-2.0
// cholesky by cuSOLVER, triangular_solve by cuBLAS.
#include "device/cuda/library_kernel.hpp"
#include "device/cuda/linear_form.hpp"

namespace tw::device::cuda {
namespace {

std::unique_ptr<kernels::Kernel> bind_cholesky(const kernels::Request &request) {
  const auto form = cholesky_form(request);
  return form ? bind_library(request, *form, &tw_cuda_plugin::plan_cholesky) : nullptr;
}

std::unique_ptr<kernels::Kernel> bind_solve(const kernels::Request &request) {
  const auto form = solve_form(request);
  return form ? bind_library(request, *form, &tw_cuda_plugin::plan_solve) : nullptr;
}

} // namespace

kernels::Entry cholesky_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::cholesky};
  return {"cusolver", kinds, bind_cholesky};
}

kernels::Entry solve_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::triangular_solve};
  return {"cublas:trsm", kinds, bind_solve};
}

} // namespace tw::device::cuda
