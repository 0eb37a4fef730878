// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most, measured where it is asked: the denominators of all other figures.
#pragma once

#include <array>
#include <cstdint>

#include "base/status.hpp"
#include "base/worker_pool.hpp"

namespace tw::runtime {

// f32 multiply-adds in registers on all of the pool's workers, GFLOP/s.
double fma_peak_gflops(WorkerPool &pool);

// Of memory beyond the caches, by all of the pool's workers together, GB/s (10^9).
struct Bandwidth {
  double copy; // read and written, through the caches or past them: the faster way
  double read;
};
Result<Bandwidth> bandwidth(WorkerPool &pool);

// Data caches of levels 1 to 3; 0: not known.
std::array<int64_t, 3> cache_bytes();

} // namespace tw::runtime
