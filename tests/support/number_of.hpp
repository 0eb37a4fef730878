// SPDX-License-Identifier: Apache-2.0
// Numbers that the environment states, as the seed of random tests and how many there are.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tw::test {

inline uint64_t number_of(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// How many cases of a random test run: a slice with the tests, all with `./dev fuzz full`, which sets
// TW_FULL.
inline uint64_t slice_of(uint64_t full, uint64_t slice) {
  return std::getenv("TW_FULL") == nullptr ? slice : full;
}

} // namespace tw::test
