// SPDX-License-Identifier: Apache-2.0
// One step of messages and prices together, on what is left open of a problem.
#pragma once

#include "solve/work.hpp"

namespace tw::solve {

class Ascent {
public:
  // `soft`: prices go by what choices need that cost little more than the best too, the more of these the
  // larger it is. 0: by what messages suggest, which jumps from one choice to another.
  explicit Ascent(Work &work, double soft = 0)
      : work_(work), soft_(soft), open(work.flat.costs), prices(work.prices) {}

  // Passes messages, looks at what they suggest, offers that as an answer, and moves prices towards a
  // bound of `aim` by that part of the way, of which `kept` goes where steps before went. Answers with
  // the bound of what is open; kNever: nothing is allowed.
  Cost step(Cost aim, double part, double kept = 0);
  // Whether the least that each variable needs fits.
  bool can_fit() const;

  struct Certain {
    uint32_t variable;
    uint32_t choice; // the best one
    Cost margin;     // to the second best
  };
  // Variables that more than one choice is left.
  std::vector<Certain> undecided();
  void decide(uint32_t variable, uint32_t choice);

private:
  void need(Cost bound);
  Work &work_;
  const double soft_;

public:
  std::vector<Cost> open; // costs, kNever where a choice is ruled out
  std::vector<Cost> prices;
  State state; // what messages suggest

private:
  std::vector<Cost> charged_, direction_;
  std::vector<Cost> needed_; // by point, and one more
  std::vector<uint32_t> choices_;
};

} // namespace tw::solve
