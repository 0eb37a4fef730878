// SPDX-License-Identifier: Apache-2.0
// sort, top_k and cumulative reductions by CUB. They have the bits of the host's kernels.
#include "device/cuda/library_kernel.hpp"
#include "device/cuda/sort_form.hpp"

namespace tw::device::cuda {
namespace {

std::unique_ptr<kernels::Kernel> bind_sort(const kernels::Request &request) {
  const auto form = sort_form(request);
  return form ? bind_library(request, *form, &tw_cuda_plugin::plan_sort, {.split_invariant = true}) : nullptr;
}

std::unique_ptr<kernels::Kernel> bind_scan(const kernels::Request &request) {
  const auto form = scan_form(request);
  return form ? bind_library(request, *form, &tw_cuda_plugin::plan_scan, {.split_invariant = true}) : nullptr;
}

} // namespace

kernels::Entry sort_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::sort, ops::OpKind::top_k};
  return {"cub:sort", kinds, bind_sort};
}

kernels::Entry scan_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::reduce_window};
  return {"cub:scan", kinds, bind_scan};
}

} // namespace tw::device::cuda
