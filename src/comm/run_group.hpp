// SPDX-License-Identifier: Apache-2.0
// Runs one group of a collective from begin to end, for callers who have nothing else to do while messages
// are under way.
#pragma once

#include <thread>

#include "comm/comm.hpp"

namespace tw::comm {

// `for_parts(n, body)` calls body(part) for every part in [0, n).
template <class ForParts>
Status run_group(Collective &collective, size_t group, SourceTiles src, TargetTiles dst,
                 ForParts &&for_parts) {
  collective.begin(group, src, dst);
  for (size_t stage = 0; stage < collective.stages(group); ++stage) {
    for (;;) {
      TW_ASSIGN(const bool ready, collective.ready(group, stage));
      if (ready)
        break;
      std::this_thread::yield();
    }
    for_parts(collective.parts(group, stage),
              [&](int64_t part) { collective.run(group, stage, part, src, dst); });
    TW_TRY(collective.send(group, stage));
  }
  return {};
}

} // namespace tw::comm
