// SPDX-License-Identifier: Apache-2.0
// The cheapest sequence of collectives from one tiling to another: local slices, all-to-alls, all-gathers and
// at most one permutation, exact and with a proof. Knows tiles and devices, nothing of meshes' names or of
// buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// `scalar`: the paper's ops, an all-to-all moves a factor from one dimension to one other, an all-gather acts
// on one. `vector`: one op may act on several dimensions at once.
enum class OpSet : uint8_t { scalar, vector };

// Tiles nest: dimension i of n elements is cut into F tiles at floor(t*n/F), so that the cuts for a divisor
// of F are among those for F.
struct Tilings {
  std::vector<int64_t> shape;                  // global
  std::vector<int64_t> axes;                   // sizes of the mesh, row-major: device = position
  std::vector<int64_t> src_shards, dst_shards; // tiles per dimension
  std::vector<int32_t> src_tiles, dst_tiles;   // devices x rank: which tile of each dimension a device has
  int64_t devices() const;
};

struct CutStep {
  Kind kind = Kind::copy;        // copy (slice), all_to_all, all_gather, permute
  std::vector<int64_t> up, down; // per dimension: tiles grow `up` times and shrink `down` times
  std::vector<int64_t> shards;   // tiles per dimension after it
  std::vector<int32_t> tiles;    // devices x rank, after it
};

struct Sequence {
  std::vector<CutStep> steps;
  int64_t cost = 0; // Figure 11, in elements of the largest tile
  bool exact = false;
  Certificate certificate;
};

// The cheapest sequence none of whose tiles has more than `cap` elements. None where the source or target
// tile itself has more, where rounding up leaves no way between them, or where more than 32768 local shapes
// would have to be looked at. Ties: fewer communicating steps, then a permutation rather than none.
std::optional<Sequence> find_sequence(const Tilings &tilings, OpSet ops, int64_t cap);

} // namespace tw::redistribute
