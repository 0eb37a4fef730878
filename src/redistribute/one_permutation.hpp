// SPDX-License-Identifier: Apache-2.0
// The cheapest sequence with one permutation. Every path of shapes has one: what comes before the permutation
// is lowered forward from the source, what comes after it backward from the target, and the two meet at equal
// tiles, each held equally often.
#pragma once

#include <span>
#include <vector>

#include "redistribute/forced_digits.hpp"
#include "redistribute/shape_paths.hpp"

namespace tw::redistribute {

class OnePermutation {
public:
  struct Step {
    State from, to;             // equal: the permutation
    std::vector<int32_t> tiles; // after it, devices x rank
  };

  // Where the permutation costs least. Among equals: fewest communicating steps, then the state of the lowest
  // index.
  Length find(const ShapeProblem &p, const Distances &to_target, Distances &from_source);
  // Of the problem found last: the steps; without the permutation should it turn out to move nothing.
  void realise(const ShapeProblem &p, const Ends &ends);
  std::span<const Step> steps() const { return steps_; }
  Length length() const { return length_; } // as found
  int64_t cost() const { return cost_; }    // as realised

private:
  std::vector<State> before_,
      after_; // the states from the source to the permutation, from there to the target
  std::vector<Step> steps_;
  Length length_;
  int64_t cost_ = 0;
};

} // namespace tw::redistribute
