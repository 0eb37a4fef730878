// SPDX-License-Identifier: Apache-2.0
// Fuzzes the C interface: the bytes are calls that build a program, look at it, plan it, lower it and run it
// beside the reference evaluator. With TW_FUZZ_PRINT in the environment every call is printed before it is
// made.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/random_calls.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bool print = std::getenv("TW_FUZZ_PRINT") != nullptr;
  const std::string problem = tw::test::run_random_calls({data, size}, print);
  if (problem.empty())
    return 0;
  if (!print)
    tw::test::run_random_calls({data, size}, true);
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
