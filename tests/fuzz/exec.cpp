// SPDX-License-Identifier: Apache-2.0
// Fuzzes everything from plan to run: the bytes are the seed of a program, a mesh of devices, steps and
// threads, and actions; what runs has the bits of the reference evaluator. `exec_random --seed` repeats a
// finding, whose seed is printed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/run_random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static tw::test::Pools pools;
  static tw::test::RunCounts counts;
  uint64_t seed = 0;
  std::copy_n(data, std::min(size, sizeof seed), reinterpret_cast<uint8_t *>(&seed));
  const std::string problem = tw::test::run_random_program(seed, pools, counts, false);
  if (problem.empty())
    return 0;
  std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed), problem.c_str());
  std::abort();
}
