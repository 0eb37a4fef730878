// SPDX-License-Identifier: Apache-2.0
// Every redistribution is an exchange: each device has a box before and a box after, and every missing byte names its holder. Partial
// (stacked) values name all their holders, in rank order, and how they combine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/types.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::redistribute {

// What an exchange amounts to; `copy`: nobody receives anything from another device (a local slice), so it is no collective.
enum class Kind : uint8_t { copy, all_gather, all_reduce, reduce_scatter, all_to_all, permute, exchange };
std::string_view name(Kind k);

// Source and target type of one array on one mesh. Target axes that are stacked must be stacked with the same kind in the source.
struct Request {
  const sharding::Mesh &mesh;
  const graph::TensorType &type; // global
  const sharding::Sharding &src;
  const sharding::Sharding &dst;
};

// One piece of the target: `box` (global coordinates) comes from `sources` (mesh positions). One source: a copy. Several: partial values
// combined in the order given.
struct Piece {
  sharding::Box box;
  std::vector<int64_t> sources;
};

// What the device at a mesh position needs: pieces that cover its target box exactly once. Nearest holder first (itself, then the one
// whose coordinates differ least), holders balanced over takers.
std::vector<Piece> direct(const Request &r, int64_t position);

struct Summary {
  Kind kind = Kind::copy;
  std::vector<sharding::AxisId> axes;          // over which data moves, ascending
  sharding::Reduction reduction = sharding::Reduction::raw;
  int64_t bytes_received_max = 0;              // per device, counted as cli.md section 3 says
  double bytes_received_mean = 0;
};
Summary summarise(const Request &r);

} // namespace tw::redistribute
