// SPDX-License-Identifier: Apache-2.0
// What tests provoke while a program runs: failures at any step of any device, and the order in which things
// happen.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "sharding/position.hpp"

namespace tw::runtime {

struct Fault {
  enum class Kind : uint8_t {
    error,  // the device's step returns an error
    absent, // the device never gets to this step: it returned early
    delay,  // the device is late
  };
  Kind kind = Kind::error;
  sharding::Position position = sharding::kNoPosition;
  uint32_t step = 0;
  std::chrono::microseconds late{0};
};

struct Hooks {
  std::vector<Fault> faults;
  uint64_t schedule = 0; // not 0: the seed by which the next device and the next part are drawn
  // Called before a device runs a step, by whoever runs it. `over`: the run has failed meanwhile.
  void (*at_step)(void *user, sharding::Position position, uint32_t step, bool over) = nullptr;
  void *user = nullptr;

  bool any() const { return !faults.empty() || at_step != nullptr; }
};

} // namespace tw::runtime
