// SPDX-License-Identifier: Apache-2.0
// Reduction kinds at work: which kind a region is, the kind's identity, and the function that combines
// partial values.
#pragma once

#include <optional>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

// A region that is one commutative op of its two arguments (add, maximum, minimum, multiply, and, or, xor):
// its reduction kind. On i1, add and maximum are `lor`, multiply and minimum `land`.
std::optional<sharding::Reduction> reduction_of(const graph::Graph &graph, graph::RegionId region);

// The bits of a reduction's identity for an element type (0, -inf or the lowest, +inf or the highest, 1, all
// ones, 0).
std::vector<std::byte> identity_of(sharding::Reduction kind, graph::DType dtype);

// Whether every element of a literal is a reduction's identity, which partial values may begin with.
bool is_identity(const graph::Constant &literal, graph::DType dtype, sharding::Reduction kind);

// The op that combines two values of a kind, "stablehlo.add"; null for raw, pick and region, which are no op.
const char *combiner_op(sharding::Reduction kind);

// out[i] = in[0][i] combined with in[1][i]; null where the kind has no meaning for the type (raw and
// region never have one). Works in place.
BlockFn combine_block(sharding::Reduction kind, graph::DType dtype);

// The same for more values, which combine one after the other: as many in one pass over memory as it takes.
struct Combiner {
  BlockFn two = nullptr;
  BlockFn four = nullptr, eight = nullptr; // null where they gain nothing
  BlockFn add_zero = nullptr; // of sums: out[i] = in[0][i] + 0, which is another value where in[0][i] is -0
  explicit operator bool() const { return two != nullptr; }
  // What takes just so many at once; null: nothing does.
  BlockFn of(int64_t values) const {
    return values == 2 ? two : values == 4 ? four : values == 8 ? eight : nullptr;
  }
};
Combiner combiner(sharding::Reduction kind, graph::DType dtype);

// Whether the identity combined with any value is that value, to the bit. Of floats it is not: a sum of 0 and
// -0 is 0, products and maxima make another NaN of one, and narrow ones are widened.
bool keeps_bits(sharding::Reduction kind, graph::DType dtype);

} // namespace tw::ops
