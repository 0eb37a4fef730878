// SPDX-License-Identifier: Apache-2.0
// GPUs as a kind of device. Without a driver the kind is there, and whatever is asked of it says what is
// missing.
#include "device/kind.hpp"

#include <charconv>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/cuda/compiled.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/kernel.hpp"
#include "device/cuda/mover.hpp"

namespace tw::device::cuda {
namespace {

// The number that the environment gives.
Result<int32_t> wanted_gpu() {
  const char *text = std::getenv("TW_CUDA_GPU");
  if (text == nullptr)
    return 0;
  const std::string_view given(text);
  int32_t index = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), index);
  if (error != std::errc() || end != given.data() + given.size())
    return fail(Code::invalid_argument, "TW-683",
                fmt::format("TW_CUDA_GPU is '{}', which is no number of a GPU", given));
  return index;
}

class Cuda final : public QueueKind {
public:
  const char *name() const override { return "cuda"; }
  std::span<const kernels::Entry> kernels() const override {
    static const std::vector<kernels::Entry> entries = [] {
      std::vector<kernels::Entry> all{product_entry()};
      all.insert(all.end(), kernels::host_entries().begin(), kernels::host_entries().end());
      return all;
    }();
    return entries;
  }
  Result<std::byte *> allocate(size_t bytes, const Allocator &) const override {
    TW_ASSIGN(const auto gpu, shared_gpu());
    return gpu->allocate(bytes);
  }
  void free(std::byte *memory, size_t, const Allocator &) const override {
    if (const auto gpu = shared_gpu())
      (*gpu)->free(memory);
  }
  int64_t space_of(int64_t, uint64_t) const override { return 0; } // all on one GPU
  Result<std::unique_ptr<Queue>> make_queue() const override {
    TW_ASSIGN(auto gpu, shared_gpu());
    return CudaQueue::make(std::move(gpu), nullptr);
  }
  std::unique_ptr<Event> make_event() const override {
    auto gpu = shared_gpu();
    return std::make_unique<CudaEvent>(gpu ? *gpu : nullptr);
  }
  std::unique_ptr<kernels::Kernel> adapt(const kernels::Kernel &kernel,
                                         std::vector<int64_t> bytes) const override {
    return cuda::adapt(kernel, std::move(bytes));
  }
  bool make_ready(std::span<const std::unique_ptr<kernels::Kernel>> kernels) const override {
    const auto gpu = shared_gpu();
    return !gpu || compile(kernels, {&*gpu, 1});
  }
  Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers) const override {
    return cuda::make_mover(transfers);
  }
  Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce) const override {
    return cuda::make_mover(reduce);
  }
};

} // namespace

Result<std::shared_ptr<Gpu>> shared_gpu() {
  static std::mutex mutex;
  static auto &open = *new std::shared_ptr<Gpu>;
  const std::lock_guard lock(mutex);
  if (open == nullptr) {
    TW_ASSIGN(const int32_t index, wanted_gpu());
    TW_ASSIGN(open, Gpu::open(index));
  }
  return open;
}

const Kind &kind() {
  static const Cuda cuda;
  return cuda;
}

} // namespace tw::device::cuda
