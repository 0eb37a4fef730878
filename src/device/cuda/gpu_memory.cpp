// SPDX-License-Identifier: Apache-2.0
// Allocators may give memory that only one stream may use until that has come so far: so the library waits
// for that stream, once for each block.
#include "device/cuda/gpu_memory.hpp"

#include <utility>

#include <fmt/format.h>

#include "device/cuda/cuda.hpp"

namespace tw::device::cuda {
namespace {

// The GPU's context is this thread's for a while.
class Inside {
public:
  explicit Inside(const Gpu &gpu) : gpu_(gpu) { gpu.table().enter(gpu.handle()); }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
  ~Inside() { gpu_.table().leave(gpu_.handle()); }

private:
  const Gpu &gpu_;
};

struct Room {
  int64_t free = 0, all = 0; // bytes; zeros where the GPU does not say
};

Room ask_room(const Gpu &gpu) {
  Room room;
  char ignored[TW_CUDA_WHY] = "";
  if (gpu.table().memory(gpu.handle(), &room.free, &room.all, ignored) != TW_CUDA_OK)
    return {};
  return room;
}

Error no_room(const Gpu &gpu, size_t bytes, const Room &room) {
  return {Code::resource_exhausted, "TW-623",
          fmt::format("no memory for the devices' {} bytes: GPU {} has {} of {} bytes free", bytes,
                      gpu.index(), room.free, room.all)};
}

} // namespace

Result<std::byte *> GpuMemory::allocate(const Gpu &gpu, size_t bytes) {
  std::shared_ptr<const GpuAllocator> from;
  {
    const std::lock_guard lock(mutex_);
    TW_TRY(check_limit(gpu, bytes));
    used_ += static_cast<int64_t>(bytes);
    from = allocator_;
  }
  auto memory = take(gpu, bytes, from.get());
  const std::lock_guard lock(mutex_);
  if (memory)
    blocks_[*memory] = {bytes, std::move(from)};
  else
    used_ -= static_cast<int64_t>(bytes);
  return memory;
}

Result<std::byte *> GpuMemory::take(const Gpu &gpu, size_t bytes, const GpuAllocator *from) {
  char why[TW_CUDA_WHY] = "";
  if (from != nullptr) {
    TW_ASSIGN(tw_cuda_queue *const own, stream(gpu));
    void *given = nullptr;
    {
      const Inside inside(gpu);
      given = from->alloc(bytes, gpu.index(), gpu.table().stream_of(own), from->user);
    }
    if (given == nullptr)
      return fail(
          Code::resource_exhausted, "TW-623",
          fmt::format("no memory for the devices' {} bytes: the program's allocator has none of GPU {}",
                      bytes, gpu.index()));
    if (const auto result = gpu.table().drain(own, why); result != TW_CUDA_OK)
      return fail(gpu.problem(result, why));
    return static_cast<std::byte *>(given);
  }
  void *memory = nullptr;
  const tw_cuda_result result = gpu.table().allocate(gpu.handle(), bytes, &memory, why);
  if (result == TW_CUDA_OK)
    return static_cast<std::byte *>(memory);
  if (result != TW_CUDA_NO_MEMORY)
    return fail(gpu.problem(result, why));
  return fail(no_room(gpu, bytes, ask_room(gpu)));
}

Status GpuMemory::check_room(const Gpu &gpu, size_t bytes) const {
  {
    const std::lock_guard lock(mutex_);
    TW_TRY(check_limit(gpu, bytes));
    if (allocator_ != nullptr) // whose memory it is, and how much it has, only the program knows
      return {};
  }
  const Room room = ask_room(gpu);
  if (room.all > 0 && bytes > static_cast<size_t>(room.free))
    return fail(no_room(gpu, bytes, room));
  return {};
}

Status GpuMemory::check_limit(const Gpu &gpu, size_t bytes) const {
  const auto wanted = static_cast<int64_t>(bytes);
  if (limit_ > 0 && (wanted < 0 || wanted > limit_ - used_))
    return fail(
        Code::resource_exhausted, "TW-623",
        fmt::format("no memory for the devices' {} bytes: the program allows {} bytes of GPU {}, and {} "
                    "are in use",
                    bytes, limit_, gpu.index(), used_));
  return {};
}

void GpuMemory::free(const Gpu &gpu, std::byte *memory) {
  Block block;
  void *native = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(memory);
    TW_ASSERT(found != blocks_.end());
    block = found->second;
    blocks_.erase(found);
    used_ -= static_cast<int64_t>(block.bytes);
    native = stream_ != nullptr ? gpu.table().stream_of(stream_) : nullptr;
  }
  if (block.from == nullptr)
    return gpu.table().free(gpu.handle(), memory);
  const Inside inside(gpu);
  block.from->free(memory, block.bytes, gpu.index(), native, block.from->user);
}

Result<tw_cuda_queue *> GpuMemory::stream(const Gpu &gpu) {
  char why[TW_CUDA_WHY] = "";
  const std::lock_guard lock(mutex_);
  if (stream_ == nullptr)
    if (const auto result = gpu.table().make_queue(gpu.handle(), nullptr, &stream_, why);
        result != TW_CUDA_OK)
      return fail(gpu.problem(result, why));
  return stream_;
}

void GpuMemory::close(const Gpu &gpu) {
  if (stream_ != nullptr)
    gpu.table().release_queue(stream_, 1);
  stream_ = nullptr;
}

void GpuMemory::set_limit(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
}

void GpuMemory::set_allocator(std::shared_ptr<const GpuAllocator> allocator) {
  const std::lock_guard lock(mutex_);
  allocator_ = std::move(allocator);
}

int64_t GpuMemory::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

int64_t GpuMemory::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_;
}

} // namespace tw::device::cuda
