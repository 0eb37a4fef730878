// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles of the table.
#pragma once

#include <memory>
#include <mutex>

#include "device/cuda/plugin/driver.hpp"

namespace tw::cuda {
class Products;
// Libraries with a handle for each GPU.
enum Part { kPartDnn, kPartSolver, kPartBlas, kNumParts };
} // namespace tw::cuda

struct tw_cuda_gpu {
  CUdevice device = 0;
  CUcontext context = nullptr;
  int32_t index = 0;
  CUmodule code = nullptr; // of the next
  CUfunction mark = nullptr;
  std::mutex mutex; // of what follows
  std::shared_ptr<tw::cuda::Products> products;
  std::shared_ptr<void> libraries[tw::cuda::kNumParts];
};
struct tw_cuda_queue {
  tw_cuda_gpu *gpu = nullptr;
  CUstream stream = nullptr;
  bool is_ours = false;
};
struct tw_cuda_event {
  tw_cuda_gpu *gpu = nullptr;
  CUevent event = nullptr;
  bool is_ours = true;
};
struct tw_cuda_code {
  tw_cuda_gpu *gpu = nullptr;
  CUmodule module = nullptr;
};
struct tw_cuda_graph {
  tw_cuda_gpu *gpu = nullptr;
  CUgraphExec graph = nullptr;
};

namespace tw::cuda {

// The context of a GPU for as long as it lives; then the thread has again what it had.
class Current {
public:
  explicit Current(const tw_cuda_gpu *gpu) : code_(driver().cuCtxPushCurrent(gpu->context)) {}
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;
  ~Current() {
    CUcontext context = nullptr;
    if (code_ == CUDA_SUCCESS)
      driver().cuCtxPopCurrent(&context);
  }
  CUresult code() const { return code_; }

private:
  CUresult code_;
};

// `call` in the context of the GPU.
template <class Call>
tw_cuda_result attempt(const tw_cuda_gpu *gpu, const char *what, char *why, Call &&call) {
  const Current current(gpu);
  return explain(current.code() != CUDA_SUCCESS ? current.code() : call(driver()), what, why);
}

// The parts of the table, by file.
void add_gpus(tw_cuda_plugin &table);
void add_queues(tw_cuda_plugin &table);
void add_code(tw_cuda_plugin &table);
void add_products(tw_cuda_plugin &table);
void find_products_version(tw_cuda_versions &out);

} // namespace tw::cuda
