// SPDX-License-Identifier: Apache-2.0
// The list of strategies.
#include "search/strategy.hpp"

namespace tw::search {

#define TW_STRATEGY(name)                                                                                    \
  namespace name##_strategy {                                                                                \
    const Strategy &strategy();                                                                              \
  }
#include "search/strategy_list.inc"
#undef TW_STRATEGY

std::span<const Strategy *const> all_strategies() {
  static const Strategy *const all[] = {
#define TW_STRATEGY(name) &name##_strategy::strategy(),
#include "search/strategy_list.inc"
#undef TW_STRATEGY
  };
  return all;
}

} // namespace tw::search
