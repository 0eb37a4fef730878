// SPDX-License-Identifier: Apache-2.0
// The reference evaluator: runs a whole graph op by op on global arrays with the reference kernels. Slow, obvious, the oracle of
// everything else.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "sharding/sharding.hpp"

namespace tw::ops {

struct Array {
  graph::TensorType type;
  std::vector<std::byte> bytes; // dense, row-major
};

Result<std::vector<Array>> evaluate(const graph::Graph &graph, std::span<const Array> arguments);

// Evaluates a region (a reducer, a comparator, a branch) on arrays.
Result<std::vector<Array>> evaluate_region(const graph::Graph &graph, graph::RegionId region, std::span<const Array> arguments);

// A region that is one commutative op of its two arguments (add, maximum, minimum, multiply, and, or, xor): its reduction kind.
std::optional<sharding::Reduction> reduction_of(const graph::Graph &graph, graph::RegionId region);
// The bits of a reduction's identity for an element type (0, -inf, +inf, 1, all ones, 0).
std::vector<std::byte> identity_of(sharding::Reduction kind, graph::DType dtype);

} // namespace tw::ops
