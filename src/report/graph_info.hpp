// SPDX-License-Identifier: Apache-2.0
// What an imported program holds, as the JSON of `tw info --json`.
#pragma once

#include <nlohmann/json.hpp>

#include "import/stablehlo.hpp"

namespace tw::report {

nlohmann::ordered_json graph_info(const import::Imported &imported, bool with_values);
// The module's own mesh as text for Mesh::parse; "" when it declares none, or several.
std::string declared_mesh(const import::Imported &imported);

} // namespace tw::report
