// SPDX-License-Identifier: Apache-2.0
// Where big memory comes from: the C++ library's aligned new, or functions of the host.
#pragma once

#include <cstddef>

namespace tw {

struct Allocator {
  void *(*alloc)(size_t size, size_t alignment, void *user) = nullptr; // null: the C++ library's
  void (*free)(void *memory, size_t size, void *user) = nullptr;
  void *user = nullptr;

  // Null when there is none to have. `size` is at least 1.
  void *allocate(size_t size, size_t alignment) const;
  void release(void *memory, size_t size, size_t alignment) const;
};

} // namespace tw
