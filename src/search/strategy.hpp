// SPDX-License-Identifier: Apache-2.0
// Ways to go about a search: one file of strategies/, one line of strategy_list.inc. They run one after the
// other, each from what those before it found.
#pragma once

#include <span>

#include "search/driver.hpp"

namespace tw::search {

struct Strategy {
  const char *name; // "tree"
  const char *doc;  // one sentence
  void (*run)(Driver &driver);
};
std::span<const Strategy *const> all_strategies(); // in the order in which they run

} // namespace tw::search
