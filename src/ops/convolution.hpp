// SPDX-License-Identifier: Apache-2.0
// A convolution in one picture, whatever the order of its dimensions: groups of images with channels, windows
// over them, and the strides by which each array is walked. The parts that a device holds of the arrays make
// a convolution of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/window.hpp"

namespace tw::ops {

// The part that a device has of an array.
struct PartView {
  std::span<const int64_t> offset, extent;
};

// result[g, b, p, o] = sum over taps t and channels i of lhs[g, b, element(p, t), i] * rhs[g, t, i, o]
struct ConvPicture {
  struct Strides { // in elements; 0 where an array has no such index
    int64_t group = 0, batch = 0, in = 0, out = 0;
    std::vector<int64_t> spatial;
  };
  int64_t groups = 1, batch = 0, in = 0, out = 0; // channels of one group
  std::vector<SlidingWindow> windows;             // of these parts; their sizes are the taps held
  std::vector<int64_t> size, places;              // of images, of results
  Strides lhs, rhs, result;

  int64_t num_taps() const;
  int64_t num_places() const;
  int64_t image() const; // elements of one channel of an image
  bool empty() const { return groups * batch * out * num_places() == 0; }
  double flops() const;
};

// Where an array has what: two dimensions by meaning, then the spatial ones.
struct ConvLayout {
  size_t first, second; // batch and feature of lhs and result; input and output feature of rhs
  std::vector<size_t> spatial;
};
ConvLayout conv_layout(const OpView &op, size_t slot); // of slot::convolution: lhs_dimensions, ..

// The windows of the whole arrays.
std::vector<SlidingWindow> conv_windows(const OpView &op);
ConvPicture conv_picture(const OpView &op, const PartView &lhs, const PartView &rhs, const PartView &result);

} // namespace tw::ops
