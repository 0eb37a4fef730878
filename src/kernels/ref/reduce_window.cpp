// SPDX-License-Identifier: Apache-2.0
// The elements under a sliding window folded by a region.
#include <algorithm>

#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/window.hpp"

namespace tw::kernels::ref::reduce_window_reference {
namespace {

// The windows over what this device holds.
std::vector<SlidingWindow> local_windows(const KernelArgs &args) {
  std::vector<SlidingWindow> windows = folding_windows(args.op);
  const Buffer &array = args.operands[0], &result = args.results[0];
  for (size_t d = 0; d < windows.size(); ++d)
    windows[d] = localised(windows[d], {array.offset[d], array.extent[d], 0, windows[d].size,
                                        result.offset[d], result.extent[d]});
  return windows;
}

// One array with its padding and base dilation filled in by the initial value.
std::vector<std::byte> padded(const Buffer &array, const Buffer &init,
                              const std::vector<SlidingWindow> &windows, graph::Shape &extent) {
  std::vector<int64_t> low, step;
  extent.clear();
  for (size_t d = 0; d < windows.size(); ++d) {
    const int64_t n = array.extent[d];
    low.push_back(windows[d].low);
    step.push_back(windows[d].base_dilation);
    extent.push_back(std::max<int64_t>(0, (n == 0 ? 0 : (n - 1) * windows[d].base_dilation + 1) +
                                              windows[d].low + windows[d].high));
  }
  const size_t size = graph::byte_size(array.dtype);
  std::vector<std::byte> bytes(static_cast<size_t>(product(extent)) * size);
  fill(bytes.data(), init.data, product(extent), size);
  place_strided(bytes.data(), extent, array.data, array.extent, low, step, size);
  return bytes;
}

// Each result folds the elements of its window in row-major order (see folding_windows), padding included,
// from the initial value.
Status reference(const KernelArgs &args) {
  const size_t n = args.results.size();
  TW_ASSIGN(RegionFn combine, RegionFn::make(args.op.graph, args.op.regions[0]));
  const int64_t count = args.results[0].elements();
  if (count == 0)
    return {};
  const std::vector<SlidingWindow> windows = local_windows(args);
  graph::Shape extent;
  std::vector<std::vector<std::byte>> arrays, slices(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t size = graph::byte_size(args.results[i].dtype);
    arrays.push_back(padded(args.operands[i], args.operands[n + i], windows, extent));
    slices[i].resize(static_cast<size_t>(count) * size);
    fill(args.results[i].data, args.operands[n + i].data, count, size);
  }
  const std::vector<int64_t> steps = dense_strides(extent), to = dense_strides(args.results[0].extent);
  std::vector<int64_t> window_extent, strides;
  for (size_t d = 0; d < windows.size(); ++d) {
    window_extent.push_back(windows[d].size);
    strides.push_back(steps[d] * windows[d].stride);
  }
  std::vector<const void *> in(2 * n);
  std::vector<void *> out(n);
  for (Walk w(window_extent); w.more(); w.next()) {
    // The elements that all windows have at this place, then one step of every fold.
    int64_t first = 0;
    for (size_t d = 0; d < windows.size(); ++d)
      first += windows[d].step(w[d]) * steps[d];
    for (size_t i = 0; i < n; ++i) {
      const size_t size = graph::byte_size(args.results[i].dtype);
      copy_strided(slices[i].data(), to, arrays[i].data() + first * static_cast<int64_t>(size), strides,
                   args.results[0].extent, size);
    }
    for (int64_t from = 0; from < count; from += RegionFn::kBlock) {
      for (size_t i = 0; i < n; ++i) {
        const size_t at = static_cast<size_t>(from) * graph::byte_size(args.results[i].dtype);
        out[i] = static_cast<std::byte *>(args.results[i].data) + at;
        in[i] = out[i];
        in[n + i] = slices[i].data() + at;
      }
      combine.run(in, out, std::min(RegionFn::kBlock, count - from));
    }
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.reduce_window", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::reduce_window_reference
