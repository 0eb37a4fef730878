// SPDX-License-Identifier: Apache-2.0
// Choices for a problem that cost as little as can be found, and how little they could cost.
#pragma once

#include <functional>
#include <limits>
#include <optional>

#include "solve/problem.hpp"

namespace tw::solve {

struct Progress {
  Cost cost = kNever, bound = -kNever; // of the best so far; no choices cost less than the bound
  int64_t rounds = 0;
};

// What may be used at most. Where seconds end it, what is found depends on the machine; else on the problem,
// the rounds and the seed alone.
struct Effort {
  int64_t rounds = 2000; // of messages, moves and nodes of a tree
  double seconds = std::numeric_limits<double>::infinity();
  uint64_t seed = 0;
  std::function<bool(const Progress &)> stop = {}; // asked each round; may be missing
};

struct Solved {
  std::optional<std::vector<uint32_t>> choices{}; // none: nothing that is allowed and fits was found
  Cost cost = kNever, bound = -kNever; // bound: nothing costs less; kNever where nothing is possible
  int64_t rounds = 0;
};

Solved solve(const Problem &problem, const Effort &effort);

} // namespace tw::solve
