// SPDX-License-Identifier: Apache-2.0
// The programs of the tree, and plans for them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/stablehlo.hpp"
#include "partition/annotations.hpp"
#include "partition/plan.hpp"
#include "support/random_program.hpp"
#include "support/unit.hpp"

namespace tw::test {

// Paths of tests/golden/programs, examples/models and its zoo, sorted.
inline std::vector<std::string> programs() {
  std::vector<std::string> all;
  for (const char *folder : {"tests/golden/programs", "examples/models", "examples/models/zoo"})
    for (const auto &entry : std::filesystem::directory_iterator(source_path(folder)))
      if (entry.path().extension() == ".mlir")
        all.push_back(entry.path().string());
  std::ranges::sort(all);
  return all;
}

// A program that must be readable.
inline import::Imported load(const std::string &path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  std::ostringstream text;
  text << file.rdbuf();
  import::ImportOptions options;
  options.file = path;
  auto imported = import::import_text(text.str(), options);
  REQUIRE_MESSAGE(imported.has_value(), path << ": " << imported.error().message());
  return std::move(*imported);
}

// Its plan as annotated, or with no action; `mesh` null: the annotations' own.
inline partition::Plan plan_of(const import::Imported &imported, const char *mesh, bool annotations) {
  static const import::Annotations none;
  auto chosen = partition::mesh_for(
      imported.annotations, mesh == nullptr ? std::nullopt : std::optional(*sharding::Mesh::parse(mesh)));
  REQUIRE(chosen.has_value());
  partition::Plan plan(imported.graph, std::move(*chosen));
  REQUIRE(partition::apply_annotations(plan, annotations ? imported.annotations : none).has_value());
  return plan;
}

// A random dimension of a random argument tiled over each of the axes a and b, and propagated.
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
