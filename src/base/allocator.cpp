// SPDX-License-Identifier: Apache-2.0
// Much memory of our own asks for large pages: what is used again and again pays for its pages once, and
// misses fewer translations.
#include "base/allocator.hpp"

#include <cstdint>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tw {
namespace {

void ask_for_large_pages([[maybe_unused]] void *memory, [[maybe_unused]] size_t size) {
#if defined(__linux__)
  constexpr uintptr_t kLarge = uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<uintptr_t>(memory) + kLarge - 1) / kLarge * kLarge,
             end = (reinterpret_cast<uintptr_t>(memory) + size) / kLarge * kLarge;
  if (memory != nullptr && begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE); // a wish: it may be refused
#endif
}

} // namespace

void *Allocator::allocate(size_t size, size_t alignment) const {
  if (alloc)
    return alloc(size, alignment, user);
  void *memory = ::operator new(size, std::align_val_t(alignment), std::nothrow);
  ask_for_large_pages(memory, size);
  return memory;
}

void Allocator::release(void *memory, size_t size, size_t alignment) const {
  if (free)
    free(memory, size, user);
  else
    ::operator delete(memory, std::align_val_t(alignment));
}

} // namespace tw
