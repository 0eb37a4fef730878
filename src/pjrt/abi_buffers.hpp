// SPDX-License-Identifier: Apache-2.0
// The facts of the PJRT C API that are about buffers: arguments of their functions, continued from abi.hpp.
#pragma once

#include "pjrt/abi.hpp"

namespace tw::pjrt::abi {

// ---- buffers ----

struct Layout : Header {
  struct Tiled : Header {
    const int64_t *minor_to_major;
    size_t ndims;
    const int64_t *tile_dims;
    const size_t *tile_ndims;
    size_t num_tiles;
  };
  struct Strides : Header {
    const int64_t *bytes;
    size_t ndims;
  };
  union {
    Tiled tiled;
    Strides strides;
  };
  enum class Kind : int32_t { tiled, strides } kind;
};
struct BufferFromHost : Of<Client> {
  const void *data;
  Type type;
  const int64_t *dims;
  size_t ndims;
  const int64_t *strides; // bytes; null: dense
  size_t num_strides;
  HostSemantics semantics;
  Device *device;
  Memory *memory; // null: the device's default one
  const Layout *layout;
  Event *done;
  Buffer *buffer;
};
struct BufferView : Of<Client> {
  void *data;
  const int64_t *dims;
  size_t ndims;
  Type type;
  const Layout *layout;
  Device *device;
  void (*on_delete)(void *data, void *user);
  void *on_delete_user;
  intptr_t stream;
  Buffer *buffer;
  Memory *memory;
};
struct BufferUninitialized : Of<Client> {
  const int64_t *dims;
  size_t ndims;
  Type type;
  const Layout *layout;
  Device *device;
  Memory *memory;
  Buffer *buffer;
};
struct BufferOfError : Of<Client> {
  Code code;
  const char *message;
  size_t message_size;
  const int64_t *dims;
  size_t ndims;
  Type type;
  const Layout *layout;
  Memory *memory;
  Buffer *buffer;
};
struct BufferLayout : Of<Buffer> {
  Layout layout;
};
struct BufferToHost : Of<Buffer> {
  const Layout *layout; // null: row-major
  void *data;           // null: only the size is asked
  size_t size;
  Event *event;
};
struct BufferCopyRaw : Of<Buffer> {
  void *data;
  int64_t offset;
  int64_t size;
  Event *event;
};
struct BufferCopyToDevice : Of<Buffer> {
  Device *device;
  Buffer *copy;
};
struct BufferCopyToMemory : Of<Buffer> {
  Memory *memory;
  Buffer *copy;
};

// ---- buffers that are filled in pieces ----

struct ShapeSpec : Header {
  const int64_t *dims;
  size_t ndims;
  Type type;
};
struct TransfersCreate : Of<Client> {
  const ShapeSpec *specs;
  size_t num_specs;
  Layout **layouts;
  size_t num_layouts;
  Memory *memory;
  Transfers *transfers;
};
struct TransferData : Of<Transfers> {
  int index;
  const void *data;
  int64_t offset;
  int64_t size;
  bool is_last;
  Event *done;
};
struct TransferLiteral : Of<Transfers> {
  int index;
  const void *data;
  const int64_t *dims;
  size_t ndims;
  Type type;
  const Layout *layout;
  Event *done;
};
struct TransferBuffer : Of<Transfers> {
  int index;
  Buffer *buffer;
};
struct TransferSize : Of<Transfers> {
  int index;
  size_t size;
};
struct TransferError : Of<Transfers> {
  int index;
  Code code;
  const char *message;
  size_t message_size;
};

// Sizes as a framework states them.
static_assert(sizeof(Layout) == 80 && sizeof(BufferFromHost) == 120 && sizeof(BufferView) == 112);
static_assert(sizeof(ShapeSpec) == 40 && sizeof(TransferData) == 72 && sizeof(TransferLiteral) == 80);

} // namespace tw::pjrt::abi
