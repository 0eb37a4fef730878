// SPDX-License-Identifier: Apache-2.0
// Random convolutions: forward and as gradients are written, in any layout, with groups.
#pragma once

#include "conformance/kernel_case.hpp"

namespace tw::test {

struct Spatial {
  int64_t size, taps, stride = 1, low = 0, high = 0, base = 1, dilation = 1, reversed = 0;
};

struct Conv {
  int64_t batch, in, out; // of one group
  std::vector<Spatial> space = {};
  int64_t feature_groups = 1, batch_groups = 1;
  std::vector<int64_t> lhs = {}, rhs = {}, result = {}; // dimension lists; empty: channels last
};

KernelCase make_conv(Rng &rng, Conv c, graph::DType operand, graph::DType result, bool integers);
Conv random_conv(Rng &rng);
// The part that makes [begin, end) of a dimension of the result.
KernelCase conv_tile(const KernelCase &call, size_t dim, int64_t begin, int64_t end);
// How far a result may be from another one, relatively, whose elements are sums of k products.
double conv_bound(graph::DType result, int64_t k);
} // namespace tw::test
