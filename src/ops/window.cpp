// SPDX-License-Identifier: Apache-2.0
// Geometry of sliding windows.
#include "ops/window.hpp"

#include <algorithm>
#include <cstdlib>

#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::ops {

SlidingWindow window_of(const OpView &op, size_t d, int64_t size, size_t strides, size_t base_dilations,
                        size_t dilations, size_t padding) {
  const auto value = [&](size_t slot, size_t at, int64_t fallback) {
    return op.has(slot) ? op.ints(slot)[at] : fallback;
  };
  return {size,
          value(strides, d, 1),
          value(base_dilations, d, 1),
          value(dilations, d, 1),
          value(padding, 2 * d, 0),
          value(padding, 2 * d + 1, 0),
          false};
}

std::vector<SlidingWindow> folding_windows(const OpView &op) {
  namespace slots = slot::reduce_window;
  const bool known = op.results.size() == 1 && reduction_of(op.graph, op.regions[0]).has_value();
  std::vector<SlidingWindow> windows;
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    SlidingWindow w = window_of(op, d, op.ints(slots::window_dimensions)[d], slots::window_strides,
                                slots::base_dilations, slots::window_dilations, slots::padding);
    w.reversed = known && w.size == op.operands[0]->dims[d] && w.high == w.size - 1 && w.low == 0 &&
                 w.stride == 1 && w.base_dilation == 1 && w.dilation == 1;
    windows.push_back(w);
  }
  return windows;
}

std::vector<SlidingWindow> selecting_windows(const OpView &op) {
  namespace slots = slot::select_and_scatter;
  std::vector<SlidingWindow> windows;
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    SlidingWindow w;
    if (op.has(slots::window_dimensions))
      w.size = op.ints(slots::window_dimensions)[d];
    if (op.has(slots::window_strides))
      w.stride = op.ints(slots::window_strides)[d];
    if (op.has(slots::padding)) {
      w.low = op.ints(slots::padding)[2 * d];
      w.high = op.ints(slots::padding)[2 * d + 1];
    }
    windows.push_back(w);
  }
  return windows;
}

std::optional<int64_t> places(const SlidingWindow &w, int64_t n) {
  constexpr int64_t limit = int64_t(1) << 40; // products of two of these are exact
  for (const int64_t factor : {w.stride, w.base_dilation, w.dilation})
    if (factor < 1 || factor > limit)
      return std::nullopt;
  if (w.size < 1 || w.size > limit || n > limit || std::abs(w.low) > limit || std::abs(w.high) > limit ||
      w.size > limit / w.dilation || w.base_dilation > limit / std::max<int64_t>(n, 1))
    return std::nullopt;
  const int64_t padded = (n == 0 ? 0 : (n - 1) * w.base_dilation + 1) + w.low + w.high;
  return padded < w.span() ? 0 : (padded - w.span()) / w.stride + 1;
}

SlidingWindow localised(const SlidingWindow &window, const WindowPart &part) {
  SlidingWindow local = window;
  local.size = part.taps;
  // A reversed window's taps are counted from its other end.
  const int64_t first = window.reversed ? window.size - part.tap - part.taps : part.tap;
  local.low =
      window.low + part.array * window.base_dilation - part.place * window.stride - first * window.dilation;
  const int64_t n = part.n == 0 ? 0 : (part.n - 1) * window.base_dilation + 1;
  local.high = (part.places - 1) * window.stride + local.span() - n - local.low;
  return local;
}

Window slide_over(const SlidingWindow &window, size_t operand, size_t dim, int64_t n, FactorId places,
                  FactorId taps) {
  const int64_t step = window.reversed ? -window.dilation : window.dilation;
  const int64_t offset = (window.reversed ? (window.size - 1) * window.dilation : 0) - window.low;
  return {static_cast<uint32_t>(operand),
          static_cast<uint32_t>(dim),
          n,
          {{places, window.stride}, {taps, step}},
          offset,
          window.base_dilation,
          {}};
}

} // namespace tw::ops
