// SPDX-License-Identifier: Apache-2.0
// Ways to go about a search: one file of strategies/, one line of strategy_list.inc. They run one after the
// other, each from what those before it found.
#pragma once

#include "search/driver.hpp"

namespace tw::search {

struct Strategy {
  const char *name; // "tree"
  const char *doc;  // one sentence
  void (*run)(Driver &driver);
};

// All of them, in the order of the list, as far as the budget goes.
void run_strategies(Driver &driver);

} // namespace tw::search
