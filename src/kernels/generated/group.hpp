// SPDX-License-Identifier: Apache-2.0
// Source of a fused group of elementwise ops: one pass over its iteration space, one thread for some elements
// beside each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "kernels/generated/source.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

// An array that the group reads, dense in memory. Per dimension of the iteration space its stride in
// elements; 0: it does not vary along it, as what is broadcast or a splat.
struct GroupInput {
  graph::DType dtype;
  std::vector<int64_t> strides;
};

// What one op, or the combination of what several devices hold, makes of inputs (0 .. inputs-1) and earlier
// nodes (inputs + node).
struct GroupNode {
  ops::Expression value;
  std::vector<uint32_t> args;
};

struct Group {
  std::vector<int64_t> extent; // the iteration space
  std::vector<GroupInput> inputs;
  std::vector<GroupNode> nodes;
  std::vector<uint32_t> outputs; // nodes whose values are stored, dense row-major
};

// Operands are the inputs, results the outputs; they begin anywhere. A result may lie over an operand of the
// same element size whose strides are those of the dense iteration space. An error names a function that
// devices lack.
Result<Source> group_source(const Group &group, const std::string &entry);

// The combination of what devices hold, `parts` arrays in the order of their ranks, rounded to the type after
// each; `from_zero`: zero is added first. Of `pick`, `dtype` is the unsigned integer of the element's bytes.
ops::Expression combination(sharding::Reduction kind, graph::DType dtype, size_t parts,
                            bool from_zero = false);

} // namespace tw::kernels::generated
