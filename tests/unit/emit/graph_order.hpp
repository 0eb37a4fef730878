// SPDX-License-Identifier: Apache-2.0
// Reads printed text back; in which order a reader meets the ops of a graph; graphs of one op of each kind.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "graph/graph.hpp"
#include "import/import.hpp"
#include "kernels/ref/references.hpp"
#include "ops/registry.hpp"
#include "unit/ops/instances.hpp"

namespace tw::test {

inline import::Imported load_text(std::string_view text) {
  auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(),
                  imported.error().info().pos.line << ": " << imported.error().message());
  return std::move(*imported);
}

// Texts of random programs, for readers of other makes: in the folder that TW_KEEP_TEXTS names.
inline void keep_text(std::string_view name, uint64_t seed, const std::string &text) {
  if (const char *folder = std::getenv("TW_KEEP_TEXTS"))
    std::ofstream(fmt::format("{}/{}_{}.mlir", folder, name, seed)) << text;
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

// Visits random programs of one op, so many of each op that has a kernel and a result.
template <class Visit> void each_instance(int count, Visit visit) {
  for (const ops::OpDef *def : ops::all_ops()) {
    if (kernels::ref::reference_of(*def) == nullptr || def->num_results == 0)
      continue;
    CAPTURE(std::string(def->name));
    RandomChoices random(std::hash<std::string_view>()(def->name));
    int drawn = 0;
    for (int attempt = 0; drawn < count && attempt < 200 * count; ++attempt) {
      std::string why;
      const auto instance = def->name == std::string_view("stablehlo.constant")
                                ? std::optional(constant_instance(random))
                                : build(*def, drafts::drafter_of(*def)(*def, random), random, why);
      if (!instance)
        continue;
      ++drawn;
      visit(*def, *instance, random);
    }
    CHECK(drawn == count);
  }
}

} // namespace tw::test
