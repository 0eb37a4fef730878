// SPDX-License-Identifier: Apache-2.0
// 64-bit hashes of values and bytes for tables: fast and well mixed, the same in every process, not for
// adversaries.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace tw {

// Multiplies to 128 bits and folds: each bit of both words reaches every bit of the result.
inline uint64_t hash_mix(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_bytes(const void *data, size_t size, uint64_t seed = 0) {
  const auto *at = static_cast<const unsigned char *>(data);
  uint64_t hash = hash_mix(seed, size);
  for (; size >= 8; at += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = hash_mix(hash, word);
  }
  if (size != 0) {
    uint64_t word = 0;
    std::memcpy(&word, at, size);
    hash = hash_mix(hash, word);
  }
  return hash_mix(hash, 0x2545f4914f6cdd1du);
}

// `Hasher().add(op).add(dims).value()`
class Hasher {
public:
  explicit Hasher(uint64_t seed = 0) : state_(seed) {}

  template <class T>
  requires std::integral<T> || std::is_enum_v<T> Hasher &add(T value) {
    state_ = hash_mix(state_, static_cast<uint64_t>(value));
    return *this;
  }
  Hasher &add(std::string_view text) {
    state_ = hash_bytes(text.data(), text.size(), state_);
    return *this;
  }
  template <class T, size_t N>
  requires std::integral<std::remove_const_t<T>> || std::is_enum_v<std::remove_const_t<T>> Hasher &
  add(std::span<T, N> values) {
    add(values.size());
    for (const auto &value : values)
      add(value);
    return *this;
  }
  uint64_t value() const { return hash_mix(state_, 0x2545f4914f6cdd1du); }

private:
  uint64_t state_;
};

} // namespace tw
