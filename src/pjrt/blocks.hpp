// SPDX-License-Identifier: Apache-2.0
// Memory of buffers. Large blocks are kept for a while when they are free: the system clears each page of a
// new one, which takes as long as filling it.
#pragma once

#include <cstddef>

namespace tw::pjrt {

constexpr size_t kBufferAlignment =
    64; // of elements, as JAX expects it of what it shows as an array of NumPy

// A block as its owner gives it back.
struct Block {
  void *data;
  size_t bytes; // as it was allocated
};

// At least so many bytes, aligned for buffers; `data` is null where there is no memory.
Block take_block(size_t bytes);
void give_back(const Block &block);

} // namespace tw::pjrt
