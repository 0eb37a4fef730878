// SPDX-License-Identifier: Apache-2.0
// What an executable would run and need, without one: what Executable::plan answers.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/layout.hpp"
#include "runtime/schedule.hpp"
#include "sharding/position.hpp"

namespace tw::runtime {

// What the device that needs most will need, and what it holds at that time.
struct Peak {
  sharding::DeviceIndex device;
  int64_t bytes = 0;  // what `peak_bytes` will say of it
  uint32_t instr = 0; // of the program: what runs then; graph::kNone: nothing has run yet
  struct Held {
    spmd::ValueRef value;
    int64_t bytes;
  };
  std::vector<Held> held; // the largest first
};

struct Planned {
  Layouts layouts;
  Schedule schedule;
  Peak peak;
};

} // namespace tw::runtime
