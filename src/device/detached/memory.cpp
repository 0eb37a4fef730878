// SPDX-License-Identifier: Apache-2.0
// Maps memory files.
#include "device/detached/memory.hpp"

#include <cstring>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tw::device::detached {
namespace {

constexpr int kUnwritten = 0xa5;

// An address range of a file's pages and one page more that faults.
std::byte *map_guarded(int file, size_t bytes, size_t page, int access) {
  void *range = mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED)
    return nullptr;
  if (mmap(range, bytes, access, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    munmap(range, bytes + page);
    return nullptr;
  }
  return static_cast<std::byte *>(range);
}

Error no_room(size_t bytes, size_t left) {
  return {Code::resource_exhausted, "TW-672",
          fmt::format("a detached device has no {} bytes: {} are free", bytes, left)};
}

size_t page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

} // namespace

Result<std::byte *> Memory::allocate(int32_t unit, size_t bytes) {
  const auto refuse = [&](size_t left) { return fail(no_room(bytes, left)); };
  const size_t page = page_size();
  const std::unique_lock lock(mutex_);
  const size_t left = capacity_ - used_;
  if (bytes > left || left - bytes < page)
    return refuse(left);
  const size_t whole = (bytes + page - 1) / page * page;
  const int file = memfd_create("tilewright", MFD_CLOEXEC);
  if (file < 0)
    return refuse(left);
  // Reserved now: a page that is missing later would end the process.
  const bool reserved = posix_fallocate(file, 0, static_cast<off_t>(whole)) == 0;
  std::byte *const alias = reserved ? map_guarded(file, whole, page, PROT_READ | PROT_WRITE) : nullptr;
  std::byte *const seen = alias != nullptr ? map_guarded(file, whole, page, PROT_NONE) : nullptr;
  close(file); // the mappings keep it
  if (seen == nullptr) {
    if (alias != nullptr)
      munmap(alias, whole + page);
    return refuse(left);
  }
  std::memset(alias, kUnwritten, whole);
  blocks_[seen] = {whole, alias, unit};
  used_ += whole;
  return seen;
}

void Memory::free(std::byte *memory) {
  const std::unique_lock lock(mutex_);
  const auto found = blocks_.find(memory);
  TW_ASSERT(found != blocks_.end());
  const Block block = found->second;
  blocks_.erase(found);
  used_ -= block.bytes;
  munmap(block.alias, block.bytes + page_size());
  munmap(memory, block.bytes + page_size());
}

std::byte *Memory::alias(const void *address) const { return find(address, nullptr); }

std::byte *Memory::alias(const void *address, int32_t unit) const { return find(address, &unit); }

std::byte *Memory::find(const void *address, const int32_t *unit) const {
  const auto *at = static_cast<const std::byte *>(address);
  const std::shared_lock lock(mutex_);
  auto behind = blocks_.upper_bound(at);
  if (behind == blocks_.begin())
    return nullptr;
  const auto &[begin, block] = *--behind;
  if (unit != nullptr && block.unit != *unit)
    return nullptr;
  const auto offset = static_cast<size_t>(at - begin);
  return offset <= block.bytes ? block.alias + offset : nullptr;
}

Status Memory::check_room(size_t bytes) const {
  if (const size_t left = free_bytes(); bytes > left)
    return fail(no_room(bytes, left));
  return {};
}

size_t Memory::free_bytes() const {
  const std::shared_lock lock(mutex_);
  return capacity_ - used_;
}

Memory &memory() {
  static Memory all(static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * page_size());
  return all;
}

} // namespace tw::device::detached
