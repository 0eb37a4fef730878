// SPDX-License-Identifier: Apache-2.0
// Dices a program, a mesh and actions, runs what they lower to on 1, 2 and 4 workers, and compares it with the reference evaluator.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/worker_pool.hpp"

namespace tw::test {

struct RunCounts {
  std::atomic<int64_t> passed{0}, failed{0}, mistrusted{0}, ops{0}, steps{0}, devices{0}, collectives{0};
};

struct Pools {
  std::vector<std::shared_ptr<WorkerPool>> of;
  std::vector<int64_t> processes; // each program also runs in so many, which are threads here
  Pools();
};

// Empty: it passed. Otherwise what went wrong, and everything about it.
std::string run_random_program(uint64_t seed, Pools &pools, RunCounts &counts, bool print);

} // namespace tw::test
