// SPDX-License-Identifier: Apache-2.0
// Arrays from the host to devices and back, between devices, and arrays that lie there already.
#include <cstring>

#include "pjrt/buffer.hpp"
#include "pjrt/element_type.hpp"
#include "pjrt/slots.hpp"
#include "pjrt/strided.hpp"

namespace tw::pjrt {

namespace {

// From this size on an array of the host is not copied where it may stay where it is.
constexpr size_t kWorthSharing = 64 << 10;

const void *elements_of(const Storage &storage) { return tw_tensor_const_data(storage.tensor.get()); }

// Calls `body` when the elements are there, or `failed` with why they never will.
void when_ready(StoragePtr storage, std::function<void()> body, std::function<void(const Failure &)> failed) {
  const std::shared_ptr<Completion> ready = storage->ready;
  ready->then([storage = std::move(storage), body = std::move(body),
               failed = std::move(failed)](const Failure *failure) {
    if (failure != nullptr)
      failed(*failure);
    else
      body();
  });
}

// A buffer elsewhere with the same elements. On the host nobody writes them twice, so memory that is given
// away to no run would do; but runs may write over what is donated, so they are copied.
Buffer *copy_to(Buffer &source, Memory &memory) {
  StoragePtr from = source.get();
  const tw_dtype_t dtype = dtype_of(source.type);
  StoragePtr to = allocate(dtype, source.dims);
  auto buffer = std::make_unique<Buffer>(memory, source.type, source.dims, to);
  if (from->ready->is_over() && from->ready->failure() == nullptr) {
    if (to->tensor != nullptr)
      check(tw_tensor_copy(to->tensor.get(), from->tensor.get(), nullptr));
    return buffer.release();
  }
  to->ready = std::make_shared<Completion>();
  ++from->readers;
  when_ready(
      from,
      [from, to] {
        std::optional<Failure> failure;
        if (to->tensor != nullptr)
          if (const tw_status_t status = tw_tensor_copy(to->tensor.get(), from->tensor.get(), nullptr))
            failure = last_failure(status);
        --from->readers;
        to->ready->finish(std::move(failure));
      },
      [from, to](const Failure &failure) {
        --from->readers;
        to->ready->finish(failure);
      });
  return buffer.release();
}

} // namespace

void client_buffer_from_host_buffer(abi::BufferFromHost &args) {
  const std::span dims(args.dims, args.ndims);
  const tw_dtype_t dtype = dtype_of(args.type);
  const size_t item = tw_dtype_size(dtype);
  const size_t bytes = count_of(dims) * item;
  check_layout(args.layout, dims, item);
  Memory &memory = place_of(*args.object, args.device, args.memory);
  std::vector<int64_t> strides = dense_strides(dims, item);
  if (args.strides != nullptr) {
    if (args.num_strides != args.ndims)
      throw Failure{abi::Code::invalid_argument, std::to_string(args.num_strides) +
                                                     " strides for an array of " +
                                                     std::to_string(args.ndims) + " dimensions"};
    strides.assign(args.strides, args.strides + args.num_strides);
  }
  const bool dense = bytes == 0 || is_dense(dims, strides, item);
  const bool may_share = args.semantics == abi::HostSemantics::zero_copy ||
                         args.semantics == abi::HostSemantics::mutable_zero_copy;
  if (may_share && dense && !is_narrow(dtype) && bytes >= kWorthSharing &&
      reinterpret_cast<uintptr_t>(args.data) % kBufferAlignment == 0) {
    auto done = std::make_shared<Completion>();
    auto buffer = std::make_unique<Buffer>(memory, args.type, dims,
                                           borrow(dtype, dims, args.data, [done] { done->finish(); }));
    args.done = new Event{done};
    args.buffer = buffer.release();
    return;
  }
  StoragePtr storage = allocate(dtype, dims);
  if (bytes != 0) {
    void *target = tw_tensor_data(storage->tensor.get());
    if (dense)
      std::memcpy(target, args.data, bytes);
    else
      copy_strided(dims, item, args.data, strides, target, dense_strides(dims, item));
    if (is_narrow(dtype))
      extend(dtype, target, bytes);
  }
  auto buffer = std::make_unique<Buffer>(memory, args.type, dims, std::move(storage));
  args.done = new Event{Completion::ready()};
  args.buffer = buffer.release();
}

void buffer_to_host_buffer(abi::BufferToHost &args) {
  Buffer &buffer = *args.object;
  const size_t item = tw_dtype_size(dtype_of(buffer.type));
  const size_t bytes = count_of(buffer.dims) * item;
  if (args.data == nullptr) {
    args.size = bytes;
    return;
  }
  if (args.size < bytes)
    throw Failure{abi::Code::invalid_argument, "an array of " + std::to_string(bytes) +
                                                   " bytes does not fit into " + std::to_string(args.size)};
  const std::vector<int64_t> strides = strides_of(args.layout, buffer.dims, item);
  auto done = std::make_shared<Completion>();
  args.event = new Event{done};
  StoragePtr storage = buffer.get();
  when_ready(
      storage,
      [storage, done, dims = buffer.dims, item, strides, data = args.data, bytes] {
        if (bytes != 0)
          copy_strided(dims, item, elements_of(*storage), dense_strides(dims, item), data, strides);
        done->finish();
      },
      [done](const Failure &failure) { done->finish(failure); });
}

void buffer_copy_raw_to_host(abi::BufferCopyRaw &args) {
  Buffer &buffer = *args.object;
  const auto bytes = static_cast<int64_t>(count_of(buffer.dims) * tw_dtype_size(dtype_of(buffer.type)));
  if (args.offset < 0 || args.size < 0 || args.offset > bytes || args.size > bytes - args.offset)
    throw Failure{abi::Code::invalid_argument, std::to_string(args.size) + " bytes from " +
                                                   std::to_string(args.offset) + " on of an array of " +
                                                   std::to_string(bytes)};
  auto done = std::make_shared<Completion>();
  args.event = new Event{done};
  StoragePtr storage = buffer.get();
  when_ready(
      storage,
      [storage, done, data = args.data, offset = args.offset, size = args.size] {
        if (size != 0)
          std::memcpy(data, static_cast<const char *>(elements_of(*storage)) + offset,
                      static_cast<size_t>(size));
        done->finish();
      },
      [done](const Failure &failure) { done->finish(failure); });
}

void buffer_copy_to_device(abi::BufferCopyToDevice &args) {
  args.copy = copy_to(*args.object, place_of(*args.object->client, args.device, nullptr));
}

void buffer_copy_to_memory(abi::BufferCopyToMemory &args) { args.copy = copy_to(*args.object, *args.memory); }

void client_create_uninitialized(abi::BufferUninitialized &args) {
  const std::span dims(args.dims, args.ndims);
  const tw_dtype_t dtype = dtype_of(args.type);
  check_layout(args.layout, dims, tw_dtype_size(dtype));
  Memory &memory = place_of(*args.object, args.device, args.memory);
  args.buffer = new Buffer(memory, args.type, dims, allocate(dtype, dims));
}

void client_create_error_buffer(abi::BufferOfError &args) {
  const std::span dims(args.dims, args.ndims);
  auto storage = std::make_shared<Storage>();
  storage->ready = std::make_shared<Completion>();
  storage->ready->finish(Failure{args.code, std::string(args.message, args.message_size)});
  args.buffer = new Buffer(place_of(*args.object, nullptr, args.memory), args.type, dims, storage);
}

void client_create_view(abi::BufferView &args) {
  const std::span dims(args.dims, args.ndims);
  const tw_dtype_t dtype = dtype_of(args.type);
  check_layout(args.layout, dims, tw_dtype_size(dtype));
  Memory &memory = place_of(*args.object, args.device, abi::has(args, args.memory) ? args.memory : nullptr);
  const auto release = [fn = args.on_delete, data = args.data, user = args.on_delete_user] {
    if (fn != nullptr)
      fn(data, user);
  };
  args.buffer = new Buffer(memory, args.type, dims, borrow(dtype, dims, args.data, release));
}

} // namespace tw::pjrt
