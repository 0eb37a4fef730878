// SPDX-License-Identifier: Apache-2.0
// Between the core and the plug-in for NCCL: a table of C functions, so that the core knows nothing of the
// library. Functions return 0, or else not 0 and say why in `why`: the number of NCCL's result, or -1 where
// NCCL was not asked. None waits for another process.
#pragma once

#include <cstddef>
#include <cstdint>

#define TW_NCCL_PLUGIN_VERSION 1
#define TW_NCCL_PLUGIN_SYMBOL "tw_nccl_plugin_table"
enum { TW_NCCL_WHY = 1024 };

struct tw_nccl_library;
struct tw_nccl_comm;

enum tw_nccl_kind {
  TW_NCCL_SEND = 0,
  TW_NCCL_RECEIVE,
  TW_NCCL_ALL_REDUCE,
  TW_NCCL_REDUCE_SCATTER,
  TW_NCCL_ALL_GATHER,
  TW_NCCL_BROADCAST,
};

// `count` elements of NCCL's type `dtype`: sent or received; reduced on each rank; received by each rank
// (reduce_scatter); sent by each (all_gather).
struct tw_nccl_op {
  int32_t kind;
  int32_t peer; // rank in the communicator: of send, receive; the root of broadcast
  int32_t dtype, reduction;
  const void *from;
  void *to;
  int64_t count;
};

struct tw_nccl_plugin {
  int32_t version;

  // `path`: the library's file, or its name as the loader looks for it. It stays open.
  int (*open)(const char *path, tw_nccl_library **out, int32_t *out_version, char *why);
  int (*make_id)(tw_nccl_library *library, void *id, char *why); // 128 bytes

  // Begin to make a communicator, and end when `is_ready` says so. `processes`: by rank, for messages. A
  // split is called by all ranks, and through when the parent is ready, then the new one; without processes
  // this one takes no part, and *out is NULL.
  int (*init)(tw_nccl_library *library, const void *id, const int32_t *processes, int32_t size, int32_t rank,
              tw_nccl_comm **out, char *why);
  int (*split)(tw_nccl_comm *comm, const int32_t *processes, int32_t size, int32_t rank, tw_nccl_comm **out,
               char *why);
  // Whether the last call on it is through, and no error has come up.
  int (*is_ready)(tw_nccl_comm *comm, int *out_ready, char *why);
  // Puts operations into the stream as one group, once `is_ready` says so.
  int (*launch)(tw_nccl_comm *comm, const tw_nccl_op *ops, size_t num_ops, void *stream, char *why);
  // Begins to end it in order: all ranks call. `release` is due when `is_ready` says so.
  int (*finish)(tw_nccl_comm *comm, char *why);
  void (*release)(tw_nccl_comm *comm);
  // Ends it now, with what it has under way; in place of finish and release.
  void (*abort)(tw_nccl_comm *comm);
};
