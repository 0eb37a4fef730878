// SPDX-License-Identifier: Apache-2.0
// Conversion of arrays from one element type to another, for every pair of types.
#pragma once

#include <span>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

// in[0] holds elements of type `from`; out gets them as `to`. Floats round to nearest even once, floats to
// integers saturate, integers wrap, anything but zero is true, complex numbers lose their imaginary part.
BlockFn convert_block(graph::DType from, graph::DType to);

// Whether elements of one type, recast to another, are the same bytes: not where one of them leaves bits of
// its bytes unused.
bool has_same_bytes(graph::DType from, graph::DType to);

// A piece with its dimensions in the given order, dense, as elements of `type`.
std::vector<std::byte> packed(const Buffer &piece, std::span<const int64_t> order, graph::DType type);

} // namespace tw::ops
