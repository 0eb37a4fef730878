// SPDX-License-Identifier: Apache-2.0
// A call of the library as a call of a handler.
#include <deque>
#include <memory>
#include <span>

#include "pjrt/element_type.hpp"
#include "pjrt/ffi.hpp"
#include "pjrt/ffi_attributes.hpp"

namespace tw::pjrt {

namespace {

thread_local int calls_of_this_thread = 0;

class InCall {
public:
  InCall() { ++calls_of_this_thread; }
  InCall(const InCall &) = delete;
  ~InCall() { --calls_of_this_thread; }
};

int64_t product(std::span<const int64_t> extents) {
  int64_t all = 1;
  for (const int64_t extent : extents)
    all *= extent;
  return all;
}

// The arrays of one side, without the dimensions in front.
class Side {
public:
  Side(const tw_tile_t *const *tiles, size_t count, size_t in_front)
      : tiles_(tiles, count), in_front_(in_front), kinds_(count, abi::kFfiBuffer) {
    for (const tw_tile_t *tile : tiles_) {
      const std::span own = extents(*tile);
      abi::FfiBuffer &buffer = buffers_.emplace_back();
      buffer.struct_size = sizeof buffer;
      buffer.type = ffi_type_of(tile->dtype);
      buffer.rank = std::ssize(own);
      buffer.dims = own.data();
      pointers_.push_back(&buffer);
    }
  }

  // Of one index of the dimensions in front.
  abi::FfiBuffers at(int64_t index) {
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (tiles_[i]->data != nullptr)
        buffers_[i].data = static_cast<char *>(tiles_[i]->data) + index * bytes(*tiles_[i]);
    return {{sizeof(abi::FfiBuffers), nullptr},
            static_cast<int64_t>(kinds_.size()),
            kinds_.data(),
            pointers_.data()};
  }

  // How many indices of the dimensions in front a device has, where all arrays have as many; -1: there are no
  // arrays. A Failure where they differ.
  int64_t count(int64_t before) const {
    for (const tw_tile_t *tile : tiles_) {
      if (tile->dtype == TW_TOKEN)
        continue;
      const int64_t here = tile->ndims < in_front_ ? -1 : product({tile->extent, in_front_});
      if (here < 0 || (before >= 0 && here != before))
        throw Failure{abi::Code::invalid_argument,
                      "tw.dims_in_front is " + std::to_string(in_front_) +
                          ", and not all operands and results have such dimensions of one size"};
      before = here;
    }
    return before;
  }

  // As NumPy has it, the upper bits of narrow elements hold anything.
  void extend_narrow() const {
    for (const tw_tile_t *tile : tiles_)
      if (is_narrow(tile->dtype) && tile->data != nullptr)
        extend(tile->dtype, tile->data, static_cast<size_t>(product({tile->extent, tile->ndims})));
  }

private:
  std::span<const int64_t> extents(const tw_tile_t &tile) const {
    const size_t skipped = std::min(in_front_, tile.ndims);
    return {tile.extent + skipped, tile.ndims - skipped};
  }
  int64_t bytes(const tw_tile_t &tile) const {
    return product(extents(tile)) * static_cast<int64_t>(tw_dtype_size(tile.dtype));
  }

  std::span<const tw_tile_t *const> tiles_;
  size_t in_front_;
  std::vector<int32_t> kinds_;
  std::deque<abi::FfiBuffer> buffers_;
  std::vector<void *> pointers_;
};

size_t dims_in_front(const tw_call_t &call) {
  const tw_attr_t *stated = tw_call_attr(&call, "tw.dims_in_front");
  return stated == nullptr || stated->integer < 0 ? 0 : static_cast<size_t>(stated->integer);
}

} // namespace

bool is_in_foreign_call() { return calls_of_this_thread > 0; }

tw_status_t check_foreign_call(const tw_call_t &shown) {
  return guard_callback([&] {
    const FfiAttributes attributes(shown);
    for (size_t i = 0; i < shown.num_operands; ++i)
      ffi_type_of(shown.operands[i]->dtype);
    for (size_t i = 0; i < shown.num_results; ++i)
      ffi_type_of(shown.results[i]->dtype);
  });
}

tw_status_t make_foreign_call(abi::FfiHandler handler, const tw_call_t &shown) {
  return guard_callback([&] {
    const size_t in_front = dims_in_front(shown);
    const FfiAttributes attributes(shown);
    Side operands(shown.operands, shown.num_operands, in_front);
    Side results(shown.results, shown.num_results, in_front);
    const int64_t all = results.count(operands.count(-1)), count = all < 0 ? 1 : all;
    for (int64_t index = 0; index < count; ++index) {
      abi::FfiCall call{};
      call.struct_size = abi::FfiCall::kSize;
      call.api = &ffi_api();
      call.context = &call; // there is nothing in it
      call.stage = abi::kFfiExecute;
      call.operands = operands.at(index);
      call.results = results.at(index);
      call.attributes = attributes.list();
      const InCall in_call;
      std::unique_ptr<FfiError> error(handler(&call));
      if (call.future != nullptr) {
        std::unique_ptr<FfiError> later(await_future(call.future));
        if (error == nullptr)
          error = std::move(later);
      }
      if (error != nullptr)
        throw Failure{error->code, error->message};
    }
    results.extend_narrow();
  });
}

} // namespace tw::pjrt
