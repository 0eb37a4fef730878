// SPDX-License-Identifier: Apache-2.0
// What the actions and the observations of an environment mean, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "search/environment.hpp"

namespace tw::report {

// Of the program whose plan the space was made of.
Result<nlohmann::ordered_json> environment_json(const search::Environment &environment,
                                                const graph::Graph &graph);

} // namespace tw::report
