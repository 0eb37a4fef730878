// SPDX-License-Identifier: Apache-2.0
// What has no kernel for GPUs yet: a kernel of the host, on copies of its tiles.
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda/kernel.hpp"

namespace tw::device::cuda {
namespace {

constexpr size_t kScratchAlign = 64;
struct ReleaseScratch {
  void operator()(std::byte *p) const { ::operator delete (p, std::align_val_t{kScratchAlign}); }
};

// What parts share, and behind it the scratch of one.
Status run_here(const kernels::Kernel &kernel, std::span<void *const> tiles, size_t num_operands) {
  const auto shared = static_cast<size_t>(kernels::aligned(kernel.shared_bytes()));
  const std::unique_ptr<std::byte, ReleaseScratch> own(static_cast<std::byte *>(::operator new (
      shared + static_cast<size_t>(kernel.scratch_bytes()) + 1, std::align_val_t{kScratchAlign})));
  std::vector<const void *> operands(tiles.begin(),
                                     tiles.begin() + static_cast<std::ptrdiff_t>(num_operands));
  operands.push_back(own.get());
  return kernels::run_serially(kernel, operands, tiles.subspan(num_operands), own.get() + shared);
}

class HostKernel final : public GpuKernel {
public:
  HostKernel(const kernels::Kernel &kernel, std::vector<int64_t> bytes)
      : kernel_(kernel), bytes_(std::move(bytes)), name_(std::string("host:") + kernel.name()) {}
  const char *name() const override { return name_.c_str(); }
  bool split_invariant() const override { return kernel_.split_invariant(); }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override {
    std::vector<DeviceTile> read, written;
    for (size_t i = 0; i < operands.size(); ++i)
      read.push_back({const_cast<void *>(operands[i]), static_cast<size_t>(bytes_[i])});
    for (size_t i = 0; i < results.size(); ++i)
      written.push_back({results[i], static_cast<size_t>(bytes_[operands.size() + i])});
    return queue.on_host(read, written, [this, n = operands.size()](std::span<void *const> tiles) {
      return run_here(kernel_, tiles, n);
    });
  }

private:
  const kernels::Kernel &kernel_;
  std::vector<int64_t> bytes_;
  std::string name_;
};

} // namespace

std::unique_ptr<kernels::Kernel> adapt(const kernels::Kernel &kernel, std::vector<int64_t> bytes) {
  if (dynamic_cast<const GpuKernel *>(&kernel) != nullptr)
    return nullptr;
  return std::make_unique<HostKernel>(kernel, std::move(bytes));
}

} // namespace tw::device::cuda
