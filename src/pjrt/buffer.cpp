// SPDX-License-Identifier: Apache-2.0
// Buffers asked for what they are, kept in view, deleted.
#include "pjrt/buffer.hpp"

#include <numeric>
#include <utility>

#include "pjrt/blocks.hpp"
#include "pjrt/element_type.hpp"
#include "pjrt/slots.hpp"
#include "pjrt/strided.hpp"

namespace tw::pjrt {

namespace {

// A result that is made where its argument lies has no place before its run begins: callers ask before they
// wait.
void *data_of(const Storage &storage) {
  if (!storage.ready->is_over())
    storage.ready->wait();
  return storage.tensor == nullptr ? nullptr : const_cast<void *>(tw_tensor_const_data(storage.tensor.get()));
}

StoragePtr there(StoragePtr storage) {
  if (storage == nullptr)
    throw Failure{abi::Code::invalid_argument, "the buffer was deleted, or donated to a run"};
  return storage;
}

} // namespace

StoragePtr allocate(tw_dtype_t dtype, std::span<const int64_t> dims) {
  auto storage = std::make_shared<Storage>();
  if (dtype == TW_TOKEN) {
    storage->tensor = make<TensorHandle>(
        [&](tw_tensor_t **out) { return tw_tensor_create(nullptr, dtype, nullptr, 0, out); });
    return storage;
  }
  const size_t bytes = count_of(dims) * tw_dtype_size(dtype);
  const auto end = [](void *user) {
    const std::unique_ptr<Block> ended(static_cast<Block *>(user));
    give_back(*ended);
  };
  auto block = std::make_unique<Block>(take_block(bytes));
  if (block->data == nullptr)
    throw Failure{abi::Code::resource_exhausted,
                  "no memory for an array of " + std::to_string(bytes) + " bytes"};
  try {
    storage->tensor = make<TensorHandle>([&](tw_tensor_t **out) {
      return tw_tensor_wrap(dtype, dims.data(), dims.size(), block->data, end, block.get(), out);
    });
  } catch (...) {
    give_back(*block);
    throw;
  }
  block.release();
  return storage;
}

StoragePtr borrow(tw_dtype_t dtype, std::span<const int64_t> dims, const void *data,
                  std::function<void()> release) {
  auto storage = std::make_shared<Storage>();
  storage->is_ours = false;
  auto kept = std::make_unique<std::function<void()>>(std::move(release));
  const auto end = [](void *user) {
    const std::unique_ptr<std::function<void()>> ended(static_cast<std::function<void()> *>(user));
    (*ended)();
  };
  storage->tensor = make<TensorHandle>([&](tw_tensor_t **out) {
    return tw_tensor_wrap_const(dtype, dims.data(), dims.size(), data, end, kept.get(), out);
  });
  kept.release();
  return storage;
}

Buffer::Buffer(Memory &where, abi::Type element, std::span<const int64_t> shape, StoragePtr what)
    : client(where.device->client->shared_from_this()), device(where.device), memory(&where), type(element),
      dims(shape.begin(), shape.end()), storage(std::move(what)) {
  ++storage->holders;
}

StoragePtr Buffer::get() {
  const std::scoped_lock lock(mutex);
  return there(storage);
}

StoragePtr Buffer::take() { return there(drop()); }

StoragePtr Buffer::drop() {
  const std::scoped_lock lock(mutex);
  if (storage != nullptr)
    --storage->holders;
  return std::exchange(storage, nullptr);
}

Memory &place_of(Client &client, Device *device, Memory *memory) {
  if (memory != nullptr)
    return *memory;
  return client.memory(device != nullptr ? *device : *client.addressable.front(), kDefaultMemory);
}

std::vector<int64_t> strides_of(const abi::Layout *layout, std::span<const int64_t> dims, size_t item) {
  if (layout == nullptr)
    return dense_strides(dims, item);
  if (layout->kind == abi::Layout::Kind::strides) {
    if (layout->strides.ndims != dims.size())
      throw Failure{abi::Code::invalid_argument, "a layout of " + std::to_string(layout->strides.ndims) +
                                                     " strides for an array of " +
                                                     std::to_string(dims.size()) + " dimensions"};
    return {layout->strides.bytes, layout->strides.bytes + dims.size()};
  }
  if (layout->tiled.ndims != dims.size())
    throw Failure{abi::Code::invalid_argument, "a layout of " + std::to_string(layout->tiled.ndims) +
                                                   " dimensions for an array of " +
                                                   std::to_string(dims.size())};
  if (layout->tiled.num_tiles != 0)
    throw Failure{abi::Code::unimplemented, "a layout in tiles: buffers are dense and row-major"};
  std::vector<int64_t> strides(dims.size(), 0);
  auto stride = static_cast<int64_t>(item);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = layout->tiled.minor_to_major[i];
    if (d < 0 || d >= static_cast<int64_t>(dims.size()) || strides[static_cast<size_t>(d)] != 0)
      throw Failure{abi::Code::invalid_argument, "a layout that does not name every dimension once"};
    strides[static_cast<size_t>(d)] = stride;
    stride *= std::max<int64_t>(1, dims[static_cast<size_t>(d)]);
  }
  return strides;
}

void check_layout(const abi::Layout *layout, std::span<const int64_t> dims, size_t item) {
  if (layout != nullptr && count_of(dims) != 0 && !is_dense(dims, strides_of(layout, dims, item), item))
    throw Failure{abi::Code::unimplemented, "a buffer with another layout than row-major"};
}

void buffer_destroy(abi::Of<Buffer> &args) { delete args.object; }

void buffer_element_type(abi::Get<Buffer, abi::Type> &args) { args.value = args.object->type; }

void buffer_dimensions(abi::GetList<Buffer, int64_t> &args) {
  args.items = args.object->dims.data();
  args.count = args.object->dims.size();
}

void buffer_unpadded_dimensions(abi::GetList<Buffer, int64_t> &args) { buffer_dimensions(args); }

void buffer_dynamic_dimensions(abi::GetList<Buffer, size_t> &args) {
  args.items = nullptr;
  args.count = 0;
}

void buffer_memory_layout(abi::BufferLayout &args) {
  // Dimensions from the last to the first; lists of all ranks that arrays have in practice.
  static const std::vector<int64_t> descending = [] {
    std::vector<int64_t> list(256);
    std::iota(list.rbegin(), list.rend(), 0);
    return list;
  }();
  const size_t n = args.object->dims.size();
  if (n > descending.size())
    throw Failure{abi::Code::unimplemented, "the layout of an array of " + std::to_string(n) + " dimensions"};
  args.layout = {};
  args.layout.struct_size = sizeof args.layout;
  args.layout.kind = abi::Layout::Kind::tiled;
  args.layout.tiled.struct_size = sizeof args.layout.tiled;
  args.layout.tiled.minor_to_major = descending.data() + (descending.size() - n);
  args.layout.tiled.ndims = n;
}

void buffer_size(abi::Get<Buffer, size_t> &args) {
  args.value = count_of(args.object->dims) * tw_dtype_size(dtype_of(args.object->type));
}

void buffer_device(abi::Get<Buffer, Device *> &args) { args.value = args.object->device; }

void buffer_memory(abi::Get<Buffer, Memory *> &args) { args.value = args.object->memory; }

// Its memory ends without the lock.
void buffer_delete(abi::Of<Buffer> &args) { args.object->drop(); }

void buffer_is_deleted(abi::Get<Buffer, bool> &args) {
  const std::scoped_lock lock(args.object->mutex);
  args.value = args.object->storage == nullptr;
}

void buffer_is_on_cpu(abi::Get<Buffer, bool> &args) { args.value = true; }

void buffer_ready_event(abi::Get<Buffer, Event *> &args) {
  args.value = new Event{args.object->get()->ready};
}

void buffer_unsafe_pointer(abi::Get<Buffer, uintptr_t> &args) {
  args.value = reinterpret_cast<uintptr_t>(data_of(*args.object->get()));
}

void buffer_increase_external_references(abi::Of<Buffer> &args) {
  Buffer &buffer = *args.object;
  const std::scoped_lock lock(buffer.mutex);
  if (buffer.viewed == nullptr)
    buffer.viewed = there(buffer.storage);
  ++buffer.views;
  ++buffer.viewed->views;
}

void buffer_decrease_external_references(abi::Of<Buffer> &args) {
  Buffer &buffer = *args.object;
  StoragePtr ended;
  const std::scoped_lock lock(buffer.mutex);
  if (buffer.views == 0)
    throw Failure{abi::Code::failed_precondition, "the buffer has no external references"};
  --buffer.viewed->views;
  if (--buffer.views == 0)
    ended.swap(buffer.viewed);
}

void buffer_data_pointer(abi::Get<Buffer, void *> &args) {
  Buffer &buffer = *args.object;
  {
    const std::scoped_lock lock(buffer.mutex);
    if (buffer.viewed != nullptr) {
      args.value = data_of(*buffer.viewed);
      return;
    }
  }
  args.value = data_of(*buffer.get());
}

} // namespace tw::pjrt
