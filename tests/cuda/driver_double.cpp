// SPDX-License-Identifier: Apache-2.0
// A double of the CUDA driver over host memory: the functions that the plug-in calls, in a library that it
// opens in place of libcuda.so.1. Streams are threads and run their commands later. Device memory faults
// when anybody but them touches it. Calls without a current context, copies of memory that is not pinned
// and use after a lost context are errors, as strictly as the driver is, or more. Here: devices, contexts
// and memory.
#include "cuda/driver_state.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace tw::driver_double {

State &state() {
  static auto &s = *new State; // streams may outlive the end of the program
  return s;
}

thread_local std::vector<CUctx_st *> t_contexts;
thread_local bool t_in_callback = false;

namespace {

int64_t number_from(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text != nullptr ? std::atoll(text) : otherwise;
}
int gpus() { return static_cast<int>(number_from("TW_DOUBLE_GPUS", 2)); }
size_t bytes_of_gpu() { return static_cast<size_t>(number_from("TW_DOUBLE_BYTES", int64_t{256} << 20)); }

const std::pair<const uintptr_t, Allocation> *allocation_of(const void *memory) {
  auto &all = state().memory;
  const auto at = reinterpret_cast<uintptr_t>(memory);
  auto next = all.upper_bound(at);
  if (next == all.begin())
    return nullptr;
  --next;
  return at < next->first + next->second.bytes ? &*next : nullptr;
}

constexpr size_t kFilled = size_t{4} << 20; // more would be as good, and slow

CUresult allocate(size_t bytes, bool pinned, void **out) {
  State &s = state();
  if (s.allocations_left.load() > 0 && --s.allocations_left == 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUctx_st *context = t_contexts.back();
  const std::lock_guard lock(s.mutex);
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (!pinned && context->used + bytes > bytes_of_gpu())
    return CUDA_ERROR_OUT_OF_MEMORY;
  Allocation made{bytes, nullptr, context};
  const int file = memfd_create("device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *seen = mmap(nullptr, bytes, pinned ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_SHARED, file, 0);
  if (!pinned) {
    made.alias = static_cast<char *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    std::memset(made.alias, 0xa5, std::min(bytes, kFilled)); // nobody may count on zeros
    context->used += bytes;
  }
  close(file);
  s.memory.emplace(reinterpret_cast<uintptr_t>(seen), made);
  ++s.alive;
  *out = seen;
  return CUDA_SUCCESS;
}

CUresult release(const void *memory, bool pinned) {
  State &s = state();
  const std::lock_guard lock(s.mutex);
  const auto found = s.memory.find(reinterpret_cast<uintptr_t>(memory));
  if (found == s.memory.end() || (found->second.alias == nullptr) != pinned)
    return CUDA_ERROR_INVALID_VALUE;
  if (!pinned) {
    munmap(found->second.alias, found->second.bytes);
    found->second.context->used -= found->second.bytes;
  }
  munmap(reinterpret_cast<void *>(found->first), found->second.bytes);
  s.memory.erase(found);
  --s.alive;
  return CUDA_SUCCESS;
}

} // namespace

CUresult begin() {
  ++state().calls;
  if (t_in_callback)
    return CUDA_ERROR_NOT_PERMITTED;
  if (t_contexts.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  return static_cast<CUresult>(t_contexts.back()->lost.load());
}

bool is_valid(CUdeviceptr memory, size_t bytes, const CUctx_st *context) {
  const std::lock_guard lock(state().mutex);
  const auto *found = allocation_of(reinterpret_cast<const void *>(memory));
  if (found == nullptr || memory - found->first + bytes > found->second.bytes)
    return false;
  const CUctx_st *owner = found->second.context;
  return found->second.alias == nullptr || owner == context ||
         state().has_peers[context->device][owner->device];
}

// A fault that a test asked for ends the context where it is a lasting one.
bool fails_now(CUctx_st *context) {
  State &s = state();
  if (s.commands_left.load() > 0 && --s.commands_left == 0 && s.failure.load() != 0)
    context->lost = s.failure.load();
  return context->lost.load() != 0;
}

} // namespace tw::driver_double

using namespace tw::driver_double;

// What tests ask for.

void tw_double_add_kernel(const char *name, tw_double_kernel kernel, const size_t *argument_bytes,
                          size_t num_arguments) {
  const std::lock_guard lock(state().mutex);
  state().kernels[name] = std::make_unique<Kernel>(
      Kernel{name, kernel, std::vector<size_t>(argument_bytes, argument_bytes + num_arguments)});
}
void *tw_double_alias(const void *memory) {
  const std::lock_guard lock(state().mutex);
  const auto *found = allocation_of(memory);
  if (found == nullptr || found->second.alias == nullptr)
    return const_cast<void *>(memory);
  return found->second.alias + (reinterpret_cast<uintptr_t>(memory) - found->first);
}
void tw_double_enqueue(CUstream stream, void (*run)(void *), void (*release)(void *), void *user) {
  if (stream->captured.capture != nullptr)
    stream->captured.capture->is_invalid = true;
  tw_double_enqueue_again(stream, run, release, user);
}
void tw_double_enqueue_again(CUstream stream, void (*run)(void *), void (*release)(void *), void *user) {
  enqueue(stream, [run, own = std::shared_ptr<void>(user, release)] { run(own.get()); });
}
int tw_double_current_gpu() { return t_contexts.empty() ? -1 : t_contexts.back()->device; }
int tw_double_gpu_of(CUstream stream) { return stream->context->device; }
void tw_double_fail_command(int64_t n, int code) {
  state().failure = code;
  state().commands_left = n;
}
void tw_double_fail_allocation(int64_t n) { state().allocations_left = n; }
void tw_double_delays(uint64_t seed) { state().seed = seed; }
int64_t tw_double_alive() { return state().alive; }
int64_t tw_double_calls() { return state().calls; }
int64_t tw_double_graph_launches() { return state().graph_launches; }

// The driver: devices and contexts.

CUresult cuInit(unsigned flags) {
  if (number_from("TW_DOUBLE_GPUS", 2) == 0)
    return CUDA_ERROR_NO_DEVICE;
  return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuDriverGetVersion(int *version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
  *count = gpus();
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal >= 0 && ordinal < gpus() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  std::snprintf(name, static_cast<size_t>(length), "a double of a GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char *bus, int length, CUdevice device) {
  std::snprintf(bus, static_cast<size_t>(length), "0000:%02x:00.0", device + 1);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
           : which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 4
           : which == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE        ? 1000000
           : which == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH  ? 64
                                                                   : 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice) {
  *bytes = bytes_of_gpu();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUctx_st &found = state().contexts[device];
  found.device = device;
  ++found.retained;
  ++state().alive;
  *context = &found;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  if (state().contexts[device].retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  --state().contexts[device].retained;
  --state().alive;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
  if (context == nullptr || context->retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  t_contexts.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext *context) {
  if (t_contexts.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  *context = t_contexts.back();
  t_contexts.pop_back();
  return CUDA_SUCCESS;
}
CUresult cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice) {
  *can = std::getenv("TW_DOUBLE_NO_PEERS") == nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxEnablePeerAccess(CUcontext other, unsigned flags) {
  if (const CUresult code = begin_unsafe(); code != CUDA_SUCCESS)
    return code;
  bool &has = state().has_peers[t_contexts.back()->device][other->device];
  if (flags != 0 || has)
    return flags != 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  has = true;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult code, const char **name) {
  *name = code == CUDA_ERROR_ILLEGAL_ADDRESS   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == CUDA_ERROR_OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == CUDA_ERROR_NO_DEVICE       ? "CUDA_ERROR_NO_DEVICE"
          : code == CUDA_ERROR_INVALID_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT"
          : code == CUDA_ERROR_NOT_FOUND       ? "CUDA_ERROR_NOT_FOUND"
                                               : "CUDA_ERROR_INVALID_VALUE";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult code, const char **text) {
  *text = code == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
          : code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory"
          : code == CUDA_ERROR_NO_DEVICE     ? "no CUDA-capable device is detected"
                                             : "an error of the double";
  return CUDA_SUCCESS;
}

// Memory.

CUresult cuMemGetInfo(size_t *free, size_t *all) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  const std::lock_guard lock(state().mutex);
  *all = bytes_of_gpu();
  *free = *all - t_contexts.back()->used;
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes) {
  const CUresult code = begin_unsafe();
  return code != CUDA_SUCCESS ? code : allocate(bytes, false, reinterpret_cast<void **>(memory));
}
CUresult cuMemFree(CUdeviceptr memory) {
  const CUresult code = begin_unsafe();
  return code != CUDA_SUCCESS ? code : release(reinterpret_cast<void *>(memory), false);
}
CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  const CUresult code = begin_unsafe();
  return code != CUDA_SUCCESS ? code : allocate(bytes, true, memory);
}
CUresult cuMemFreeHost(void *memory) {
  const CUresult code = begin_unsafe();
  return code != CUDA_SUCCESS ? code : release(memory, true);
}
