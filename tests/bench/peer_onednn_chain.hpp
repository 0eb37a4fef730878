// SPDX-License-Identifier: Apache-2.0
// One oneDNN convolution of fixed shape, forward or one of its two gradients, with the reorders into and out
// of the layouts that it runs fastest in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"

namespace tw::bench {

inline int64_t aligned(int64_t bytes) { return (bytes + 63) / 64 * 64; }

// Images (batch x groups*in x space), weights (groups x out x in x taps) and results (batch x groups*out x
// space) of the forward convolution; a gradient makes one of the first two from the others. Extents are 1 at
// least, spatial dimensions 1 to 3. Strides are in elements; padding is not negative before, and as much
// behind as the sizes say.
struct ConvShape {
  enum class Direction : uint8_t { forward, images_gradient, weights_gradient };
  struct Layout {
    int64_t batch = 0, group = 0, in = 0, out = 0;
    std::vector<int64_t> spatial;
  };
  Direction direction = Direction::forward;
  int64_t groups = 1, batch = 1, in = 1, out = 1; // channels of one group
  std::vector<int64_t> image, taps, result;       // spatial extents
  std::vector<int64_t> strides, dilations, low;   // dilation 1: taps lie together
  Layout images_layout, weights_layout, results_layout;
  graph::DType operand = graph::DType::f32, made = graph::DType::f32; // of what is read, of what is made

  int64_t high(size_t d) const { // padding behind
    return (result[d] - 1) * strides[d] + (taps[d] - 1) * dilations[d] + 1 - image[d] - low[d];
  }
};

class ConvChain {
public:
  // Null where oneDNN has no optimised implementation.
  static std::unique_ptr<ConvChain> create(const ConvShape &shape);
  ~ConvChain();

  const std::string &implementation() const; // "brgconv:avx512_core"
  int64_t scratch_bytes() const;
  // Runs in the calling thread alone; any number of threads may run at once. One of the three is written.
  Status run(const void *images, const void *weights, const void *results, void *scratch) const;

private:
  struct Impl;
  explicit ConvChain(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace tw::bench
