// SPDX-License-Identifier: Apache-2.0
// Values of which devices keep what lies around their tiles: how much of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

// Elements before a tile and after it, one entry a dimension.
struct KeptHalo {
  std::span<const int64_t> before, after;
  bool of_argument = false; // the operand is an argument, which the caller gives so
};
// Of the result of a keep_halo; nothing of any other op.
std::optional<KeptHalo> kept_halo(const graph::Graph &graph, graph::OpId op);

// How halo_tiles cuts a dimension: cell i of tile t is element t * step + i - before, a zero where there is
// none.
struct TileCut {
  size_t dimension = 0;
  int64_t tiles = 1, step = 0, before = 0, after = 0;
  int64_t width() const { return before + step + after; }
};
using TileCuts = std::vector<TileCut>;
TileCuts tile_cuts(const OpView &op); // of a halo_tiles
// Of a halo_tiles; nothing of any other op.
std::optional<TileCuts> tile_cuts(const graph::Graph &graph, graph::OpId op);

// Whether an op is one of halos: keep_halo, halo_tiles.
bool makes_halo(graph::OpCode code);

} // namespace tw::ops
