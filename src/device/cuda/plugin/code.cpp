// SPDX-License-Identifier: Apache-2.0
// Compiled kernels, and names for profilers.
#include "device/cuda/plugin/gpu.hpp"

#include <nvtx3/nvToolsExt.h>

namespace tw::cuda {
namespace {

tw_cuda_result load(tw_cuda_gpu *gpu, const void *image, tw_cuda_code **out, char *why) {
  auto code = std::make_unique<tw_cuda_code>();
  code->gpu = gpu;
  const auto result = attempt(gpu, "cuModuleLoadData", why,
                              [&](const Driver &d) { return d.cuModuleLoadData(&code->module, image); });
  if (result == TW_CUDA_OK)
    *out = code.release();
  return result;
}

void unload(tw_cuda_code *code) {
  const Current current(code->gpu);
  driver().cuModuleUnload(code->module);
  delete code;
}

tw_cuda_result find(tw_cuda_code *code, const char *kernel, void **out_function, char *why) {
  CUfunction function = nullptr;
  const auto result = attempt(code->gpu, "cuModuleGetFunction", why, [&](const Driver &d) {
    return d.cuModuleGetFunction(&function, code->module, kernel);
  });
  *out_function = function;
  return result;
}

tw_cuda_result launch(tw_cuda_queue *queue, void *function, const tw_cuda_grid *grid, void **arguments,
                      char *why) {
  return attempt(queue->gpu, "cuLaunchKernel", why, [&](const Driver &d) {
    return d.cuLaunchKernel(static_cast<CUfunction>(function), grid->blocks[0], grid->blocks[1],
                            grid->blocks[2], grid->threads[0], grid->threads[1], grid->threads[2],
                            grid->shared_bytes, queue->stream, arguments, nullptr);
  });
}

void push_range(const char *name) { nvtxRangePushA(name); }
void pop_range() { nvtxRangePop(); }

} // namespace

void add_code(tw_cuda_plugin &table) {
  table.load = load;
  table.unload = unload;
  table.find = find;
  table.launch = launch;
  table.push_range = push_range;
  table.pop_range = pop_range;
}

} // namespace tw::cuda
