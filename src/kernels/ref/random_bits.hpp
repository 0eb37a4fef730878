// SPDX-License-Identifier: Apache-2.0
// Counter-based random number generators: a block of random words is a function of a key and a counter, so
// any part of a stream is made without the rest. Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

namespace tw::kernels::ref {

// Threefry-2x32 with 20 rounds.
inline std::array<uint32_t, 2> threefry_2x32(std::array<uint32_t, 2> counter, std::array<uint32_t, 2> key) {
  constexpr int kTurns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDAu};
  uint32_t a = counter[0] + keys[0], b = counter[1] + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (const int turn : kTurns[group % 2]) {
      a += b;
      b = (b << turn | b >> (32 - turn)) ^ a;
    }
    a += keys[(group + 1) % 3];
    b += keys[(group + 2) % 3] + group + 1;
  }
  return {a, b};
}

// Philox-4x32 with 10 rounds.
inline std::array<uint32_t, 4> philox_4x32(std::array<uint32_t, 4> x, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p = uint64_t{x[0]} * 0xD2511F53u, q = uint64_t{x[2]} * 0xCD9E8D57u;
    x = {static_cast<uint32_t>(q >> 32) ^ x[1] ^ key[0], static_cast<uint32_t>(q),
         static_cast<uint32_t>(p >> 32) ^ x[3] ^ key[1], static_cast<uint32_t>(p)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return x;
}

} // namespace tw::kernels::ref
