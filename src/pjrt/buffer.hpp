// SPDX-License-Identifier: Apache-2.0
// Buffers: one array of one device, dense and row-major. What the array's memory is, is Storage, which runs
// and views hold too: a buffer that is deleted, or given away, has none any more.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "pjrt/abi_buffers.hpp"
#include "pjrt/blocks.hpp"
#include "pjrt/client.hpp"
#include "pjrt/event.hpp"

namespace tw::pjrt {

struct Storage {
  TensorHandle tensor;                                     // null where there is a failure instead
  std::shared_ptr<Completion> ready = Completion::ready(); // its elements are there
  bool is_ours = true;                                     // memory that a result may be written over
  std::atomic<int> readers{0};                             // runs that wait to read it, or do
  std::atomic<int> views{0};                               // of the caller, by its address
  std::atomic<int> holders{0};                             // buffers: one for each device that has it
};
using StoragePtr = std::shared_ptr<Storage>;

// Memory for an array; its elements are anything.
StoragePtr allocate(tw_dtype_t dtype, std::span<const int64_t> dims);
// Memory of somebody else; `release` is called when nobody uses it any more.
StoragePtr borrow(tw_dtype_t dtype, std::span<const int64_t> dims, const void *data,
                  std::function<void()> release);

struct Buffer {
  std::shared_ptr<Client> client;
  Device *device;
  Memory *memory;
  abi::Type type;
  std::vector<int64_t> dims;
  std::mutex mutex; // of what follows
  StoragePtr storage;
  StoragePtr viewed; // what views are of, also once the buffer has no storage
  int views = 0;

  Buffer(Memory &where, abi::Type element, std::span<const int64_t> shape, StoragePtr what);
  Buffer(const Buffer &) = delete;
  ~Buffer() { drop(); }
  // A Failure where there is none.
  StoragePtr get();
  // The same, and the buffer has none any more.
  StoragePtr take();
  // What it has, if anything; then it has none any more.
  StoragePtr drop();
};

// The memory where an array goes: `memory`, else the device's default one, else that of the first device
// here.
Memory &place_of(Client &client, Device *device, Memory *memory);
// A Failure where a layout is none of those that buffers have: row-major.
void check_layout(const abi::Layout *layout, std::span<const int64_t> dims, size_t item);
// Bytes from one index to the next, of an array of the host that lies so.
std::vector<int64_t> strides_of(const abi::Layout *layout, std::span<const int64_t> dims, size_t item);

} // namespace tw::pjrt
