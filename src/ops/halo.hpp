// SPDX-License-Identifier: Apache-2.0
// Values of which devices keep what lies around their tiles: how much of it.
#pragma once

#include <optional>
#include <span>

#include "graph/graph.hpp"

namespace tw::ops {

// Elements before a tile and after it, one entry a dimension.
struct KeptHalo {
  std::span<const int64_t> before, after;
};
// Of the result of a keep_halo; nothing of any other op.
std::optional<KeptHalo> kept_halo(const graph::Graph &graph, graph::OpId op);

// Whether an op is one of halos: keep_halo, halo_tiles.
bool makes_halo(graph::OpCode code);

} // namespace tw::ops
