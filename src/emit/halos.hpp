// SPDX-License-Identifier: Apache-2.0
// Halos as ops (ops/halo.hpp), which only our own forms can say.
#pragma once

#include <string_view>

#include "base/status.hpp"
#include "graph/graph.hpp"

namespace tw::emit {

// Refuses a graph that has some, with the id of the error: `form`, what was asked for, cannot say them.
Status refuse_halos(const graph::Graph &graph, std::string_view form, const char *id);

} // namespace tw::emit
