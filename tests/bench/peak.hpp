// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most, measured where it is asked: the denominator of the other figures.
#pragma once

#include <cstdint>

#include "base/worker_pool.hpp"

namespace tw::bench {

// f32 multiply-adds in registers on all of the pool's workers, GFLOP/s.
double fma_peak_gflops(WorkerPool &pool);

// Seconds since some moment.
double now();

} // namespace tw::bench
