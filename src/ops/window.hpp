// SPDX-License-Identifier: Apache-2.0
// A window that slides along one dimension, as convolution, reduce_window and select_and_scatter have it:
// where it stands, which elements lie under it, and how the part of a device looks as a window of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

// Place p of the window and tap t under it are the element i of the array with i * base_dilation = p * stride
// + t * dilation - low, where that is a whole number and lies in the array; the rest is padding. A reversed
// window counts its taps from the other end.
struct SlidingWindow {
  int64_t size = 1; // taps
  int64_t stride = 1, base_dilation = 1, dilation = 1, low = 0, high = 0;
  bool reversed = false;

  int64_t span() const { return (size - 1) * dilation + 1; }
  bool trivial() const { return size == 1 && stride == 1 && base_dilation == 1 && low == 0 && high == 0; }
  // How far behind the first of its elements a tap lies.
  int64_t step(int64_t tap) const { return (reversed ? size - 1 - tap : tap) * dilation; }
  // The element under a tap, -1 where there is none; n is the array's extent.
  int64_t element(int64_t place, int64_t tap, int64_t n) const {
    const int64_t at = place * stride + step(tap) - low;
    if (at < 0 || at % base_dilation != 0)
      return -1;
    return at / base_dilation < n ? at / base_dilation : -1;
  }
};

// Entry d of a list of windows from an op's attributes; the fallbacks where they are absent. Padding has two
// entries a dimension.
SlidingWindow window_of(const OpView &op, size_t d, int64_t size, size_t strides, size_t base_dilations,
                        size_t dilations, size_t padding);

// The windows of reduce_window, with their taps in the order in which they are folded: from the first element
// to the last, but where a window of a known reduction reaches from each element to the end of the array. It
// folds from that end, as a cumulative sum does, which takes one step an element.
std::vector<SlidingWindow> folding_windows(const OpView &op);

// The windows of select_and_scatter.
std::vector<SlidingWindow> selecting_windows(const OpView &op);

// How many places a window has over n elements; nothing where its sizes are out of bounds.
std::optional<int64_t> places(const SlidingWindow &window, int64_t n);

// The window as seen from the parts [array, array + n) of the array, [tap, tap + taps) of the window and
// [place, place + places) of the result: all of them counted from 0.
struct WindowPart {
  int64_t array, n, tap, taps, place, places;
};
SlidingWindow localised(const SlidingWindow &window, const WindowPart &part);

// The rule's view: `places` slide over dimension `dim` of `operand`, `taps` lie under them.
Window slide_over(const SlidingWindow &window, size_t operand, size_t dim, int64_t n, FactorId places,
                  FactorId taps);

} // namespace tw::ops
