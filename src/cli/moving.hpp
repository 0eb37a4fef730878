// SPDX-License-Identifier: Apache-2.0
// Runs a redistribution on elements that know their place, and measures what this machine takes to run one.
#pragma once

#include <vector>

#include <tilewright/tw.h>

namespace tw::cli {

struct Moved {
  double min_ms = 0, median_ms = 0;
  double gb_per_s = 0;   // bytes that arrive from other devices, over the median
  bool verified = false; // every element arrived; partial values are not verified
  int64_t wrong = 0;     // elements that did not, on devices of all processes
};

struct MoveHow {
  int workers = 0, repeat = 0;
  int64_t limit = 0;         // bytes of the arrays of this process
  tw_comm_t *comm = nullptr; // null: all devices are in this process
  const char *device = "host", *gpus = nullptr;
};
// One warm-up, then `repeat` runs. Throws where the arrays do not fit the limit.
Moved move_elements(const tw_redistribution_t *plan, const MoveHow &how);

struct Calibration {
  tw_link_t link;
  double copy_gb_per_s;
};
Calibration calibrate(int workers);

} // namespace tw::cli
