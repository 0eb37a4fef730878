// SPDX-License-Identifier: Apache-2.0
// Each window over an array selects one of its elements, and its source is combined into the result there.
#include <algorithm>

#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/window.hpp"

namespace tw::kernels::ref::select_and_scatter_reference {
namespace {

// Windows in row-major order; of each the elements in row-major order, those in the padding left out.
Status reference(const KernelArgs &args) {
  const Buffer &array = args.operands[0], &source = args.operands[1], &result = args.results[0];
  if (result.elements() == 0)
    return {};
  TW_ASSIGN(RegionFn select, RegionFn::make(args.op.graph, args.op.regions[0]));
  TW_ASSIGN(RegionFn scatter, RegionFn::make(args.op.graph, args.op.regions[1]));
  const std::vector<SlidingWindow> windows = selecting_windows(args.op);
  const size_t rank = windows.size(), size = graph::byte_size(result.dtype);
  const std::vector<int64_t> array_steps = dense_strides(array.extent),
                             source_steps = dense_strides(source.extent),
                             result_steps = dense_strides(result.extent);
  fill(result.data, args.operands[2].data, result.elements(), size);
  // The windows that touch this part of the result.
  std::vector<int64_t> first(rank), count(rank), taps(rank);
  for (size_t d = 0; d < rank; ++d) {
    const SlidingWindow &w = windows[d];
    const int64_t low = result.offset[d] + w.low - w.size + 1,
                  high = result.offset[d] + result.extent[d] - 1 + w.low;
    first[d] = std::max(source.offset[d], low <= 0 ? 0 : (low + w.stride - 1) / w.stride);
    const int64_t end = high < 0 ? 0 : std::min(source.offset[d] + source.extent[d], high / w.stride + 1);
    count[d] = std::max<int64_t>(0, end - first[d]);
    taps[d] = w.size;
  }
  const auto *elements = static_cast<const std::byte *>(array.data);
  for (Walk p(count); p.more(); p.next()) {
    const std::byte *selected = nullptr;
    int64_t place = 0, from = 0; // in the result, -1 where another device has it; in the source
    for (size_t d = 0; d < rank; ++d)
      from += (first[d] + p[d] - source.offset[d]) * source_steps[d];
    for (Walk t(taps); t.more(); t.next()) {
      int64_t at = 0, to = 0;
      bool inside = true, here = true;
      for (size_t d = 0; d < rank; ++d) {
        const int64_t i = windows[d].element(first[d] + p[d], t[d], array.global[d]);
        inside = inside && i >= 0;
        here = here && i >= result.offset[d] && i < result.offset[d] + result.extent[d];
        at += (i - array.offset[d]) * array_steps[d];
        to += (i - result.offset[d]) * result_steps[d];
      }
      if (!inside)
        continue;
      const std::byte *candidate = elements + at * static_cast<int64_t>(size);
      bool keep = false;
      if (selected != nullptr) {
        const void *pair[] = {selected, candidate};
        void *answer = &keep;
        select.run(pair, {&answer, 1}, 1);
      }
      if (!keep) {
        selected = candidate;
        place = here ? to : -1;
      }
    }
    if (selected == nullptr || place < 0)
      continue;
    void *into = static_cast<std::byte *>(result.data) + place * static_cast<int64_t>(size);
    const void *pair[] = {into,
                          static_cast<const std::byte *>(source.data) + from * static_cast<int64_t>(size)};
    scatter.run(pair, {&into, 1}, 1);
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.select_and_scatter", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::select_and_scatter_reference
