// SPDX-License-Identifier: Apache-2.0
// A fuzzer's bytes as choices. Where they end every choice is the first one, so every prefix is an input as
// well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw::test {

class CallBytes {
public:
  explicit CallBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool over() const { return at_ == bytes_.size(); }
  uint8_t byte() { return over() ? 0 : bytes_[at_++]; }
  size_t below(size_t n) { return byte() % n; } // n at most 256
  bool chance(size_t n) { return below(n) == n - 1; }
  template <class T, size_t N> const T &of(const T (&choices)[N]) { return choices[below(N)]; }
  template <class Range> auto &any(Range &range) { return range[below(range.size())]; }

  // Extents and positions as programs have them, and now and then one that no program should have.
  int64_t small() {
    static constexpr int64_t sizes[] = {2, 3, 4, 1, 5, 6, 8, 0};
    return chance(48) ? wild() : of(sizes);
  }
  int64_t index(size_t n) { return chance(32) ? wild() : static_cast<int64_t>(n == 0 ? 0 : below(n)); }
  int64_t wild() {
    static constexpr int64_t numbers[] = {
        -1, 1 << 20, int64_t{1} << 31, int64_t{1} << 40, int64_t{1} << 61, 3037000500, INT64_MAX, INT64_MIN,
        7,  -2};
    return of(numbers);
  }

private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
};

} // namespace tw::test
