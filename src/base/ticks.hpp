// SPDX-License-Identifier: Apache-2.0
// The cheapest clock that counts alike on all cores, for records that are made all the time and read hardly
// ever.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace tw {

inline int64_t ticks() {
#if defined(__x86_64__)
  return static_cast<int64_t>(__rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

// What ticks are in time, from two moments that it has seen: when it was made, and when it is asked.
class TickScale {
public:
  int64_t begin() const { return begin_; }
  double nanoseconds_per_tick() const {
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - at_;
    const auto counted = static_cast<double>(ticks() - begin_);
    return counted > 0 ? passed.count() / counted : 1;
  }

private:
  int64_t begin_ = ticks();
  std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now();
};

} // namespace tw
