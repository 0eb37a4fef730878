// SPDX-License-Identifier: Apache-2.0
// A lower bound of a model, and choices that follow from how it was reached: sequential tree-reweighted
// message passing (Kolmogorov, PAMI 2006). Time is linear in the tables of all edges, for each round.
#pragma once

#include <functional>
#include <vector>

#include "solve/model.hpp"

namespace tw::solve {

struct Bounded {
  Cost bound = 0;                // no choices cost less
  std::vector<uint32_t> choices; // the best that were seen; empty where all that were seen are not allowed
  Cost cost = kNever;            // of these
  int rounds = 0;
};

struct Rounds {
  int most = 200;
  Cost gap = 1e-9; // enough: (cost - bound) / cost
  int patience = 20;   // rounds in which the bound may grow by less than
  Cost growth = 1e-5;  // this part of itself altogether
  std::function<bool()> stop = {}; // asked each round
};

Bounded pass_messages(const Model &model, const Rounds &rounds = {});

} // namespace tw::solve
