// SPDX-License-Identifier: Apache-2.0
// How much longer than on an idle machine work takes here and now: deadlines in tests are multiplied by it,
// so that a test beside other work waits longer and does not fail.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace tw::test {

// At least 1. Spends some processor time and sees how long that takes by the clock; instrumented code is
// slower by itself, whatever else runs.
inline int machine_pace() {
  using Clock = std::chrono::steady_clock;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr double kInstrumented = 10;
#else
  constexpr double kInstrumented = 1;
#endif
  constexpr double kWork = 0.05; // seconds: some turns of a scheduler
  const auto processor_seconds = [] {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  };
  const auto begin = Clock::now();
  const double until = processor_seconds() + kWork;
  while (processor_seconds() < until) {
  }
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  // Who waits for several others waits for the slowest: twice the mean.
  const double beside = took / kWork < 1.2 ? 1 : 2 * took / kWork;
  return static_cast<int>(std::ceil(std::min(beside, 100.0) * kInstrumented));
}

} // namespace tw::test
