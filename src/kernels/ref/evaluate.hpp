// SPDX-License-Identifier: Apache-2.0
// The reference evaluator: runs a whole graph op by op on global arrays with the references. Slow,
// obvious, the oracle of everything else.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "kernels/ref/references.hpp"

namespace tw::kernels::ref {

struct Array {
  graph::TensorType type;
  std::vector<std::byte> bytes; // dense, row-major
};

// What runs an op that the registry cannot run, on whole arrays; empty where nothing does.
using ForeignKernel = std::function<Status(const OpDef &def, const KernelArgs &args)>;

// Sees each value whenever it is made, in loops again and again; an error ends the evaluation.
using Observer = std::function<Status(graph::ValueId v, std::span<const std::byte> bytes)>;

Result<std::vector<Array>> evaluate(const graph::Graph &graph, std::span<const Array> arguments,
                                    const ForeignKernel &foreign = {}, const Observer &observe = {});

// Evaluates a region (a reducer, a comparator, a branch) on arrays.
Result<std::vector<Array>> evaluate_region(const graph::Graph &graph, graph::RegionId region,
                                           std::span<const Array> arguments);

} // namespace tw::kernels::ref
