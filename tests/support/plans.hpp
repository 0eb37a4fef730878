// SPDX-License-Identifier: Apache-2.0
// Plans for imported programs: as annotated, and by random actions.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/annotations.hpp"
#include "partition/plan.hpp"
#include "support/random_program.hpp"

namespace tw::test {

// As annotated, or with no action; `mesh` null: the annotations' own.
inline partition::Plan plan_of(const import::Imported &imported, const char *mesh, bool annotations) {
  static const annotation::Annotations none;
  auto chosen = partition::mesh_for(
      imported.annotations, mesh == nullptr ? std::nullopt : std::optional(*sharding::Mesh::parse(mesh)));
  REQUIRE(chosen.has_value());
  partition::Plan plan(imported.graph, std::move(*chosen));
  REQUIRE(partition::apply_annotations(plan, annotations ? imported.annotations : none).has_value());
  return plan;
}

// A random dimension of a random argument tiled over each of the axes a and b, and propagated. A second tile
// of what is tiled is refused.
inline std::string random_spec(const graph::Graph &graph, Dice &random) {
  const auto arguments = graph.arguments();
  std::string spec;
  for (const char *axis : {"a", "b"}) {
    const size_t i = static_cast<size_t>(random.below(static_cast<int64_t>(arguments.size())));
    const auto rank = graph.type(graph.result(arguments[i])).rank();
    if (rank == 0)
      continue;
    spec += fmt::format("tile(arg={}, dim={}, axis={}); {}propagate\n", i,
                        random.below(static_cast<int64_t>(rank)), axis, random.chance(4) ? "" : "infer-");
  }
  return spec;
}

} // namespace tw::test
