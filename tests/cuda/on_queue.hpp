// SPDX-License-Identifier: Apache-2.0
// A kernel of the kind `cuda` as tests of kernels want it: operands go to the GPU, it runs in a queue, and
// results come back. On the doubles of the driver and of the libraries, or on a GPU.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "device/cuda/kernel.hpp"
#include "device/kind.hpp"
#include "support/unit.hpp"

namespace tw::test {

inline bool is_double() { return std::getenv("TW_CUDA_DRIVER") != nullptr; }

// With the doubles there always is one.
inline bool has_gpu() {
  const auto gpu = device::cuda::Gpu::open(0);
  if (!gpu && !is_double()) {
    skip("no GPU: " + gpu.error().message());
    return false;
  }
  return true;
}

class OnQueue final : public kernels::Kernel {
public:
  OnQueue(std::unique_ptr<kernels::Kernel> kernel, const kernels::Request &r) : kernel_(std::move(kernel)) {
    for (const auto tiles : {r.operands, r.results})
      for (const kernels::Tile &tile : tiles)
        bytes_.push_back(static_cast<size_t>(tile.bytes()));
  }
  const char *name() const override { return kernel_->name(); }

  Status run(int64_t, std::span<const void *const> in, std::span<void *const> out, void *) const override {
    const device::QueueKind &kind = *device::cuda::kind().as_queues();
    auto queue = kind.make_queue(0);
    REQUIRE(queue);
    std::vector<device::Memory> memory;
    std::vector<const void *> operands;
    std::vector<void *> results;
    for (size_t i = 0; i < bytes_.size(); ++i) {
      auto made = device::allocate(kind, 0, std::max<size_t>(bytes_[i], 1), {});
      REQUIRE(made);
      memory.push_back(std::move(*made));
      if (i < in.size()) {
        operands.push_back(memory.back().get());
        (*queue)->copy_in(memory.back().get(), in[i], bytes_[i]);
      } else {
        results.push_back(memory.back().get());
        (*queue)->copy_in(memory.back().get(), out[i - in.size()], bytes_[i]);
      }
    }
    (*queue)->launch(*kernel_, operands, results, {});
    for (size_t i = 0; i < in.size(); ++i) { // operands stay as they were
      std::vector<std::byte> now(bytes_[i]);
      (*queue)->copy_out(now.data(), operands[i], bytes_[i]);
      wait_for(kind, **queue);
      CHECK(std::equal(now.begin(), now.end(), static_cast<const std::byte *>(in[i])));
    }
    for (size_t i = 0; i < out.size(); ++i)
      (*queue)->copy_out(out[i], results[i], bytes_[in.size() + i]);
    wait_for(kind, **queue);
    if (auto failure = (*queue)->recover())
      FAIL_CHECK(failure->error.message());
    return {};
  }

private:
  static void wait_for(const device::QueueKind &kind, device::Queue &queue) {
    const auto event = kind.make_event(0);
    queue.record(*event);
    while (!event->is_reached())
      std::this_thread::yield();
  }

  std::unique_ptr<kernels::Kernel> kernel_;
  std::vector<size_t> bytes_;
};

// What an entry of the kind binds, on a queue; null where it declines.
template <kernels::Entry (*entry)()> std::unique_ptr<kernels::Kernel> on_queue(const kernels::Request &r) {
  auto kernel = entry().bind(r);
  return kernel == nullptr ? nullptr : std::make_unique<OnQueue>(std::move(kernel), r);
}

} // namespace tw::test
