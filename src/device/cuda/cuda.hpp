// SPDX-License-Identifier: Apache-2.0
// The way to CUDA: the plug-in, opened when somebody asks for it, and what holds its handles. The table that
// stands behind them is in plugin.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "device/cuda/gpu_memory.hpp"
#include "device/cuda/plugin.hpp"

namespace tw::device::cuda {

// The plug-in with its driver, opened at the first call that succeeds. It stays open: drivers cannot be
// unloaded.
Result<const tw_cuda_plugin *> find_plugin();

// What a call of the table answered as an error; `gpu` is the GPU's number, or less than 0.
Error problem(tw_cuda_result result, const char *why, int32_t gpu);

// A GPU of this process. All that is made on it holds it.
class Gpu {
public:
  static Result<std::shared_ptr<Gpu>> open(int32_t index);
  Gpu(const Gpu &) = delete;
  Gpu &operator=(const Gpu &) = delete;
  ~Gpu();

  const tw_cuda_plugin &table() const { return table_; }
  tw_cuda_gpu *handle() const { return handle_; }
  int32_t index() const { return index_; }
  const std::string &architecture() const { return architecture_; } // "sm_90"
  Error problem(tw_cuda_result result, const char *why) const { return cuda::problem(result, why, index_); }

  Result<std::byte *> allocate(size_t bytes) const { return memory_.allocate(*this, bytes); }
  void free(std::byte *memory) const { memory_.free(*this, memory); }
  GpuMemory &memory() const { return memory_; }
  Status check_room(size_t bytes) const { return memory_.check_room(*this, bytes); }
  // Brings bytes of the host there, and waits for that. Not for runs.
  Status upload(void *to, const void *from, size_t bytes) const;

  // Kernels claim the workspace that they want of a queue, as long as they live. A queue gets the most that
  // is claimed when it is made, which is after the kernels of its executable are bound.
  class Claim {
  public:
    Claim(const Gpu &gpu, size_t bytes);
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;
    ~Claim();

  private:
    const Gpu &gpu_;
    size_t bytes_;
  };
  Claim claim(size_t bytes) const { return {*this, bytes}; }
  size_t most_claimed() const;

private:
  Gpu(const tw_cuda_plugin &table, tw_cuda_gpu *handle, int32_t index, std::string architecture)
      : table_(table), handle_(handle), index_(index), architecture_(std::move(architecture)) {}
  const tw_cuda_plugin &table_;
  tw_cuda_gpu *handle_;
  int32_t index_;
  std::string architecture_;
  mutable std::mutex mutex_; // of the claims
  mutable std::multiset<size_t> claims_;
  mutable GpuMemory memory_;
};

Result<int32_t> num_gpus();

// A GPU now. The facts are kept for good.
struct GpuState {
  const tw_cuda_facts *facts = nullptr;
  int64_t free_bytes = 0, used_bytes = 0, limit_bytes = 0; // used: by this library in this process
};
Result<GpuState> describe(const Gpu &gpu);

// GPUs as `tw info --limits` shows them; none where there is no plug-in, no driver or no GPU.
std::vector<tw_cuda_facts> all_facts();

// ("plug-in", "found"), ("driver", "13.0"), ("cublaslt", "13.1.0"), .., or why there is none.
std::vector<std::pair<std::string, std::string>> build_info();

} // namespace tw::device::cuda
