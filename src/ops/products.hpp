// SPDX-License-Identifier: Apache-2.0
// What ops that sum products of two arrays share.
#pragma once

#include <fmt/format.h>

#include "ops/op_def.hpp"

namespace tw::ops {

// The result's element type: as stated, since the type in which to accumulate may be asked for; else that of
// both operands.
inline Result<graph::DType> product_dtype(const OpView &op) {
  if (op.results.size() == 1)
    return op.results[0]->dtype;
  if (op.operands[0]->dtype == op.operands[1]->dtype)
    return op.operands[0]->dtype;
  return fail(Code::invalid_argument, "TW-246",
              fmt::format("operands are {} and {}: with two element types the result type must be stated",
                          graph::to_short_text(*op.operands[0]), graph::to_short_text(*op.operands[1])));
}

} // namespace tw::ops
