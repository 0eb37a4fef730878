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

void run_strategies(Driver &driver) {
  static const Strategy *const all[] = {
#define TW_STRATEGY(name) &name##_strategy::strategy(),
#include "search/strategy_list.inc"
#undef TW_STRATEGY
  };
  for (const Strategy *strategy : all)
    if (!driver.is_over())
      strategy->run(driver);
}

} // namespace tw::search
