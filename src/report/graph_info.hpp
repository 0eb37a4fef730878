// SPDX-License-Identifier: Apache-2.0
// What an imported program holds, as the JSON of `tw info --json`.
#pragma once

#include <nlohmann/json.hpp>

#include "import/import.hpp"
#include "kernels/custom_calls.hpp"

namespace tw::report {

// `calls` (may be null): what is known of custom_calls.
nlohmann::ordered_json graph_info(const import::Imported &imported, bool with_values,
                                  const kernels::CustomCalls *calls = nullptr);
// As text for Mesh::parse; "" for none.
std::string mesh_text(const annotation::MeshDecl *mesh);

} // namespace tw::report
