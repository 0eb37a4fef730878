// SPDX-License-Identifier: Apache-2.0
// A number that the environment states, as the seed of random tests and how many there are.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tw::test {

inline uint64_t number_of(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

} // namespace tw::test
