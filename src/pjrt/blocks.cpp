// SPDX-License-Identifier: Apache-2.0
// Free blocks by size, those that were given back last first.
#include "pjrt/blocks.hpp"

#include <cstdlib>
#include <list>
#include <mutex>

namespace tw::pjrt {

namespace {

constexpr size_t kWorthKeeping = 256 << 10;     // below, the C library keeps blocks itself
constexpr size_t kMostKept = size_t{512} << 20; // of blocks that are kept

struct Kept {
  std::mutex mutex;
  std::list<Block> blocks;
  size_t bytes = 0;
};

// Never destroyed: buffers may outlive everything at the end of a process.
Kept &kept() {
  static Kept *const all = new Kept;
  return *all;
}

// Sizes in steps of an eighth, so that a block fits again although sizes differ a little.
size_t rounded(size_t bytes) {
  size_t step = kBufferAlignment;
  while (bytes >= kWorthKeeping && step * 8 < bytes)
    step *= 2;
  return (bytes / step + 1) * step;
}

void free_kept() {
  Kept &all = kept();
  const std::scoped_lock lock(all.mutex);
  for (const Block &block : all.blocks)
    std::free(block.data);
  all.blocks.clear();
  all.bytes = 0;
}

} // namespace

Block take_block(size_t bytes) {
  const size_t size = rounded(bytes);
  if (size >= kWorthKeeping) {
    Kept &all = kept();
    const std::scoped_lock lock(all.mutex);
    for (auto at = all.blocks.begin(); at != all.blocks.end(); ++at)
      if (at->bytes == size) {
        const Block block = *at;
        all.blocks.erase(at);
        all.bytes -= size;
        return block;
      }
  }
  void *data = std::aligned_alloc(kBufferAlignment, size);
  if (data == nullptr) {
    free_kept();
    data = std::aligned_alloc(kBufferAlignment, size);
  }
  return {data, size};
}

void give_back(const Block &block) {
  if (block.bytes < kWorthKeeping || block.bytes > kMostKept) {
    std::free(block.data);
    return;
  }
  Kept &all = kept();
  const std::scoped_lock lock(all.mutex);
  all.blocks.push_front(block);
  all.bytes += block.bytes;
  while (all.bytes > kMostKept) {
    all.bytes -= all.blocks.back().bytes;
    std::free(all.blocks.back().data);
    all.blocks.pop_back();
  }
}

} // namespace tw::pjrt
