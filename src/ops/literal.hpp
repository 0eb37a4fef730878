// SPDX-License-Identifier: Apache-2.0
// What constant ops hold.
#pragma once

#include "ops/op_def.hpp"

namespace tw::ops {

// The literal of a constant.
const graph::Constant &literal_of(const OpView &constant);
// The same; null for any other op.
const graph::Constant *literal_of(const graph::Graph &graph, graph::OpId op);
// The literal that a value is; null where another op makes it or nothing does.
const graph::Constant *literal_of_value(const graph::Graph &graph, graph::ValueId v);
// Whether a value is a literal that regions of scalar ops may use from outside.
bool is_scalar_constant(const graph::Graph &graph, graph::ValueId v);

} // namespace tw::ops
