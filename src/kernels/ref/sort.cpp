// SPDX-License-Identifier: Apache-2.0
// Arrays put in order along a dimension, by a comparator region or by value.
#include <algorithm>
#include <numeric>

#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "kernels/ref/scalar.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"
#include "ops/sort_order.hpp"

namespace tw::kernels::ref::sort_reference {
namespace {

// Calls line(first) for every line along a dimension, with the position of its first element.
template <class Line> void each_line(std::span<const int64_t> extent, size_t along, Line &&line) {
  const std::vector<int64_t> steps = dense_strides(extent);
  std::vector<int64_t> others(extent.begin(), extent.end());
  others[along] = std::min<int64_t>(others[along], 1);
  for (Walk w(others); w.more(); w.next()) {
    int64_t first = 0;
    for (size_t d = 0; d < steps.size(); ++d)
      first += w[d] * steps[d];
    line(first);
  }
}

// Always stable, so the answer does not depend on the algorithm.
Status sort_kernel(const KernelArgs &args) {
  const size_t n = args.operands.size(), along = sorted_dimension(args.op);
  TW_ASSIGN(RegionFn less, RegionFn::make(args.op.graph, args.op.regions[0]));
  const auto extent = args.operands[0].extent;
  const int64_t length = extent[along], step = dense_strides(extent)[along], one = 1;
  std::vector<int64_t> order(static_cast<size_t>(length));
  std::vector<const void *> in(2 * n);
  uint8_t before = 0;
  void *out[] = {&before};
  each_line(extent, along, [&](int64_t first) {
    auto element = [&](size_t i, int64_t at) {
      return static_cast<const std::byte *>(args.operands[i].data) +
             (first + at * step) * static_cast<int64_t>(graph::byte_size(args.operands[i].dtype));
    };
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      for (size_t i = 0; i < n; ++i) {
        in[2 * i] = element(i, a);
        in[2 * i + 1] = element(i, b);
      }
      less.run(in, out, 1);
      return before != 0;
    });
    for (size_t i = 0; i < n; ++i) {
      const auto size = static_cast<int64_t>(graph::byte_size(args.results[i].dtype));
      for (int64_t at = 0; at < length; ++at)
        copy_strided(static_cast<std::byte *>(args.results[i].data) + (first + at * step) * size, {&one, 1},
                     element(i, order[static_cast<size_t>(at)]), {&one, 1}, {&one, 1},
                     static_cast<size_t>(size));
    }
  });
  return {};
}

// Greatest first, floats in total order; of equal elements the first.
Status top_k_kernel(const KernelArgs &args) {
  const Buffer &in = args.operands[0];
  const int64_t length = in.extent.back(), k = args.results[0].extent.back();
  std::vector<int32_t> order(static_cast<size_t>(length));
  visit_dtype(in.dtype, [&]<class E>(E) {
    if constexpr (kSortKeys.has(E::dtype)) {
      const auto *x = static_cast<const typename E::Storage *>(in.data);
      auto *values = static_cast<typename E::Storage *>(args.results[0].data);
      auto *indices = static_cast<int32_t *>(args.results[1].data);
      each_line(in.extent, in.extent.size() - 1, [&](int64_t first) {
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
          const auto p = E::load(x[first + a]), q = E::load(x[first + b]);
          if constexpr (std::is_floating_point_v<typename E::Value>)
            return scalar::total_order(p) > scalar::total_order(q);
          else
            return p > q;
        });
        for (int64_t i = 0; i < k; ++i) {
          *values++ = x[first + order[static_cast<size_t>(i)]];
          *indices++ = order[static_cast<size_t>(i)];
        }
      });
    }
  });
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"chlo.top_k", top_k_kernel},
      {"stablehlo.sort", sort_kernel},
  };
  return all;
}

} // namespace tw::kernels::ref::sort_reference
