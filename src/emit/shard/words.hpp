// SPDX-License-Identifier: Apache-2.0
// Meshes and shardings in the words of MLIR's shard dialect: grids, split axes, offsets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "ops/halo.hpp"
#include "sharding/sharding.hpp"

namespace tw::emit::shard {

// An error where a grid is no such mesh: it has axes of steps or threads, or its devices stand in an order of
// their own.
Status check_mesh(const sharding::Mesh &mesh);

// The name of the grid: "grid0" where the axes are called grid0.0, grid0.1, else "mesh".
std::string grid_name(const sharding::Mesh &mesh);
// "  shard.grid @mesh(shape = 2x4)\n"
std::string grid_text(const sharding::Mesh &mesh);
// A comment that says what the axes are called, empty where the name of the grid does.
std::string axes_comment(const sharding::Mesh &mesh);

// "[0, 1]"
std::string axes_text(const std::vector<sharding::AxisId> &axes);
// "@mesh split_axes = [[0], [1]] sharded_dims_offsets = [0, 2, 5, 0, 3, 4]". Tiles that are not those that
// the dialect makes by itself are offsets. `halo`: with "halo_sizes = [1, 1, 0, 2]", of the dimensions that
// are cut. Nothing where it has no words: parts that add up, tiles that overlap, halos around tiles that need
// offsets.
std::optional<std::string> sharding_text(const sharding::Sharding &sharding, const graph::TensorType &global,
                                         const sharding::Mesh &mesh,
                                         const std::optional<ops::KeptHalo> &halo = std::nullopt);
// Whether devices hold parts that add up; over an axis of one place there is nothing to add.
bool is_in_parts(const sharding::Sharding &sharding, const sharding::Mesh &mesh);
// Whether a device keeps cells around its tile: a dimension that is not cut has none.
bool has_halo(const sharding::Sharding &sharding, const ops::KeptHalo &halo);

} // namespace tw::emit::shard
