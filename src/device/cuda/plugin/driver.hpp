// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA driver that the plug-in calls. They are found when it starts: a machine without a
// driver gets a clean answer.
#pragma once

#include <string>

#include <cuda.h>

#include "base/dynlib.hpp"
#include "base/status.hpp"
#include "device/cuda/plugin.hpp"

namespace tw::cuda {

#define TW_CUDA_DRIVER_FUNCTIONS(X)                                                                          \
  X(cuCtxEnablePeerAccess)                                                                                   \
  X(cuCtxPopCurrent)                                                                                         \
  X(cuCtxPushCurrent)                                                                                        \
  X(cuDeviceCanAccessPeer)                                                                                   \
  X(cuDeviceGet)                                                                                             \
  X(cuDeviceGetAttribute)                                                                                    \
  X(cuDeviceGetCount)                                                                                        \
  X(cuDeviceGetName)                                                                                         \
  X(cuDeviceGetPCIBusId)                                                                                     \
  X(cuDevicePrimaryCtxRelease)                                                                               \
  X(cuDevicePrimaryCtxRetain)                                                                                \
  X(cuDeviceTotalMem)                                                                                        \
  X(cuDriverGetVersion)                                                                                      \
  X(cuEventCreate)                                                                                           \
  X(cuEventDestroy)                                                                                          \
  X(cuEventElapsedTime)                                                                                      \
  X(cuEventQuery)                                                                                            \
  X(cuEventRecord)                                                                                           \
  X(cuGetErrorName)                                                                                          \
  X(cuGetErrorString)                                                                                        \
  X(cuGraphDestroy)                                                                                          \
  X(cuGraphExecDestroy)                                                                                      \
  X(cuGraphInstantiate)                                                                                      \
  X(cuGraphLaunch)                                                                                           \
  X(cuInit)                                                                                                  \
  X(cuLaunchHostFunc)                                                                                        \
  X(cuLaunchKernel)                                                                                          \
  X(cuMemAlloc)                                                                                              \
  X(cuMemFree)                                                                                               \
  X(cuMemFreeHost)                                                                                           \
  X(cuMemGetInfo)                                                                                            \
  X(cuMemHostAlloc)                                                                                          \
  X(cuMemcpyAsync)                                                                                           \
  X(cuMemcpyPeerAsync)                                                                                       \
  X(cuMemsetD16Async)                                                                                        \
  X(cuMemsetD32Async)                                                                                        \
  X(cuMemsetD8Async)                                                                                         \
  X(cuModuleGetFunction)                                                                                     \
  X(cuModuleLoadData)                                                                                        \
  X(cuModuleUnload)                                                                                          \
  X(cuStreamBeginCapture)                                                                                    \
  X(cuStreamCreate)                                                                                          \
  X(cuStreamDestroy)                                                                                         \
  X(cuStreamEndCapture)                                                                                      \
  X(cuStreamQuery)                                                                                           \
  X(cuStreamSynchronize)                                                                                     \
  X(cuStreamWaitEvent)

struct Driver {
#define TW_MEMBER(name) decltype(&::name) name = nullptr;
  TW_CUDA_DRIVER_FUNCTIONS(TW_MEMBER)
#undef TW_MEMBER
};

// Opened at the first call; what came of that is the answer of all later ones. TW_CUDA_DRIVER names another
// file than libcuda.so.1.
Result<const Driver *> find_driver();
const Driver &driver(); // where find_driver() has succeeded before

// Where to look for a library: the file that the environment variable names, else `name`.
std::string library_name(const char *variable, const char *name);
template <class Function>
Status find_function(const DynLib &library, const char *symbol, Function *&out_function) {
  TW_ASSIGN(out_function, library.get<Function>(symbol));
  return {};
}

// Says in `why` what the driver calls `code`, after what was attempted.
tw_cuda_result explain(CUresult code, const char *attempt, char *why);
tw_cuda_result refuse(tw_cuda_result result, const std::string &text, char *why);

} // namespace tw::cuda
