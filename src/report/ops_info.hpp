// SPDX-License-Identifier: Apache-2.0
// The registry as the JSON of `tw ops --json`.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/status.hpp"

namespace tw::report {

// All ops as an array, or the one named ("stablehlo.add" or "add"); an error lists the nearest names.
Result<nlohmann::ordered_json> ops_info(std::string_view name);

} // namespace tw::report
