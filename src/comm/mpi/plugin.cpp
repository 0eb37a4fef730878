// SPDX-License-Identifier: Apache-2.0
// The table for one MPI library: persistent point-to-point messages, and one receive that waits for an error
// from the start.
#include "comm/mpi/plugin.hpp"

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

struct tw_mpi_group {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1, alarm_tag = 32767;
  std::vector<unsigned char> received, sent;
  MPI_Request hearing = MPI_REQUEST_NULL;
  std::vector<MPI_Request> raising; // by rank
  bool was_heard = false;
};

struct tw_mpi_batch {
  bool active = false;
  std::vector<MPI_Request> requests;
  std::vector<int64_t> peers;
  std::vector<bool> receives;
  std::vector<MPI_Datatype> types; // ours to free
  int count() const { return static_cast<int>(requests.size()); }
};

namespace {

int explain(int code, const char *what, char *why) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (code == MPI_SUCCESS)
    return 0;
  MPI_Error_string(code, text, &length);
  std::snprintf(why, TW_MPI_WHY, "%s: %.400s", what, text);
  return 1;
}

int refuse(const char *what, char *why) {
  std::snprintf(why, TW_MPI_WHY, "%s", what);
  return 1;
}

int finalized(void) {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag;
}

int start(char *why) {
  int flag = 0, provided = 0;
  MPI_Initialized(&flag);
  return flag ? 0
              : explain(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided),
                        "MPI_Init_thread", why);
}

int finish(char *why) { return finalized() ? 0 : explain(MPI_Finalize(), "MPI_Finalize", why); }

// Waits for the duplicate as long as `seconds`: a process that never comes must not hold the others.
int duplicate(MPI_Comm from, double seconds, MPI_Comm *out, char *why) {
  MPI_Request request;
  const double begin = MPI_Wtime();
  int done = 0;
  if (explain(MPI_Comm_idup(from, out, &request), "MPI_Comm_idup", why))
    return 1;
  while (!done) {
    if (explain(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Comm_idup", why))
      return 1;
    if (!done && MPI_Wtime() - begin > seconds)
      return refuse("not all processes of the MPI communicator came to make ours", why);
  }
  return explain(MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", why);
}

int open_group(const void *comm, int64_t error_bytes, double seconds, tw_mpi_group **out, char *why) {
  int flag = 0, level = MPI_THREAD_SINGLE, *tag = nullptr;
  MPI_Initialized(&flag);
  if (!flag || finalized())
    return refuse("MPI is not initialised: call MPI_Init_thread with MPI_THREAD_SERIALIZED or more first",
                  why);
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_SERIALIZED)
    return refuse(
        "MPI was initialised for one thread only: ask MPI_Init_thread for MPI_THREAD_SERIALIZED or more",
        why);
  tw_mpi_group group;
  if (duplicate(comm ? *static_cast<const MPI_Comm *>(comm) : MPI_COMM_WORLD, seconds, &group.comm, why))
    return 1;
  MPI_Comm_rank(group.comm, &group.rank);
  MPI_Comm_size(group.comm, &group.size);
  MPI_Comm_get_attr(group.comm, MPI_TAG_UB, &tag, &flag);
  if (flag)
    group.alarm_tag = *tag;
  group.received.resize(static_cast<size_t>(error_bytes));
  group.sent.resize(group.received.size());
  group.raising.resize(static_cast<size_t>(group.size), MPI_REQUEST_NULL);
  auto *made = new tw_mpi_group(std::move(group));
  *out = made;
  return explain(MPI_Irecv(made->received.data(), static_cast<int>(error_bytes), MPI_BYTE, MPI_ANY_SOURCE,
                           made->alarm_tag, made->comm, &made->hearing),
                 "MPI_Irecv", why);
}

// After a failure neither the communicator nor what may still be read or written is given back.
void close_group(tw_mpi_group *group, int orderly) {
  if (!finalized() && !group->was_heard) {
    MPI_Cancel(&group->hearing);
    MPI_Wait(&group->hearing, MPI_STATUS_IGNORE);
  }
  if (!orderly)
    return;
  if (!finalized())
    MPI_Comm_free(&group->comm);
  delete group;
}

int64_t rank_of(const tw_mpi_group *group) { return group->rank; }
int64_t size_of(const tw_mpi_group *group) { return group->size; }
int32_t highest_tag(const tw_mpi_group *group) { return group->alarm_tag - 1; }

// A committed type of the runs of a message, whose inner loops are types too.
int make_type(const tw_mpi_message &m, MPI_Datatype *out, char *why) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_Type_contiguous(static_cast<int>(m.bytes), MPI_BYTE, &type);
  for (size_t l = m.num_loops; l-- > 0 && code == MPI_SUCCESS;) {
    MPI_Datatype inner = type;
    code = MPI_Type_create_hvector(static_cast<int>(m.loops[l].n), 1, m.loops[l].stride, inner, &type);
    MPI_Type_free(&inner);
  }
  *out = type;
  return explain(code == MPI_SUCCESS ? MPI_Type_commit(out) : code, "the type of a message", why);
}

int prepare(tw_mpi_group *group, const tw_mpi_message *messages, size_t number, tw_mpi_batch **out,
            char *why) {
  auto *batch = new tw_mpi_batch;
  *out = batch;
  for (size_t i = 0; i < number; ++i) {
    const tw_mpi_message &m = messages[i];
    const int peer = static_cast<int>(m.peer);
    MPI_Datatype type = MPI_BYTE;
    if (m.num_loops > 0) {
      if (make_type(m, &type, why))
        return 1;
      batch->types.push_back(type);
    }
    const int count = m.num_loops > 0 ? 1 : static_cast<int>(m.bytes);
    MPI_Request &request = batch->requests.emplace_back(MPI_REQUEST_NULL);
    batch->peers.push_back(m.peer);
    batch->receives.push_back(!m.sends);
    if (explain(m.sends ? MPI_Send_init(m.data, count, type, peer, m.tag, group->comm, &request)
                        : MPI_Recv_init(m.data, count, type, peer, m.tag, group->comm, &request),
                "a message", why))
      return 1;
  }
  return 0;
}

int begin(tw_mpi_batch *batch, char *why) {
  if (batch->requests.empty())
    return 0;
  batch->active = true;
  return explain(MPI_Startall(batch->count(), batch->requests.data()), "MPI_Startall", why);
}

int test(tw_mpi_batch *batch, int *out_done, char *why) {
  *out_done = !batch->active;
  if (!batch->active)
    return 0;
  if (explain(MPI_Testall(batch->count(), batch->requests.data(), out_done, MPI_STATUSES_IGNORE),
              "MPI_Testall", why))
    return 1;
  batch->active = !*out_done;
  return 0;
}

int64_t missing(tw_mpi_batch *batch) {
  for (size_t i = 0; i < batch->requests.size(); ++i) {
    int done = 0;
    if (MPI_Request_get_status(batch->requests[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done)
      return batch->peers[i];
  }
  return -1;
}

// Cancelling a receive ends it, unless its message has begun to come; a send cannot be cancelled.
int give_up(tw_mpi_batch *batch) {
  int done = 0;
  if (!batch->active || finalized())
    return 0;
  for (size_t i = 0; i < batch->requests.size(); ++i) {
    MPI_Request_get_status(batch->requests[i], &done, MPI_STATUS_IGNORE);
    if (!done && batch->receives[i])
      MPI_Cancel(&batch->requests[i]);
  }
  done = 0;
  for (int i = 0; i < 100 && !done; ++i)
    if (MPI_Testall(batch->count(), batch->requests.data(), &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
      return 1;
  batch->active = !done;
  return !done;
}

void release(tw_mpi_batch *batch) {
  if (batch->active)
    return; // MPI still looks at it
  for (size_t i = 0; i < batch->requests.size() && !finalized(); ++i)
    if (batch->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&batch->requests[i]);
  for (size_t i = 0; i < batch->types.size() && !finalized(); ++i)
    MPI_Type_free(&batch->types[i]);
  delete batch;
}

// Small messages leave at once; where the way has still to be opened, some progress sees to that.
void broadcast_error(tw_mpi_group *group, const void *error) {
  const double begin_time = MPI_Wtime();
  int done = 0;
  std::memcpy(group->sent.data(), error, group->sent.size());
  for (int i = 0; i < group->size; ++i)
    if (i != group->rank)
      MPI_Isend(group->sent.data(), static_cast<int>(group->sent.size()), MPI_BYTE, i, group->alarm_tag,
                group->comm, &group->raising[static_cast<size_t>(i)]);
  while (!done && MPI_Wtime() - begin_time < 2e-3)
    if (MPI_Testall(group->size, group->raising.data(), &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
      return;
}

int poll_error(tw_mpi_group *group, void *error) {
  int done = 0;
  if (!group->was_heard && MPI_Test(&group->hearing, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done) {
    group->was_heard = true;
    std::memcpy(error, group->received.data(), group->received.size());
  }
  return done;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const tw_mpi_plugin *tw_mpi_plugin_table() {
  static const tw_mpi_plugin table = {
      TW_MPI_PLUGIN_VERSION, start,     finish, open_group, close_group, rank_of, size_of,
      highest_tag,           prepare,   begin,  test,       missing,     give_up, release,
      broadcast_error,       poll_error};
  return &table;
}
