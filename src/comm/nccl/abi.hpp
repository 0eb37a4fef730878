// SPDX-License-Identifier: Apache-2.0
// What tilewright knows of NCCL's binary interface: the functions that it calls, their numbers and structs.
// Declared here, so that the plug-in compiles where neither NCCL nor CUDA is installed; where nccl.h is found
// a test compares. Names and meanings: "NCCL API" in
// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html
#pragma once

#include <climits>
#include <cstddef>

namespace tw::comm::nccl {

// api/types.html#ncclresult-t
enum Outcome : int {
  kSuccess = 0,
  kUnhandledCudaError = 1,
  kSystemError = 2,
  kInternalError = 3,
  kInvalidArgument = 4,
  kInvalidUsage = 5,
  kRemoteError = 6,
  kInProgress = 7,
};

// api/types.html#nccldatatype-t; those of 8 bits and less are integers here.
enum DataType : int {
  kInt8 = 0,
  kUint8 = 1,
  kInt32 = 2,
  kUint32 = 3,
  kInt64 = 4,
  kUint64 = 5,
  kFloat16 = 6,
  kFloat32 = 7,
  kFloat64 = 8,
  kBfloat16 = 9,
};

// api/types.html#ncclredop-t
enum ReduceOp : int { kSum = 0, kProd = 1, kMax = 2, kMin = 3 };

constexpr size_t kIdBytes = 128; // NCCL_UNIQUE_ID_BYTES
struct UniqueId {
  char bytes[kIdBytes];
};

// The oldest version with ncclCommSplit, and NCCL_VERSION_CODE of it: 10000 * major + 100 * minor + patch.
constexpr int kLeastVersion = 21800;
constexpr int kSplitNoColor = -1; // NCCL_SPLIT_NOCOLOR

// api/types.html#ncclconfig-t, as of kLeastVersion: a library takes the shorter structs of older versions.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = kLeastVersion;
  int blocking = 0;
  int cga_cluster_size = INT_MIN; // INT_MIN: as NCCL likes it
  int min_ctas = INT_MIN;
  int max_ctas = INT_MIN;
  const char *net_name = nullptr;
  int split_share = INT_MIN;
};

using Comm = void *;   // ncclComm_t
using Stream = void *; // cudaStream_t

// TW_NCCL_FUNCTION(name without "nccl", result, arguments)
#define TW_NCCL_FUNCTIONS                                                                                    \
  TW_NCCL_FUNCTION(GetVersion, int, (int *))                                                                 \
  TW_NCCL_FUNCTION(GetUniqueId, int, (UniqueId *))                                                           \
  TW_NCCL_FUNCTION(GetErrorString, const char *, (int))                                                      \
  TW_NCCL_FUNCTION(GetLastError, const char *, (Comm))                                                       \
  TW_NCCL_FUNCTION(CommInitRankConfig, int, (Comm *, int, UniqueId, int, Config *))                          \
  TW_NCCL_FUNCTION(CommSplit, int, (Comm, int, int, Comm *, Config *))                                       \
  TW_NCCL_FUNCTION(CommFinalize, int, (Comm))                                                                \
  TW_NCCL_FUNCTION(CommDestroy, int, (Comm))                                                                 \
  TW_NCCL_FUNCTION(CommAbort, int, (Comm))                                                                   \
  TW_NCCL_FUNCTION(CommGetAsyncError, int, (Comm, int *))                                                    \
  TW_NCCL_FUNCTION(CommCount, int, (Comm, int *))                                                            \
  TW_NCCL_FUNCTION(CommUserRank, int, (Comm, int *))                                                         \
  TW_NCCL_FUNCTION(GroupStart, int, ())                                                                      \
  TW_NCCL_FUNCTION(GroupEnd, int, ())                                                                        \
  TW_NCCL_FUNCTION(Send, int, (const void *, size_t, int, int, Comm, Stream))                                \
  TW_NCCL_FUNCTION(Recv, int, (void *, size_t, int, int, Comm, Stream))                                      \
  TW_NCCL_FUNCTION(AllReduce, int, (const void *, void *, size_t, int, int, Comm, Stream))                   \
  TW_NCCL_FUNCTION(ReduceScatter, int, (const void *, void *, size_t, int, int, Comm, Stream))               \
  TW_NCCL_FUNCTION(AllGather, int, (const void *, void *, size_t, int, Comm, Stream))                        \
  TW_NCCL_FUNCTION(Broadcast, int, (const void *, void *, size_t, int, int, Comm, Stream))

// The functions of an open library.
struct Functions {
#define TW_NCCL_FUNCTION(name, result, arguments) result(*name) arguments = nullptr;
  TW_NCCL_FUNCTIONS
#undef TW_NCCL_FUNCTION
};

} // namespace tw::comm::nccl
