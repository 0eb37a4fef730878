// SPDX-License-Identifier: Apache-2.0
// 128-bit hashes, where equal ones are taken for equal things: the same in every process, not for
// adversaries.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "base/hash.hpp"

namespace tw {

struct WideHash {
  uint64_t high = 0, low = 0;

  auto operator<=>(const WideHash &) const = default;
  // Of things in no order.
  WideHash &operator+=(const WideHash &other) {
    high += other.high;
    low += other.low;
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", high, low); }
};

// Two hashes of the same words, which have nothing to do with each other.
class WideHasher {
public:
  template <class T>
  requires std::integral<T> || std::is_enum_v<T> WideHasher &add(T value) {
    return add_words(static_cast<uint64_t>(value), static_cast<uint64_t>(value));
  }
  WideHasher &add(double value) { return add(std::bit_cast<uint64_t>(value)); }
  WideHasher &add(const WideHash &value) { return add_words(value.high, value.low); }
  WideHasher &add(std::string_view text) { return add_bytes(text.data(), text.size()); }
  WideHasher &add_bytes(const void *data, size_t size) {
    high_ = hash_bytes(data, size, high_);
    low_ = hash_bytes(data, size, low_);
    return *this;
  }
  WideHash value() const {
    constexpr uint64_t kEnd = 0x2545f4914f6cdd1du;
    return {hash_mix(high_, kEnd), hash_mix(kEnd, low_)};
  }

private:
  WideHasher &add_words(uint64_t high, uint64_t low) {
    high_ = hash_mix(high_, high);
    low_ = hash_mix(low, low_);
    return *this;
  }

  uint64_t high_ = 0x6a09e667f3bcc908u, low_ = 0xbb67ae8584caa73bu;
};

} // namespace tw
