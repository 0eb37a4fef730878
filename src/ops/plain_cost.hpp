// SPDX-License-Identifier: Apache-2.0
// What an op costs of which nothing is known but its types: from here ops say what is different of them.
#pragma once

#include "ops/op_def.hpp"

namespace tw::ops {

// It reads its operands, writes its results, and does one operation for each element that it makes.
inline Cost plain_cost(const OpView &op) {
  Cost cost;
  for (const graph::TensorType *t : op.operands)
    cost.bytes_read += static_cast<double>(t->bytes());
  for (const graph::TensorType *t : op.results) {
    cost.bytes_written += static_cast<double>(t->bytes());
    cost.flops += static_cast<double>(t->elements());
  }
  return cost;
}

} // namespace tw::ops
