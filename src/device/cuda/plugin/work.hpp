// SPDX-License-Identifier: Apache-2.0
// What libraries other than cuBLASLt do, behind one handle: planned once, then put into queues.
#pragma once

#include <memory>
#include <string>

#include "base/dynlib.hpp"
#include "base/status.hpp"
#include "device/cuda/cub/cub.hpp"
#include "device/cuda/plugin/gpu.hpp"

namespace tw::cuda {

inline size_t bytes_of(tw_cuda_type type) {
  switch (type) {
  case TW_CUDA_C128: return 16;
  case TW_CUDA_F64:
  case TW_CUDA_C64: return 8;
  case TW_CUDA_F32:
  case TW_CUDA_S32: return 4;
  case TW_CUDA_F16:
  case TW_CUDA_BF16: return 2;
  default: return 1;
  }
}

// One time that work is put into a queue.
struct Call {
  tw_cuda_queue *queue;
  const void *const *operands;
  void *const *results;
  void *workspace;
  size_t bytes; // of the workspace
};

// Bytes of memory, one piece after the other, each aligned for any library.
class Bytes {
public:
  explicit Bytes(void *memory) : memory_(static_cast<std::byte *>(memory)) {}
  std::byte *take(size_t n) {
    std::byte *const at = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (n + 255) / 256 * 256;
    return at;
  }
  size_t used() const { return used_; }

private:
  std::byte *memory_;
  size_t used_ = 0;
};

} // namespace tw::cuda

struct tw_cuda_work {
  explicit tw_cuda_work(tw_cuda_gpu *gpu) : gpu(gpu) {}
  tw_cuda_work(const tw_cuda_work &) = delete;
  tw_cuda_work &operator=(const tw_cuda_work &) = delete;
  virtual ~tw_cuda_work() = default;
  // In the context of the GPU. Neither waits nor allocates, so it may be captured.
  virtual tw_cuda_result run(const tw::cuda::Call &call, char *why) const = 0;

  tw_cuda_gpu *gpu;
  std::string name;
  size_t workspace = 0;
};

namespace tw::cuda {

// Runs `plan` in the context of the GPU, and gives away what it made.
template <class Plan> tw_cuda_result make_work(tw_cuda_gpu *gpu, tw_cuda_work **out, char *why, Plan &&plan) {
  const Current current(gpu);
  if (current.code() != CUDA_SUCCESS)
    return explain(current.code(), "cuCtxPushCurrent", why);
  std::unique_ptr<tw_cuda_work> made;
  const tw_cuda_result result = plan(made);
  if (result == TW_CUDA_OK)
    *out = made.release();
  return result;
}

// The functions of a library, opened at the first call; `functions` has a Status fill(const DynLib &).
template <class Functions>
Result<const Functions *> open_once(const char *variable, const std::string &file) {
  static Functions functions;
  // Never closed, as the plug-in never is. A static pointer that nobody reads would be optimised away, and
  // the library be a leak.
  static const Result<DynLib *> opened = [&]() -> Result<DynLib *> {
    TW_ASSIGN(DynLib library, DynLib::open(library_name(variable, file.c_str())));
    auto kept = std::make_unique<DynLib>(std::move(library));
    TW_TRY(functions.fill(*kept));
    return kept.release();
  }();
  if (!opened)
    return fail(Code::unavailable, "TW-680", opened.error().message());
  return &functions;
}

// The handle of a library for one GPU, made when it is first asked for: one library after the other, since
// two that load at once can wait for each other.
template <class Handle, class Make>
tw_cuda_result handle_of(tw_cuda_gpu *gpu, Part part, std::shared_ptr<Handle> *out, Make &&make) {
  const std::lock_guard lock(gpu->mutex);
  std::shared_ptr<void> &kept = gpu->libraries[part];
  if (kept == nullptr) {
    auto made = std::make_shared<Handle>();
    if (const tw_cuda_result result = make(*made); result != TW_CUDA_OK)
      return result;
    kept = std::move(made);
  }
  *out = std::static_pointer_cast<Handle>(kept);
  return TW_CUDA_OK;
}

// Says the version of a library, or why there is none.
void describe_library(tw_cuda_library &out, const char *name, const Status &found,
                      const std::string &version);

// The library that nvcc compiled, opened at the first call.
const Result<const tw_cub_functions *> &find_cub();
tw_cuda_result explain_cub(int32_t code, const char *attempt, char *why); // where it was found

// What the parts add to the table, each where its header was there.
void add_sorts(tw_cuda_plugin &table);
void describe_sorts(tw_cuda_library &out);
void add_convolutions(tw_cuda_plugin &table);
void describe_convolutions(tw_cuda_library &out);
void add_transforms(tw_cuda_plugin &table);
void describe_transforms(tw_cuda_library &out);
void add_factorizations(tw_cuda_plugin &table);
void describe_factorizations(tw_cuda_library &out);
void add_solves(tw_cuda_plugin &table);
void describe_solves(tw_cuda_library &out);

void add_work(tw_cuda_plugin &table);

} // namespace tw::cuda
