/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that talk in the host's own way: over its sockets, its shared memory, its cluster's network.
 * Opt-in: <tilewright/tw.h> does not include it. MPI is there already (<tilewright/tw_mpi.h>).
 *
 * The host gives functions that prepare, start and test messages, and one that tells all others that
 * something went wrong; the library does the rest: collectives, agreement, deadlines, failures. None of the
 * functions waits: the library asks again. It calls them one at a time, from any of its threads.
 * examples/06_own_transport.c runs over sockets of one machine:
 *
 *   tw_transport_t mine = {.struct_size = sizeof mine, .rank = 0, .size = 3, .highest_tag = 1 << 20,
 *                          .prepare = .., .user = my_sockets};
 *   tw_comm_create_transport(&mine, 0, &comm);     each process its own rank
 *   .. tw_executable_options_t.comm, tw_redistributor_options_t.comm ..
 */
#ifndef TW_TRANSPORT_H
#define TW_TRANSPORT_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So many runs, so many bytes from one to the next. */
typedef struct tw_message_loop {
  int64_t n, stride;
} tw_message_loop_t;

/* Bytes to a process or from one. Both sides have equally many, not always in the same runs. */
typedef struct tw_message {
  size_t struct_size; /* as the library has it: fields that it does not reach are not there */
  int32_t peer;       /* the other process */
  int32_t tag;        /* 0 to highest_tag. Messages of one tag between two processes arrive as they start */
  int32_t sends;      /* 1: from this process; 0: to it */
  void *data;         /* the first run */
  int64_t bytes;      /* of a run, at most 2^30 */
  /* The runs, outer loop to inner; num_loops 0: there is one run. */
  const tw_message_loop_t *loops;
  size_t num_loops;
} tw_message_t;

/* Callbacks that answer a status answer TW_OK, or what tw_error_set returned: that text then ends what runs,
 * on all processes. They must not throw, and must not use the comm or what runs on it. */

/* Messages that will start together, as often as they like, but not while they are under way. `messages` and
 * their loops are borrowed for the call, the memory at `data` is there as long as the batch. *out_batch is
 * the host's own. */
typedef tw_status_t (*tw_transport_prepare_fn)(const tw_message_t *const *messages, size_t num_messages,
                                               void *user, void **out_batch);
typedef tw_status_t (*tw_transport_start_fn)(void *batch, void *user);
/* *out_done: 1 once everything that was started has left or come, 0 before. */
typedef tw_status_t (*tw_transport_test_fn)(void *batch, void *user, int *out_done);
/* A process with whom a message is not through; -1: there is none. */
typedef int32_t (*tw_transport_missing_fn)(void *batch, void *user);
/* Ends what is under way after a failure. 1: the memory of its messages is not looked at any more; 0: it is,
 * and the library keeps it. */
typedef int (*tw_transport_give_up_fn)(void *batch, void *user);
/* The batch is not used again. Where give_up answered 0 messages may still be under way. */
typedef void (*tw_transport_release_fn)(void *batch, void *user);
/* Tells all others `size` bytes (at most 2,048), past what is under way between them. Nobody waits for it,
 * and it is called once at most. */
typedef void (*tw_transport_broadcast_fn)(const void *news, size_t size, void *user);
/* 1: another process has told, and `news` is what; the first that came is enough. 0: none has. */
typedef int (*tw_transport_poll_fn)(void *news, size_t size, void *user);

/* Every function is there but `destroy`. */
typedef struct tw_transport {
  size_t struct_size;
  int32_t rank, size;  /* this process, from 0 on; all of them, each of which makes a comm */
  int32_t highest_tag; /* of a message, 65,535 or more */
  tw_transport_prepare_fn prepare;
  tw_transport_start_fn start;
  tw_transport_test_fn test;
  tw_transport_missing_fn missing;
  tw_transport_give_up_fn give_up;
  tw_transport_release_fn release;
  tw_transport_broadcast_fn broadcast;
  tw_transport_poll_fn poll;
  void *user; /* given to every callback */
  /* NULL, or called with `user` when the comm and all that runs on it have been released. Not called where
   * tw_comm_create_transport fails. */
  tw_destroy_fn destroy;
} tw_transport_t;

/* `deadline`: how long a process waits for another, in seconds; 0: 30. When it is over, the wait is an error
 * on all. */
TW_API tw_status_t tw_comm_create_transport(const tw_transport_t *transport, double deadline,
                                            tw_comm_t **out_comm);

#ifdef __cplusplus
}
#endif
#endif
