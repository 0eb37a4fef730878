// SPDX-License-Identifier: Apache-2.0
// The dimensions of a dot_general's operands by what they are.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

// Of one side: batch and contracting as the attributes list them, free ones in order.
struct DotSide {
  std::span<const int64_t> batch, contracting;
  std::vector<int64_t> free;
};

inline DotSide dot_side(const OpView &op, size_t operand) {
  namespace slots = slot::dot_general;
  DotSide side{op.ints(operand == 0 ? slots::lhs_batching_dimensions : slots::rhs_batching_dimensions),
               op.ints(operand == 0 ? slots::lhs_contracting_dimensions : slots::rhs_contracting_dimensions),
               {}};
  for (int64_t d = 0; d < static_cast<int64_t>(op.operands[operand]->rank()); ++d)
    if (std::find(side.batch.begin(), side.batch.end(), d) == side.batch.end() &&
        std::find(side.contracting.begin(), side.contracting.end(), d) == side.contracting.end())
      side.free.push_back(d);
  return side;
}

} // namespace tw::ops
