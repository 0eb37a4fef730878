// SPDX-License-Identifier: Apache-2.0
// GPUs and their memory.
#include "device/cuda/plugin/gpu.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace tw::cuda {
namespace {

tw_cuda_result start(char *why) {
  const auto found = find_driver();
  return found ? TW_CUDA_OK : refuse(TW_CUDA_MISSING, found.error().message(), why);
}

void versions(tw_cuda_versions *out) {
  *out = {};
  out->toolkit = CUDA_VERSION;
  if (start(out->driver_why) == TW_CUDA_OK)
    driver().cuDriverGetVersion(&out->driver);
  find_products_version(*out);
}

tw_cuda_result count(int32_t *out_gpus, char *why) {
  *out_gpus = 0;
  return explain(driver().cuDeviceGetCount(out_gpus), "cuDeviceGetCount", why);
}

int64_t attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  return driver().cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

tw_cuda_result facts(int32_t index, tw_cuda_facts *out, char *why) {
  *out = {};
  CUdevice device = 0;
  size_t bytes = 0;
  CUresult code = driver().cuDeviceGet(&device, index);
  if (code == CUDA_SUCCESS)
    code = driver().cuDeviceGetName(out->name, TW_CUDA_NAME, device);
  if (code == CUDA_SUCCESS)
    code = driver().cuDeviceTotalMem(&bytes, device);
  if (code == CUDA_SUCCESS)
    code = driver().cuDeviceGetPCIBusId(out->bus, TW_CUDA_BUS, device);
  if (code != CUDA_SUCCESS)
    return explain(code, "asking what the GPU is", why);
  out->bytes = static_cast<int64_t>(bytes);
  out->major = static_cast<int32_t>(attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  out->minor = static_cast<int32_t>(attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  out->processors = static_cast<int32_t>(attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  // kHz, bits, and two transfers a clock.
  out->bytes_per_second = attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1000 *
                          attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8 * 2;
  return TW_CUDA_OK;
}

// One thread that writes a word of the host's memory. A fill of the driver's would do, but graphs that are
// lines of kernels alone are launched in a time that hardly grows with them.
constexpr const char *kMark = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry tw_mark(.param .u64 word, .param .u32 value)
{
  .reg .u64 %rd<3>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [word];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.u32 %r1, [value];
  st.volatile.global.u32 [%rd2], %r1;
  ret;
}
)";

tw_cuda_result open(int32_t index, tw_cuda_gpu **out, char *why) {
  auto gpu = std::make_unique<tw_cuda_gpu>();
  gpu->index = index;
  CUresult code = driver().cuDeviceGet(&gpu->device, index);
  if (code == CUDA_SUCCESS)
    code = driver().cuDevicePrimaryCtxRetain(&gpu->context, gpu->device);
  if (code != CUDA_SUCCESS)
    return explain(code, "cuDevicePrimaryCtxRetain", why);
  const auto loaded = attempt(gpu.get(), "cuModuleLoadData", why, [&](const Driver &d) {
    const CUresult made = d.cuModuleLoadData(&gpu->code, kMark);
    return made == CUDA_SUCCESS ? d.cuModuleGetFunction(&gpu->mark, gpu->code, "tw_mark") : made;
  });
  if (loaded != TW_CUDA_OK) {
    driver().cuDevicePrimaryCtxRelease(gpu->device);
    return loaded;
  }
  *out = gpu.release();
  return TW_CUDA_OK;
}

void close(tw_cuda_gpu *gpu) {
  {
    const Current current(gpu);
    gpu->products.reset();
    for (std::shared_ptr<void> &library : gpu->libraries)
      library.reset();
    driver().cuModuleUnload(gpu->code);
  }
  driver().cuDevicePrimaryCtxRelease(gpu->device);
  delete gpu;
}

void enter(tw_cuda_gpu *gpu) { driver().cuCtxPushCurrent(gpu->context); }

void leave(tw_cuda_gpu *) {
  CUcontext popped = nullptr;
  driver().cuCtxPopCurrent(&popped);
}

tw_cuda_result memory(tw_cuda_gpu *gpu, int64_t *out_free, int64_t *out_all, char *why) {
  size_t free = 0, all = 0;
  const auto result =
      attempt(gpu, "cuMemGetInfo", why, [&](const Driver &d) { return d.cuMemGetInfo(&free, &all); });
  *out_free = static_cast<int64_t>(free);
  *out_all = static_cast<int64_t>(all);
  return result;
}

tw_cuda_result allocate(tw_cuda_gpu *gpu, size_t bytes, void **out, char *why) {
  CUdeviceptr made = 0;
  const auto result =
      attempt(gpu, "cuMemAlloc", why, [&](const Driver &d) { return d.cuMemAlloc(&made, bytes); });
  *out = reinterpret_cast<void *>(made);
  return result;
}

void free(tw_cuda_gpu *gpu, void *memory) {
  const Current current(gpu);
  driver().cuMemFree(reinterpret_cast<CUdeviceptr>(memory));
}

tw_cuda_result allocate_pinned(tw_cuda_gpu *gpu, size_t bytes, void **out, char *why) {
  return attempt(gpu, "cuMemHostAlloc", why,
                 [&](const Driver &d) { return d.cuMemHostAlloc(out, bytes, CU_MEMHOSTALLOC_PORTABLE); });
}

void free_pinned(tw_cuda_gpu *gpu, void *memory) {
  const Current current(gpu);
  driver().cuMemFreeHost(memory);
}

int32_t reach(tw_cuda_gpu *gpu, tw_cuda_gpu *other) {
  int can = 0;
  if (gpu->device == other->device)
    return 1;
  if (driver().cuDeviceCanAccessPeer(&can, gpu->device, other->device) != CUDA_SUCCESS || can == 0)
    return 0;
  const Current current(gpu);
  const CUresult code = driver().cuCtxEnablePeerAccess(other->context, 0);
  return code == CUDA_SUCCESS || code == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

} // namespace

void add_gpus(tw_cuda_plugin &table) {
  table.start = start;
  table.versions = versions;
  table.count = count;
  table.facts = facts;
  table.open = open;
  table.close = close;
  table.enter = enter;
  table.leave = leave;
  table.memory = memory;
  table.allocate = allocate;
  table.free = free;
  table.allocate_pinned = allocate_pinned;
  table.free_pinned = free_pinned;
  table.reach = reach;
}

} // namespace tw::cuda
