// SPDX-License-Identifier: Apache-2.0
// The facts of XLA's interface for foreign functions, version 0.3 (xla/ffi/api/c_api.h), and of the PJRT
// extension that registers them, version 3: how what handlers get and ask lies in memory.
#pragma once

#include "pjrt/abi.hpp"

namespace tw::pjrt {

struct FfiError;
struct FfiFuture;

namespace abi {

constexpr int kFfiMajor = 0, kFfiMinor = 3;

// ---- arrays, attributes ----

// The numbers of XLA's element types.
enum class FfiType : int32_t {
  invalid = 0,
  pred = 1,
  s8 = 2,
  s16 = 3,
  s32 = 4,
  s64 = 5,
  u8 = 6,
  u16 = 7,
  u32 = 8,
  u64 = 9,
  f16 = 10,
  f32 = 11,
  f64 = 12,
  c64 = 15,
  bf16 = 16,
  token = 17,
  c128 = 18,
  f8e5m2 = 19,
  f8e4m3fn = 20,
  s4 = 21,
  u4 = 22,
  f8e4m3b11fnuz = 23,
  f8e5m2fnuz = 24,
  f8e4m3fnuz = 25,
  s2 = 26,
  u2 = 27,
  f8e4m3 = 28,
  f8e3m4 = 29,
  f4e2m1fn = 32,
  f8e8m0fnu = 33,
};

struct FfiBuffer : Header {
  FfiType type;
  void *data;
  int64_t rank;
  const int64_t *dims;
};
constexpr int32_t kFfiBuffer = 1; // of operands and results: the one kind there is

enum class FfiAttr : int32_t { array = 1, dictionary = 2, scalar = 3, string = 4 };
struct FfiSpan {
  const char *text;
  size_t size;
};
struct FfiScalar {
  FfiType type;
  const void *value;
};
struct FfiArray {
  FfiType type;
  size_t size;
  const void *elements;
};

// ---- one call ----

struct FfiBuffers : Header {
  int64_t size;
  const int32_t *kinds;
  void *const *buffers; // FfiBuffer
};
struct FfiAttrs : Header { // in the order of names
  int64_t size;
  const FfiAttr *kinds;
  const FfiSpan *const *names;
  void *const *values; // FfiArray, FfiAttrs, FfiScalar, FfiSpan
};
constexpr int32_t kFfiExecute = 3; // the stage in which a call is made
struct FfiApi;
struct FfiCall : Header { // its size is told without what a handler writes
  static constexpr size_t kSize = 168;
  const FfiApi *api;
  void *context;
  int32_t stage;
  FfiBuffers operands, results;
  FfiAttrs attributes;
  FfiFuture *future; // written by a handler that ends later
};
using FfiHandler = FfiError *(*)(FfiCall *);

// With this extension a handler says what it is made for, and computes nothing.
struct FfiVersion : Header {
  int major, minor;
};
struct FfiMetadata { // its size is told without the type, which came later
  static constexpr size_t kSize = 36;
  size_t struct_size;
  FfiVersion version;
  uint32_t traits;
  int64_t state_type;
};
static_assert(sizeof(FfiCall) == FfiCall::kSize + sizeof(void *) && sizeof(FfiMetadata) == 48);
struct FfiMetadataExtension {
  Extension base;
  FfiMetadata *metadata;
};
constexpr int32_t kFfiMetadataExtension = 1;

// ---- what handlers call ----

struct FfiErrorCreate : Header {
  const char *message;
  Code code;
};
struct FfiErrorMessage : Header {
  FfiError *error;
  const char *message;
};
struct FfiErrorDestroy : Header {
  FfiError *error;
};
struct FfiFutureCreate : Header {
  FfiFuture *future;
};
struct FfiFutureSet : Header {
  FfiFuture *future;
};
struct FfiFutureSetError : FfiFutureSet {
  FfiError *error;
};
struct FfiMemoryAllocate : Header {
  void *context;
  size_t size, alignment;
  void *data;
};
struct FfiMemoryFree : Header {
  void *context;
  size_t size;
  void *data;
};
struct FfiTask : Header {
  void *context;
  void (*task)(void *data);
  void *data;
};
struct FfiNumThreads : Header {
  void *context;
  int64_t *num_threads;
};

struct FfiApi : Header {
  FfiVersion version;
  const void *internal;
  FfiError *(*error_create)(FfiErrorCreate *);
  void (*error_message)(FfiErrorMessage *);
  void (*error_destroy)(FfiErrorDestroy *);
  FfiError *(*handler_register)(Header *);
  FfiError *(*stream_get)(Header *);
  FfiError *(*type_register)(Header *);
  FfiError *(*context_get)(Header *);
  FfiError *(*state_set)(Header *);
  FfiError *(*state_get)(Header *);
  FfiError *(*memory_allocate)(FfiMemoryAllocate *);
  FfiError *(*memory_free)(FfiMemoryFree *);
  FfiError *(*schedule)(FfiTask *);
  FfiError *(*num_threads)(FfiNumThreads *);
  FfiError *(*future_create)(FfiFutureCreate *);
  FfiError *(*future_set)(FfiFutureSet *);
  FfiError *(*future_set_error)(FfiFutureSetError *);
  FfiError *(*run_id)(Header *);
  FfiError *(*device_ordinal)(Header *);
};

// ---- the extension of the plug-in's table ----

struct FfiTypeRegister : Header {
  const char *name;
  size_t name_size;
  int64_t type; // 0: the plug-in gives it one
  const void *info;
};
struct FfiUserData : Header {
  ExecuteContext *context;
  int64_t type;
  void *data;
};
struct FfiRegister {
  size_t struct_size;
  const char *target;
  size_t target_size;
  FfiHandler handler;
  const char *platform;
  size_t platform_size;
  int32_t traits;
};
struct FfiTable {
  Extension base;
  Error *(*type_register)(FfiTypeRegister *);
  Error *(*user_data_add)(FfiUserData *);
  Error *(*handler_register)(FfiRegister *);
};

} // namespace abi
} // namespace tw::pjrt
