// SPDX-License-Identifier: Apache-2.0
// How often a loop runs, where constants say it: a counter that starts at a constant, grows or shrinks by one
// and is compared with one. That is how JAX writes scan and fori_loop.
#pragma once

#include <optional>

#include "graph/graph.hpp"

namespace tw::ops {

// Turns of a while; nothing where it depends on data, or is more than 2^62.
std::optional<int64_t> trip_count(const graph::Graph &graph, graph::OpId loop);

} // namespace tw::ops
