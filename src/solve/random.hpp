// SPDX-License-Identifier: Apache-2.0
// Drawn numbers, the same on each machine: splitmix64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tw::solve {

class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  size_t below(size_t end) { return static_cast<size_t>(next() % end); }
  double part() { return static_cast<double>(next() >> 11) * 0x1p-53; } // from 0 to less than 1

private:
  uint64_t state_;
};

} // namespace tw::solve
