// SPDX-License-Identifier: Apache-2.0
// Buffers that are made first and filled later, in pieces. A piece is copied when it comes, so its memory is
// the caller's again at once; the buffer is ready with the last one.
#include <cstring>

#include "pjrt/buffer.hpp"
#include "pjrt/element_type.hpp"
#include "pjrt/slots.hpp"
#include "pjrt/strided.hpp"

namespace tw::pjrt {

class Transfers {
public:
  Transfers(Memory &memory, std::span<const abi::ShapeSpec> specs) : device(memory.device) {
    for (const abi::ShapeSpec &spec : specs) {
      const std::span dims(spec.dims, spec.ndims);
      StoragePtr storage = allocate(dtype_of(spec.type), dims);
      storage->ready = std::make_shared<Completion>();
      slots_.push_back({storage, std::make_unique<Buffer>(memory, spec.type, dims, storage)});
    }
  }
  ~Transfers() {
    for (const Slot &slot : slots_)
      if (!slot.storage->ready->is_over())
        slot.storage->ready->finish(
            Failure{abi::Code::cancelled, "its transfers ended before all of the array had come"});
  }

  size_t count() const { return slots_.size(); }
  // Of a buffer that is still to be filled.
  Storage &open(int index) {
    Storage &storage = *at(index).storage;
    if (storage.ready->is_over())
      throw Failure{abi::Code::failed_precondition, "buffer " + std::to_string(index) + " is filled already"};
    return storage;
  }
  size_t size(int index) { return tw_tensor_bytes(at(index).storage->tensor.get()); }
  Buffer *retrieve(int index) {
    if (at(index).buffer == nullptr)
      throw Failure{abi::Code::failed_precondition, "buffer " + std::to_string(index) + " was taken before"};
    return at(index).buffer.release();
  }

  Device *const device;

private:
  struct Slot {
    StoragePtr storage;
    std::unique_ptr<Buffer> buffer; // until it is taken
  };
  Slot &at(int index) {
    if (index < 0 || static_cast<size_t>(index) >= slots_.size())
      throw Failure{abi::Code::out_of_range, "there is no buffer " + std::to_string(index) + " among " +
                                                 std::to_string(slots_.size())};
    return slots_[static_cast<size_t>(index)];
  }
  std::vector<Slot> slots_;
};

namespace {

// When all elements have come.
void settle(Storage &storage) {
  if (const tw_dtype_t dtype = tw_tensor_dtype(storage.tensor.get()); is_narrow(dtype))
    extend(dtype, tw_tensor_data(storage.tensor.get()), tw_tensor_bytes(storage.tensor.get()));
}

} // namespace

void client_create_transfers(abi::TransfersCreate &args) {
  const std::span specs(args.specs, args.num_specs);
  for (size_t i = 0; i < std::min(args.num_specs, args.num_layouts); ++i)
    if (args.layouts != nullptr)
      check_layout(args.layouts[i], {specs[i].dims, specs[i].ndims}, tw_dtype_size(dtype_of(specs[i].type)));
  args.transfers = new Transfers(place_of(*args.object, nullptr, args.memory), specs);
}

void transfers_destroy(abi::Of<Transfers> &args) { delete args.object; }
void transfers_device(abi::Get<Transfers, Device *> &args) { args.value = args.object->device; }
void transfers_count(abi::Get<Transfers, size_t> &args) { args.value = args.object->count(); }
void transfers_buffer_size(abi::TransferSize &args) { args.size = args.object->size(args.index); }
void transfers_retrieve_buffer(abi::TransferBuffer &args) { args.buffer = args.object->retrieve(args.index); }
void transfers_add_metadata(abi::Of<Transfers> &) {} // nobody asks for it

void transfers_data(abi::TransferData &args) {
  Storage &storage = args.object->open(args.index);
  const auto bytes = static_cast<int64_t>(args.object->size(args.index));
  if (args.offset < 0 || args.size < 0 || args.offset > bytes || args.size > bytes - args.offset)
    throw Failure{abi::Code::invalid_argument, std::to_string(args.size) + " bytes from " +
                                                   std::to_string(args.offset) + " on of an array of " +
                                                   std::to_string(bytes)};
  if (args.size != 0)
    std::memcpy(static_cast<char *>(tw_tensor_data(storage.tensor.get())) + args.offset, args.data,
                static_cast<size_t>(args.size));
  args.done = new Event{Completion::ready()};
  if (args.is_last) {
    settle(storage);
    storage.ready->finish();
  }
}

void transfers_literal(abi::TransferLiteral &args) {
  Storage &storage = args.object->open(args.index);
  const std::span dims(args.dims, args.ndims);
  const size_t item = tw_dtype_size(dtype_of(args.type)), bytes = count_of(dims) * item;
  if (bytes != args.object->size(args.index))
    throw Failure{abi::Code::invalid_argument, "an array of " + std::to_string(bytes) + " bytes for one of " +
                                                   std::to_string(args.object->size(args.index))};
  if (bytes != 0)
    copy_strided(dims, item, args.data, strides_of(args.layout, dims, item),
                 tw_tensor_data(storage.tensor.get()), dense_strides(dims, item));
  settle(storage);
  args.done = new Event{Completion::ready()};
  storage.ready->finish();
}

void transfers_set_error(abi::TransferError &args) {
  args.object->open(args.index)
      .ready->finish(Failure{args.code, std::string(args.message, args.message_size)});
}

// All memory is the host's.
void client_dma_map(abi::Of<Client> &) {}
void client_dma_unmap(abi::Of<Client> &) {}

} // namespace tw::pjrt
