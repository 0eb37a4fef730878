// SPDX-License-Identifier: Apache-2.0
// Distributed types of PartIR:SPMD in programs, in three spellings: those of the PartIR slides,
// `dist_tensor<["a":range<2>],[32{0},8]>` and `distributed_tensor<(r:range(32,16)) -> [r,8]>`, and that of
// the paper on redistribution, `[16{"a"}32, 8]`. We add `[16{"a"}32, 8] +sum:b` where devices along "b" have
// parts of a sum, and `~` before a tile that is smaller on some devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "sharding/range.hpp"

namespace tw::import {

struct Reader;

struct DistType {
  struct Axis {
    std::string name; // of a mesh, or "range<32,16>", which the range makes by itself
    sharding::Range range;
    bool stacked = false;  // each device has a piece of its own
    std::string reduction; // that makes a whole of what the devices have; empty: none
  };
  std::vector<Axis> axes;                  // all that are named
  graph::Shape dims;                       // of the whole array; of a piece where that is stacked
  std::vector<std::vector<uint32_t>> cuts; // by dimension: axes that tile it, major to minor

  bool is_stacked() const;
  bool is_in_pieces() const; // nobody has put together what an spmd made
  const Axis *find(const std::string &axis) const;
};

// What stands at the cursor, in any of the spellings.
bool read_dist_type(Reader &r, DistType &type);

} // namespace tw::import
