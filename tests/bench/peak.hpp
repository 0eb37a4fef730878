// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most, the clock that benchmarks read, and what they make of its times.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "runtime/limits.hpp"

namespace tw::bench {

using runtime::fma_peak_gflops;

// Seconds since some moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

} // namespace tw::bench
