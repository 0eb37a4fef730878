// SPDX-License-Identifier: Apache-2.0
// Memory that the host cannot touch. A memory file is mapped twice: at the address that the library sees
// nothing may be read or written, so whoever tries dies there by SIGSEGV; the alias is for the threads of
// queues, which ask for it when they run a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <shared_mutex>

#include "base/status.hpp"

namespace tw::device::detached {

class Memory {
public:
  explicit Memory(size_t capacity) : capacity_(capacity) {}

  // Filled with bytes that are no sensible numbers: who reads what nobody wrote finds them. `unit` is the
  // device to which it belongs.
  Result<std::byte *> allocate(int32_t unit, size_t bytes);
  void free(std::byte *memory);

  // Where a queue's thread finds what lies at an address of the library; null: that is no memory of a device.
  // The end of a block belongs to it, as tiles without elements may begin there.
  std::byte *alias(const void *address) const;
  // The same of memory of that unit alone.
  std::byte *alias(const void *address, int32_t unit) const;

  size_t free_bytes() const;
  Status check_room(size_t bytes) const;

private:
  struct Block {
    size_t bytes; // whole pages; a page behind them belongs to nobody
    std::byte *alias;
    int32_t unit;
  };
  std::byte *find(const void *address, const int32_t *unit) const;
  const size_t capacity_;
  mutable std::shared_mutex mutex_;
  std::map<std::byte *, Block, std::less<>> blocks_; // by the address that the library sees
  size_t used_ = 0;
};

// All that devices of this kind have in this process: as much as the machine.
Memory &memory();

} // namespace tw::device::detached
