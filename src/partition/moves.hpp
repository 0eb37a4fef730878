// SPDX-License-Identifier: Apache-2.0
// What a choice costs: the bytes that the program of a plan moves. A plan does not know how it is lowered, so
// whoever makes it says how to count (spmd/moved_bytes).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ops/registry.hpp"
#include "partition/adjacency.hpp"
#include "sharding/mesh.hpp"

namespace tw::partition {

class Plan;

// The factor over which an op would run an axis; kAny: over none.
struct Wish {
  NodeId node;
  ops::FactorId factor;
};

// Of one plan, which changes and outlives this. Its axes and pins stay as they are.
class Moves {
public:
  struct Bytes {
    int64_t busiest; // what the device receives that receives most
    int64_t total;   // what all receive
    auto operator<=>(const Bytes &) const = default;
  };
  virtual ~Moves() = default;
  virtual Bytes bytes() const = 0;
  // The nests of these nodes have changed. False where the plan cannot be lowered; then this one is of no
  // more use.
  virtual bool follow(std::span<const NodeId> changed) = 0;
  // Whether a value that the node reads or makes moves, as far as that is known.
  virtual bool moves_at(NodeId) const { return true; }
  // Of the same plan, by all passes of the lowering, some of which this one may leave out: a change then
  // costs as much as the whole program. Nothing where the plan cannot be lowered.
  virtual std::unique_ptr<Moves> whole() const { return nullptr; }
  // Where ops run an axis in a program that moves little, found for all of them at once; a byte weighs as
  // much as so many turns of loops. `plan` has all other axes, and of this one what stays. Empty where nobody
  // knows.
  virtual std::vector<Wish> wishes(const Plan &, sharding::AxisId, double) const { return {}; }
};

// Makes null where the plan cannot be lowered.
using CountMoves = std::unique_ptr<Moves> (*)(const Plan &plan);

} // namespace tw::partition
