// SPDX-License-Identifier: Apache-2.0
// What a choice costs: the bytes that the program of a plan moves, or the time that it takes. A plan does not
// know how it is lowered, so whoever makes it says how to count (spmd/moved_bytes, cost/timed_moves).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
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
  struct Moved {
    int64_t cost;  // bytes that the device receives which receives most, or picoseconds of a run
    int64_t bytes; // what all receive
    auto operator<=>(const Moved &) const = default;
  };
  virtual ~Moves() = default;
  virtual Moved moved() const = 0;
  // Whether the cost is time: what devices compute is in it.
  virtual bool is_time() const { return false; }
  // The nests of these nodes have changed. False where the plan cannot be lowered; then this one is of no
  // more use.
  virtual bool follow(std::span<const NodeId> changed) = 0;
  // Whether a value that the node reads or makes moves, as far as that is known.
  virtual bool moves_at(NodeId) const { return true; }
  // Of the same plan, by all passes of the lowering, some of which this one may leave out: a change then
  // costs as much as the whole program. Nothing where the plan cannot be lowered.
  virtual std::unique_ptr<Moves> whole() const { return nullptr; }
  // Where ops run an axis in a program that costs little, found for all of them at once; a byte weighs as
  // much as so many turns of loops, where there is no time to tell. `plan` has all other axes, and of this
  // one what stays. Empty where nobody knows.
  virtual std::vector<Wish> wishes(const Plan &, sharding::AxisId, double) const { return {}; }
};

// Makes null where the plan cannot be lowered.
using CountMoves = std::function<std::unique_ptr<Moves>(const Plan &plan)>;

} // namespace tw::partition
