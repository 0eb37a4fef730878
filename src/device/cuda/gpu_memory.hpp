// SPDX-License-Identifier: Apache-2.0
// Memory of a GPU that the library has in this process: how much it may be, and who gives it: the driver, or
// an allocator of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "base/status.hpp"
#include "device/cuda/plugin.hpp"

namespace tw::device::cuda {

class Gpu;

// Functions of the program. `stream` is one on which nothing runs.
struct GpuAllocator {
  void *(*alloc)(size_t size, int32_t gpu, void *stream, void *user) = nullptr;
  void (*free)(void *memory, size_t size, int32_t gpu, void *stream, void *user) = nullptr;
  void *user = nullptr;
};

class GpuMemory {
public:
  // An error says how many bytes were asked for and how many are free.
  Result<std::byte *> allocate(const Gpu &gpu, size_t bytes);
  void free(const Gpu &gpu, std::byte *memory);
  void close(const Gpu &gpu); // nothing is left
  // The error that allocate() would give for these bytes; nothing is allocated.
  Status check_room(const Gpu &gpu, size_t bytes) const;

  void set_limit(int64_t bytes); // 0: none
  // Of what is allocated from now on; null: the driver.
  void set_allocator(std::shared_ptr<const GpuAllocator> allocator);
  int64_t used() const;
  int64_t limit() const;

private:
  struct Block {
    size_t bytes;
    std::shared_ptr<const GpuAllocator> from;
  };
  Result<std::byte *> take(const Gpu &gpu, size_t bytes, const GpuAllocator *from);
  Result<tw_cuda_queue *> stream(const Gpu &gpu);
  Status check_limit(const Gpu &gpu, size_t bytes) const; // under the mutex

  mutable std::mutex mutex_;
  std::map<std::byte *, Block> blocks_;
  std::shared_ptr<const GpuAllocator> allocator_;
  tw_cuda_queue *stream_ = nullptr; // for allocators, made when one is first asked
  int64_t used_ = 0, limit_ = 0;
};

} // namespace tw::device::cuda
