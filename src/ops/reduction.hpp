// SPDX-License-Identifier: Apache-2.0
// Reduction kinds: which kind a region is, and the kind's identity.
#pragma once

#include <optional>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

// A region that is one commutative op of its two arguments (add, maximum, minimum, multiply, and, or, xor):
// its reduction kind. On i1, add and maximum are `lor`, multiply and minimum `land`.
std::optional<sharding::Reduction> reduction_of(const graph::Graph &graph, graph::RegionId region);

// Of a reduce: whether it folds a dimension, and the known reduction that it is, if it is one.
bool is_reduced(const OpView &op, size_t dim);
std::optional<sharding::Reduction> reduction_of(const OpView &reduce);

// The bits of a reduction's identity for an element type (0, -inf or the lowest, +inf or the highest, 1, all
// ones, 0).
std::vector<std::byte> identity_of(sharding::Reduction kind, graph::DType dtype);

// Whether every element of a literal is a reduction's identity, which partial values may begin with.
bool is_identity(const graph::Constant &literal, graph::DType dtype, sharding::Reduction kind);

// The op that combines two values of a kind, "stablehlo.add"; null for raw, pick and region, which are no op.
const char *combiner_op(sharding::Reduction kind);

// Whether the identity combined with any value is that value, to the bit. Of floats it is not: a sum of 0 and
// -0 is 0, products and maxima make another NaN of one, and narrow ones are widened.
bool keeps_bits(sharding::Reduction kind, graph::DType dtype);

} // namespace tw::ops
