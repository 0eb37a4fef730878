// SPDX-License-Identifier: Apache-2.0
// Conversion of arrays from one element type to another, for every pair of types.
#pragma once

#include <span>
#include <vector>

#include "kernels/kernel_args.hpp"

namespace tw::kernels::ref {

// in[0] holds elements of type `from`; out gets them as `to`. Floats round to nearest even once, floats to
// integers saturate, integers wrap, anything but zero is true, complex numbers lose their imaginary part.
BlockFn convert_block(graph::DType from, graph::DType to);

// A piece with its dimensions in the given order, dense, as elements of `type`.
std::vector<std::byte> packed(const Buffer &piece, std::span<const int64_t> order, graph::DType type);

// The type in which references keep sums of products: narrow floats accumulate in f32, everything else in its
// own type.
graph::DType sum_type(graph::DType result);

} // namespace tw::kernels::ref
