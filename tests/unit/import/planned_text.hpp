// SPDX-License-Identifier: Apache-2.0
// Programs planned as their annotations ask, on the mesh that their text declares.
#pragma once

#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "import/import.hpp"
#include "ops/builder.hpp"
#include "partition/annotations.hpp"
#include "spmd/program.hpp"
#include "support/simulate.hpp"

namespace tw::test {

inline import::Imported imported_text(std::string_view text) {
  auto imported = import::import_text(text, {});
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  REQUIRE(ops::verify(*imported->graph).has_value());
  return *std::move(imported);
}

inline std::shared_ptr<const spmd::Program> planned(const import::Imported &imported,
                                                    const spmd::Options &options = {}) {
  auto mesh = partition::mesh_for(imported.annotations, std::nullopt);
  REQUIRE(mesh.has_value());
  partition::Plan plan(imported.graph, std::move(*mesh));
  REQUIRE(partition::apply_annotations(plan, imported.annotations).has_value());
  auto program = spmd::lower(plan, options);
  REQUIRE_MESSAGE(program.has_value(), program.error().message());
  return *std::move(program);
}

inline std::vector<kernels::ref::Array> run_on_devices(const spmd::Program &program,
                                                       const std::vector<kernels::ref::Array> &arguments) {
  auto results = simulate(program, arguments);
  REQUIRE_MESSAGE(results.has_value(), results.error().message());
  return *std::move(results);
}

} // namespace tw::test
