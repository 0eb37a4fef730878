// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most, and the clock that benchmarks read.
#pragma once

#include <chrono>

#include "runtime/limits.hpp"

namespace tw::bench {

using runtime::fma_peak_gflops;

// Seconds since some moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace tw::bench
