// SPDX-License-Identifier: Apache-2.0
// The arrays of one run of devices with queues: which are read where they lie, and how the others come to the
// devices and results to the program. What lies on a device never goes through the host.
#include "runtime/executable.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ops/strided.hpp"
#include "runtime/executor.hpp"

namespace tw::runtime {

using kernels::cpu::CopyPlan;
using ops::dense_strides;

namespace {

// What kernels find of a tile's address in an arena they also find in an array that is read in place.
constexpr uintptr_t kPlaceAlignment = 64;

device::At at(const TensorView &array, int64_t offset) {
  return {static_cast<std::byte *>(array.data) + offset, array.where.unit};
}

} // namespace

// How a tile is copied between an array that is no device's arena and its dense form, and where in bytes it
// begins there.
std::pair<const CopyPlan *, int64_t> Executable::plan_for(const ArrayCopy &tile, const TensorView &array,
                                                          bool into) {
  if (array.is_dense())
    return {&tile.plan, tile.array_offset};
  const auto size = static_cast<int64_t>(byte_size(array.dtype));
  int64_t offset = 0;
  for (size_t d = 0; d < tile.box.rank(); ++d)
    offset += tile.box.offset[d] * array.strides[d];
  const auto own = dense_strides(tile.box.extent);
  plans_.push_back(into ? CopyPlan(tile.box.extent, own, array.strides, size)
                        : CopyPlan(tile.box.extent, array.strides, own, size));
  return {&plans_.back(), offset * size};
}

Status Executable::arrange(std::span<const TensorView> inputs, std::span<const TensorView> outputs) {
  to_devices_.clear();
  carry_in_.clear();
  plans_.clear();
  is_on_device_in_.clear();
  for (const TensorView &given : inputs)
    is_on_device_in_.push_back(!given.where.is_host());
  for (size_t t = 0; t < scatter_.size(); ++t) {
    const TensorView &given = inputs[scatter_[t].array];
    const Landing &landing = landings_in_[t];
    if (given.where.is_host()) {
      to_devices_.push_back(landing);
      continue;
    }
    const auto [plan, offset] = plan_for(scatter_[t], given, false);
    carry_in_.push_back(
        {landing.position, plan, at(given, offset), {landing.device, unit(landing.position)}});
  }
  for (InPlace &tile : in_place_)
    TW_TRY(bring(tile, inputs[tile.array]));
  arrange_results(outputs);
  return {};
}

// A tile is read in the array where its device reaches it, dense and aligned; else it is brought to memory
// that is made for it, once.
Status Executable::bring(InPlace &tile, const TensorView &given) {
  const int32_t own = unit(tile.position);
  std::byte *base = static_cast<std::byte *>(given.data);
  if (given.where.is_host() || given.where.unit != own || !given.is_dense() ||
      reinterpret_cast<uintptr_t>(base + tile.offset) % kPlaceAlignment != 0) {
    const auto bytes = static_cast<size_t>(tile.plan.bytes());
    if (tile.own == nullptr) {
      TW_ASSIGN(tile.own, device::allocate(*device_, own, bytes, {}));
    }
    if (given.where.is_host()) {
      if (tile.host == nullptr) {
        TW_ASSIGN(tile.host,
                  device::allocate(device::host_kind(), 0, bytes, landing_.get_deleter().allocator));
      }
      tile.plan.run(static_cast<const std::byte *>(inputs_[tile.array]) + tile.offset, tile.host.get());
      to_devices_.push_back({tile.position, tile.own.get(), tile.host.get(), bytes});
    } else {
      const ArrayCopy copy{tile.array, tile.offset, {}, tile.plan, 1, tile.position, tile.box};
      const auto [plan, offset] = plan_for(copy, given, false);
      carry_in_.push_back(
          {tile.position, plan == &copy.plan ? &tile.plan : plan, at(given, offset), {tile.own.get(), own}});
    }
    base = tile.own.get() - tile.offset;
  }
  for (const size_t b : tile.bases)
    bases_[b] = base;
  return {};
}

void Executable::arrange_results(std::span<const TensorView> outputs) {
  to_host_.clear();
  carry_out_.clear();
  is_on_device_out_.clear();
  for (const TensorView &wanted : outputs)
    is_on_device_out_.push_back(!wanted.where.is_host());
  for (size_t t = 0; t < gather_.size(); ++t) {
    if (is_owners_out_[gather_[t].array])
      continue;
    const TensorView &wanted = outputs[gather_[t].array];
    const Location &place = gather_[t].place;
    Landing landing = landings_out_[t];
    if (place.base != 0) // in what was given away
      landing.device = static_cast<std::byte *>(bases_[place.base - 1]) + place.offset;
    if (wanted.where.is_host()) {
      to_host_.push_back(landing);
      continue;
    }
    const auto [plan, offset] = plan_for(gather_[t], wanted, true);
    const device::At to = at(wanted, offset);
    if (to.memory != landing.device) // else it was made there
      carry_out_.push_back({landing.position, plan, {landing.device, unit(landing.position)}, to});
  }
}

Status Executable::check_stream(const device::Where &stream) const {
  if (queues_ != nullptr && stream.kind == device_ &&
      std::ranges::any_of(local_positions_, [&](Position p) { return unit(p) == stream.unit; }))
    return {};
  return fail(Code::invalid_argument, "TW-629",
              fmt::format("the stream is of {}, where this executable, of {} devices, has none",
                          to_text(stream), device_->name()));
}

// The run waits for the events, and where there is a stream for what is in it now.
Result<Order> Executable::join(RunOrder order) {
  after_ = std::move(order.after);
  done_.reset();
  if (queues_ == nullptr)
    return order.stream == nullptr && after_.empty()
               ? Result<Order>(Order{})
               : fail(Code::failed_precondition, "TW-671",
                      "devices of the host have no queues: a run there waits for no stream");
  if (order.stream != nullptr && communicator_->is_shared())
    return fail(Code::unimplemented, "TW-671", "runs in several processes join no stream");
  if (order.stream != nullptr) {
    const device::QueueKind &kind = *device_->as_queues();
    after_.push_back(kind.make_event(order.unit));
    order.stream->record(*after_.back());
    if (order.stream->has_failed())
      if (auto failure = order.stream->recover())
        return fail(std::move(failure->error));
    done_ = kind.make_event(unit(local_positions_.front()));
  }
  return Order{after_, order.stream, done_.get()};
}

} // namespace tw::runtime
