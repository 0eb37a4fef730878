// SPDX-License-Identifier: Apache-2.0
// Whether a move between two layouts is one: every element of every tile of the target arrives once, from a
// device that holds it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "redistribute/exchange.hpp"
#include "redistribute/problem.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::spmd {

using sharding::Position;

// The axes of a layout, a bit each: those over which it is tiled, and those over which it is partial.
sharding::AxisSet axes_of(const sharding::Sharding &s);
// The positions that differ along the axes of a set, ascending; the other coordinates are 0.
std::vector<Position> positions_along(const sharding::Mesh &mesh, sharding::AxisSet axes);
// At most this many positions are looked at for one distinct instruction; on small meshes these are all.
constexpr int64_t kMaxPositions = 256;
// Evenly spread ones of many, the first and the last among them.
std::vector<Position> sample(std::vector<Position> positions, int64_t limit);

// What the move amounts to, or what is wrong with it.
tl::expected<redistribute::Summary, std::string> check_move(const redistribute::Problem &problem);

} // namespace tw::spmd
