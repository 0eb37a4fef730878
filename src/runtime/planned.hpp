// SPDX-License-Identifier: Apache-2.0
// What an executable would run and need, without one: what Executable::plan answers.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/layout.hpp"
#include "runtime/schedule.hpp"
#include "sharding/position.hpp"

namespace tw::runtime {

// What the device that needs most will need, and what it holds when it holds most.
struct Peak {
  sharding::DeviceIndex device;
  int64_t bytes = 0; // what `peak_bytes` will say of it: with what lies between arrays
  struct Held {
    spmd::ValueRef value;
    int64_t bytes;
  };
  std::vector<Held> held; // the largest first
  size_t time = 0;        // of the peak: 0 before the first step, s + 1 at step s
  // What its arrays take, the caller's among them, at each time, up to behind the last step.
  std::vector<int64_t> at;
  // Each array with the first and the last time of it; at each time they add up to the above.
  struct Life : Held {
    uint32_t first, last;
  };
  std::vector<Life> lives;
};

// Memory over time, and the first instruction that each step runs; kNone: none.
struct PlannedMemory {
  Peak peak;
  std::vector<uint32_t> instr_of; // by step
};

struct Planned {
  Layouts layouts;
  Schedule schedule;
  Peak peak;
};

} // namespace tw::runtime
