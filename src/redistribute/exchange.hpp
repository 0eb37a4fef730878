// SPDX-License-Identifier: Apache-2.0
// Every redistribution is an exchange: each device has a box before and a box after, and every missing byte
// names its holder. Partial values name all their holders, in rank order, and how they combine.
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

class Problem; // redistribute/problem.hpp

using sharding::Position;

// What an exchange amounts to; `copy`: nobody receives anything from another device (a local slice), so it is
// no collective. A local slice on the way does not change the kind: gathering x of an array that is also
// sliced along y is an all_gather over x.
enum class Kind : uint8_t { copy, all_gather, all_reduce, reduce_scatter, all_to_all, permute, exchange };
constexpr size_t kNumKinds = 7;
std::string_view name(Kind k);

// One piece of the target: `box` (global coordinates, never empty) comes from `sources` (mesh positions). One
// source: a copy. Several: partial values combined in the order given, which ascends along the partial axes.
struct Piece {
  sharding::Box box;
  std::vector<Position> sources;
};

// What the device at a position of the target mesh needs: pieces that cover its target box exactly once. A
// device serves itself what it holds. What it lacks comes from a nearest holder, where near means: the
// outermost axis along which the two stand apart is as far inside as possible. Equally near holders take
// turns over the takers of a piece.
std::vector<Piece> direct(const Problem &problem, Position position);

struct Summary {
  Kind kind = Kind::copy;
  std::vector<sharding::AxisId> axes; // over which data moves, ascending
  sharding::Reduction reduction =
      sharding::Reduction::raw; // how the partial values combine; raw where there are none
  int64_t bytes_received_max =
      0; // per device: the exact missing bytes; an all_reduce of S bytes over g counts 2S(g-1)/g
  double bytes_received_mean = 0;
  bool even = true; // all devices receive equally much

  // Of several arrays that move together in one way: the bytes of all.
  Summary &operator+=(const Summary &other);
  bool operator==(const Summary &) const = default;
};
// Of layouts on one mesh. Costs no more than a visit of the distinct coordinates where tiles are uneven, and
// nothing like it where they are even.
Summary summarise(const Problem &problem);
// The bytes that each mesh position receives, counted as in Summary.
std::vector<int64_t> bytes_received(const Problem &problem);

} // namespace tw::redistribute
