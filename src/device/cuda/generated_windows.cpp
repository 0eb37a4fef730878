// SPDX-License-Identifier: Apache-2.0
// Windows that slide over arrays: folds, and what each of them selects.
#include <algorithm>
#include <utility>

#include "device/cuda/generated.hpp"
#include "kernels/generated/host_functions.hpp"
#include "kernels/generated/region_window.hpp"
#include "kernels/generated/select_and_scatter.hpp"
#include "kernels/generated/window.hpp"
#include "ops/reduction.hpp"
#include "ops/window.hpp"

namespace tw::device::cuda {
namespace {

namespace generated = kernels::generated;
using kernels::Request;
using kernels::Tile;

Result<generated::ScalarRegion> region_of(const Request &r, size_t number) {
  TW_ASSIGN(auto region, generated::scalar_region(r.op.graph, r.op.regions[number]));
  if (r.same_bits)
    TW_TRY(generated::take_host_bits(region.nodes));
  return region;
}

// Over what this device holds.
std::vector<ops::SlidingWindow> local_windows(const Request &r) {
  const Tile &array = r.operands[0], &out = r.results[0];
  std::vector<ops::SlidingWindow> windows = ops::folding_windows(r.op);
  for (size_t d = 0; d < windows.size(); ++d)
    windows[d] = ops::localised(
        windows[d], {array.offset[d], array.extent[d], 0, windows[d].size, out.offset[d], out.extent[d]});
  return windows;
}

MadeKernel region_window(const Request &r) {
  const size_t n = r.results.size();
  TW_ASSIGN(auto region, region_of(r, 0));
  for (size_t i = 0; i < n; ++i)
    for (const graph::DType t : {r.operands[i].dtype, r.operands[n + i].dtype, region.arguments[i]})
      if (t != r.results[i].dtype)
        return tl::unexpected(no_kernel("its arrays and its region differ in type"));
  TW_ASSIGN(auto source,
            generated::region_window_source(
                {std::move(region), r.operands[0].extent, r.results[0].extent, local_windows(r)}, kEntry));
  return one_part("cuda:window", std::move(source), r);
}

} // namespace

MadeKernel window_kernel(const Request &r) {
  const Tile &array = r.operands[0], &out = r.results[0];
  if (!r.use_init)
    return tl::unexpected(no_kernel("it begins with the identity"));
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  if (!kind || r.results.size() != 1 || array.dtype != out.dtype || r.operands[1].dtype != out.dtype)
    return region_window(r);
  return one_part(
      "cuda:window",
      generated::window_source({out.dtype, *kind, array.extent, out.extent, local_windows(r)}, kEntry), r);
}

MadeKernel select_kernel(const Request &r) {
  const Tile &array = r.operands[0], &source = r.operands[1], &out = r.results[0];
  generated::SelectAndScatter request;
  TW_ASSIGN(request.select, region_of(r, 0));
  TW_ASSIGN(request.scatter, region_of(r, 1));
  for (const graph::DType t :
       {array.dtype, source.dtype, request.select.arguments[0], request.scatter.arguments[0]})
    if (t != out.dtype)
      return tl::unexpected(no_kernel("its arrays and its regions differ in type"));
  if (!r.use_init)
    return tl::unexpected(no_kernel("it begins with the identity"));
  const auto windows = ops::selecting_windows(r.op);
  for (size_t d = 0; d < windows.size(); ++d)
    request.dims.push_back({windows[d], array.global[d], array.offset[d], array.extent[d], source.offset[d],
                            source.extent[d], out.offset[d], out.extent[d]});
  TW_ASSIGN(auto made, generated::select_and_scatter_source(request, kEntry));
  return one_part("cuda:select_and_scatter", std::move(made), r);
}

} // namespace tw::device::cuda
