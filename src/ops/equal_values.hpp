// SPDX-License-Identifier: Apache-2.0
// Which values of a graph are equal, because the same is computed of the same, or because an op, or a loop
// that does not change them, hands them on. So what one of them needs serves the others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "ops/variables.hpp"

namespace tw::ops {

// The operand that an op gives on as it is: a reshape to the same shape, a slice of everything, a barrier of
// one value. Nothing of any other op.
std::optional<uint32_t> handed_on(const graph::Graph &graph, graph::OpId op);

class EqualValues {
public:
  // Of an op for which `stops` holds nothing is equal to its operand.
  EqualValues(const graph::Graph &graph, const Variables &variables,
              const std::function<bool(graph::OpId)> &stops = {});

  // One of those that are equal, the same for all of them.
  graph::ValueId of(graph::ValueId v) const {
    while (same_[v] != v)
      v = same_[v];
    return v;
  }
  // Whether no turn of its loop changes a variable: it has the initial value in all of its places.
  bool is_unchanged(const Variable &variable) const {
    return variable.makes.size() == 3 && of(variable.makes[0]) == of(variable.reads[0]);
  }

private:
  bool link_unchanged(const graph::Graph &graph, const Variables &variables);
  bool is_equal(const graph::Graph &graph, graph::OpId a, graph::OpId b) const;
  bool is_equal_region(const graph::Graph &graph, graph::RegionId a, graph::RegionId b) const;

  std::vector<graph::ValueId> same_; // per value: one that is equal and nearer to what stands for all
};

} // namespace tw::ops
