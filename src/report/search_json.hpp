// SPDX-License-Identifier: Apache-2.0
// What a search found, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "graph/graph.hpp"
#include "search/search.hpp"

namespace tw::report {

// The object that tw_search.h describes.
nlohmann::ordered_json search_json(const search::Found &found, const graph::Graph &graph,
                                   const search::Limits &limits);

} // namespace tw::report
