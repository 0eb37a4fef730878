// SPDX-License-Identifier: Apache-2.0
// Whether it matters in which order a region combines: regions associate by contract, and one that minds not
// which of its sides is which may fold elements in any order.
#pragma once

#include <cstdint>

#include "graph/graph.hpp"

namespace tw::ops {

enum class Symmetry : uint8_t {
  none,    // not proven
  numbers, // but for which of several NaNs, or of zeros of both signs, is given
  full,
};

// Of a region that takes a left and a right value for each of its results. Proven, not tried: either its
// results are the same expressions when the sides are exchanged, or it only compares and chooses, and gives
// the same for all ways in which values may compare.
Symmetry symmetry_of(const graph::Graph &graph, graph::RegionId region);

} // namespace tw::ops
