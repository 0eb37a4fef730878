// SPDX-License-Identifier: Apache-2.0
// What a choice costs: the bytes that the program of a plan moves. A plan does not know how it is lowered, so
// whoever makes it says how to count (spmd/moved_bytes).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>

#include "partition/adjacency.hpp"

namespace tw::partition {

class Plan;

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
  // Of the same plan, by all passes of the lowering, some of which this one may leave out. Nothing where that
  // takes too long, as a change then costs as much as the whole program.
  virtual std::unique_ptr<Moves> whole() const { return nullptr; }
};

// Makes null where the plan cannot be lowered.
using CountMoves = std::unique_ptr<Moves> (*)(const Plan &plan);

} // namespace tw::partition
