// SPDX-License-Identifier: Apache-2.0
// GPUs as a kind of device. Without a driver the kind is there, and whatever is asked of it says what is
// missing.
#include "device/kind.hpp"

#include <utility>
#include <vector>

#include "device/cuda/crossing.hpp"
#include "device/cuda/generated.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/kernel.hpp"
#include "device/cuda/mover.hpp"
#include "device/cuda/recording.hpp"

namespace tw::device::cuda {
namespace {

// Of the values of a chain, in one pass over some of its rows: they stay in the cache of the GPU.
constexpr int64_t kChainBytes = int64_t{16} << 20;

class Cuda final : public QueueKind {
public:
  const char *name() const override { return "cuda"; }
  std::span<const kernels::Entry> kernels() const override {
    static const std::vector<kernels::Entry> entries = [] {
      std::vector<kernels::Entry> all{product_entry(), sort_entry(),     scan_entry(),  convolution_entry(),
                                      fft_entry(),     cholesky_entry(), solve_entry(), generated_entry()};
      all.insert(all.end(), kernels::host_entries().begin(), kernels::host_entries().end());
      return all;
    }();
    return entries;
  }
  Result<std::byte *> allocate(int32_t unit, size_t bytes, const Allocator &) const override {
    TW_ASSIGN(const auto gpu, find_gpu(unit));
    return gpu->allocate(bytes);
  }
  void free(int32_t unit, std::byte *memory, size_t, const Allocator &) const override {
    if (const auto gpu = find_gpu(unit))
      (*gpu)->free(memory);
  }
  Result<std::vector<int32_t>> place(int64_t devices, const Wish &wish) const override {
    return cuda::place(devices, wish);
  }
  Result<int64_t> num_units() const override { return cuda::num_gpus(); }
  Result<std::unique_ptr<Queue>> make_stream(int32_t unit, void *native) const override {
    TW_ASSIGN(auto gpu, find_gpu(unit));
    return CudaQueue::make_stream(std::move(gpu), native);
  }
  Result<std::unique_ptr<Event>> wrap_event(int32_t unit, void *native) const override {
    TW_ASSIGN(auto gpu, find_gpu(unit));
    return CudaEvent::wrap(std::move(gpu), native);
  }
  Result<std::unique_ptr<Queue>> make_queue(int32_t unit) const override {
    TW_ASSIGN(auto gpu, find_gpu(unit));
    return CudaQueue::make(std::move(gpu), nullptr);
  }
  Status check_room(int32_t unit, size_t bytes) const override {
    TW_ASSIGN(const auto gpu, find_gpu(unit));
    return gpu->check_room(bytes);
  }
  size_t queue_bytes() const override { return CudaQueue::kWorkspace; }
  std::unique_ptr<Event> make_event(int32_t unit) const override {
    auto gpu = find_gpu(unit);
    return std::make_unique<CudaEvent>(gpu ? *gpu : nullptr);
  }
  std::unique_ptr<Event> make_timed_event(int32_t unit) const override {
    auto gpu = find_gpu(unit);
    return std::make_unique<CudaEvent>(gpu ? *gpu : nullptr, true);
  }
  std::unique_ptr<kernels::Kernel> adapt(const kernels::Kernel &kernel,
                                         std::vector<int64_t> bytes) const override {
    return cuda::adapt(kernel, std::move(bytes));
  }
  std::unique_ptr<kernels::Kernel> bind_fused(const kernels::FusedRequest &request) const override {
    return cuda::bind_fused(request);
  }
  int64_t chain_block_bytes() const override { return kChainBytes; }
  std::unique_ptr<kernels::Kernel> bind_chain(kernels::ChainRequest request) const override {
    return cuda::bind_chain(std::move(request));
  }
  std::unique_ptr<kernels::Kernel> bind_row_chain(const kernels::RowChainRequest &request) const override {
    return cuda::bind_row_chain(request);
  }
  std::unique_ptr<kernels::Kernel> bind_product(const kernels::Request &product,
                                                const kernels::FusedRequest &group,
                                                uint32_t made) const override {
    return cuda::bind_product(product, group, made);
  }
  std::unique_ptr<kernels::Kernel> bind_copies(std::span<const int64_t> bytes) const override {
    return cuda::bind_copies(bytes);
  }
  std::unique_ptr<kernels::Kernel> bind_accumulation(const Accumulation &wanted) const override {
    return cuda::bind_accumulation(wanted);
  }
  std::string why_on_host(std::string_view op) const override { return cuda::why_on_host(op); }
  Result<bool> make_ready(std::span<const std::unique_ptr<kernels::Kernel>> kernels,
                          std::span<const int32_t> units) const override {
    std::vector<std::shared_ptr<Gpu>> gpus;
    for (const int32_t unit : units)
      if (auto gpu = find_gpu(unit))
        gpus.push_back(std::move(*gpu));
    return compile(kernels, gpus);
  }
  std::unique_ptr<Recording> make_recording(std::span<Queue *const> queues) const override {
    return std::make_unique<CudaRecording>(queues);
  }
  Result<Crossing> cross(const CrossingWish &wish) const override { return cuda::cross(wish); }
  Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers,
                                            std::span<const int32_t> units) const override {
    return cuda::make_mover(transfers, units);
  }
  Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce,
                                            std::span<const int32_t> units) const override {
    return cuda::make_mover(reduce, units);
  }
};

} // namespace

const Kind &kind() {
  static const Cuda cuda;
  return cuda;
}

} // namespace tw::device::cuda
