// SPDX-License-Identifier: Apache-2.0
// Between the core and the plug-in of one MPI library: a table of C functions, so that the core neither links
// MPI nor knows how it spells its handles. Functions return 0, or else not 0 and say why in `why`. None waits
// for another process, except `open`, which has a time limit.
#pragma once

#include <cstddef>
#include <cstdint>

#define TW_MPI_PLUGIN_VERSION 2
#define TW_MPI_PLUGIN_SYMBOL "tw_mpi_plugin_table"
enum { TW_MPI_WHY = 512 };

struct tw_mpi_group; // processes that talk to each other
struct tw_mpi_batch; // messages that start together

struct tw_mpi_loop {
  int64_t n, stride; // bytes
};

// Runs of bytes, at most INT_MAX each, in loops, outer to inner.
struct tw_mpi_message {
  int64_t peer;
  int32_t tag;
  int32_t sends;
  void *data;
  int64_t bytes;
  const tw_mpi_loop *loops;
  size_t num_loops;
};

struct tw_mpi_plugin {
  int32_t version;
  // The program's own business, for programs that leave it to us: MPI_Init_thread and MPI_Finalize.
  int (*start)(char *why);
  int (*finish)(char *why);

  // `comm` points at an MPI_Comm, of which a duplicate is made; NULL: MPI_COMM_WORLD. Alarms are
  // `error_bytes` long.
  int (*open)(const void *comm, int64_t error_bytes, double seconds, tw_mpi_group **out, char *why);
  void (*close)(tw_mpi_group *group, int orderly); // not orderly: some messages may be under way for ever
  int64_t (*rank)(const tw_mpi_group *group);
  int64_t (*size)(const tw_mpi_group *group);
  int32_t (*highest_tag)(const tw_mpi_group *group);

  int (*prepare)(tw_mpi_group *group, const tw_mpi_message *messages, size_t number, tw_mpi_batch **out,
                 char *why);
  int (*begin)(tw_mpi_batch *batch, char *why);
  int (*test)(tw_mpi_batch *batch, int *out_done, char *why);
  int64_t (*missing)(tw_mpi_batch *batch); // a peer with whom a message is under way, or -1
  int (*give_up)(tw_mpi_batch *batch);     // 0: nothing reads or writes its memory any more
  void (*release)(tw_mpi_batch *batch);

  void (*broadcast)(tw_mpi_group *group, const void *error); // to all others
  int (*poll_error)(tw_mpi_group *group, void *error);       // 1: `error` is what another one sent
};
