// SPDX-License-Identifier: Apache-2.0
// The functions that combine partial values.
#pragma once

#include "kernels/kernel_args.hpp"
#include "sharding/sharding.hpp"

namespace tw::kernels::ref {

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

} // namespace tw::kernels::ref
