// SPDX-License-Identifier: Apache-2.0
// A smaller problem with the same answer: variables that others decide are merged with them, choices that
// are never needed go, and so do points of time that never have too much and variables that need no
// memory and have few neighbours.
#pragma once

#include <functional>
#include <optional>

#include "solve/problem.hpp"

namespace tw::solve {

struct Reduced {
  bool possible = true; // no: nothing is allowed, and the rest of this is empty
  Problem problem{};    // at most one edge between two variables, none from one to itself
  Cost paid = 0;        // what is decided costs, beside what the problem's choices do

  // Choices of the problem that was reduced, from choices of this one.
  std::vector<uint32_t> expand(std::span<const uint32_t> choices) const;

  struct Step { // undone backwards
    uint32_t variable;
    std::vector<uint32_t> from;   // variables that decide it, at most two; itself where choices went
    uint32_t columns = 1;         // choices of the second one
    std::vector<uint32_t> choice; // by choices of these
    // Instead, what its choices cost with each of the one, and more with each of the other (columns): the
    // least is taken.
    std::vector<Cost> with_first = {}, with_second = {};
  };
  std::vector<Step> steps{};
  std::vector<uint32_t> names{}; // by variable, which of the original ones it was
  size_t variables = 0;          // of the original problem
};

// None where `stop`, which is asked often, ended it.
std::optional<Reduced> reduce(const Problem &problem, const std::function<bool()> &stop = {});

} // namespace tw::solve
