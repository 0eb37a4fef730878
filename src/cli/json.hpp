// SPDX-License-Identifier: Apache-2.0
// JSON as the verbs read and print it: members keep their order.
#pragma once

#include <nlohmann/json.hpp>

namespace tw::cli {

using Json = nlohmann::ordered_json;

} // namespace tw::cli
