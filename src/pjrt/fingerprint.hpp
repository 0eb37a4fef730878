// SPDX-License-Identifier: Apache-2.0
// Fingerprints of bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tw::pjrt {

// 64 bits of them, eight bytes a turn; the same in every process.
inline uint64_t hash_of(std::string_view bytes, uint64_t seed = 0) {
  uint64_t hash = seed ^ (bytes.size() * 0x9e3779b97f4a7c15u);
  const auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  };
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    mix(word);
  }
  uint64_t word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  mix(word);
  return hash;
}

inline std::string hex_of(uint64_t number) {
  std::string text(16, '0');
  for (size_t i = text.size(); i-- > 0; number >>= 4)
    text[i] = "0123456789abcdef"[number & 15];
  return text;
}

} // namespace tw::pjrt
