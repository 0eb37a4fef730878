// SPDX-License-Identifier: Apache-2.0
// Where blocks that live for a while lie in one arena.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tw {

// A block of the arena: bytes needed from step `first` to step `last`, both included.
struct Block {
  int64_t bytes = 0;
  uint32_t first = 0, last = 0;
};

// Offsets of blocks such that blocks alive at once do not overlap, 64-byte aligned; answers with the bytes in
// all. Blocks of 0 bytes get offset 0.
int64_t best_fit(std::span<const Block> blocks, std::vector<int64_t> &offsets);

} // namespace tw
