// SPDX-License-Identifier: Apache-2.0
// What the ways to solve a problem share: the best so far, the prices of memory, and how much effort is left.
#pragma once

#include <chrono>

#include "solve/memory.hpp"
#include "solve/messages.hpp"
#include "solve/random.hpp"
#include "solve/solve.hpp"
#include "solve/sweep.hpp"

namespace tw::solve {

struct State {
  std::vector<uint32_t> choices;
  std::vector<Cost> usage; // by point
  Cost cost = kNever;
};

struct Work {
  // `paid`: what costs of the problem are less than those that progress tells.
  Work(const Problem &problem, Cost paid, const Effort &effort, std::chrono::steady_clock::time_point begin);

  // Whether that part of the effort is used, or the best is proven, or somebody gave up.
  bool is_over(double part = 1);
  // One round of whatever it is.
  void count();
  // Keeps choices that fit and cost less than the best. Answers whether they do.
  bool offer(const State &state);
  // A bound of the whole problem.
  void bound_by(Cost bound);
  // No choices that cost so much are better than the best.
  Cost enough() const;
  bool is_proven() const { return bound >= enough(); }

  // Makes other choices the state's.
  void set(State &state, std::span<const uint32_t> choices);

  const Problem &problem;
  const Cost paid;
  const Effort &effort;
  const std::chrono::steady_clock::time_point begin; // of the effort
  Flat flat;
  Memory memory;
  Messages messages;
  Sweep sweep;
  Random random;
  bool whole = true;        // all costs are whole numbers
  std::vector<Cost> prices; // by point
  State best;
  Cost bound = -kNever;
  int64_t rounds = 0;

private:
  std::vector<uint32_t> all_;
  bool stopped_ = false;
};

// Raises prices where too much is needed and lowers them where there is room, until the bound grows no more.
void find_prices(Work &work, double until);
// Follows messages: the most certain variables take their choice, step by step, while prices adapt to what is
// left. Answers with the last choices, which need not fit. `soft`: see Ascent.
State dive(Work &work, double soft, double until);
// Makes parts of the state's choices anew, and keeps what fits and costs no more.
void improve(Work &work, State &state, int64_t moves, double until);
// Branch and bound. Where it comes to its end, the best is proven.
void branch(Work &work, double until);

} // namespace tw::solve
