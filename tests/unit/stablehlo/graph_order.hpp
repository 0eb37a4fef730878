// SPDX-License-Identifier: Apache-2.0
// Reads printed text back; in which order a reader meets the ops of a graph.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "import/stablehlo.hpp"
#include "ops/registry.hpp"

namespace tw::test {

inline import::Imported load_text(std::string_view text) {
  auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(),
                  imported.error().info().pos.line << ": " << imported.error().message());
  return std::move(*imported);
}

// What stands in regions comes before its owner; arguments and results are left out.
inline void append_order(const graph::Graph &graph, graph::RegionId region, std::vector<graph::OpId> &order) {
  for (const graph::OpId id : graph.region(region).ops) {
    const graph::Op &op = graph.op(id);
    if (std::string_view(ops::op_def(op.code).name).starts_with("func."))
      continue;
    for (uint32_t r = 0; r < op.num_regions; ++r)
      append_order(graph, op.first_region + r, order);
    order.push_back(id);
  }
}
inline std::vector<graph::OpId> text_order(const graph::Graph &graph) {
  std::vector<graph::OpId> order;
  append_order(graph, 0, order);
  return order;
}

} // namespace tw::test
