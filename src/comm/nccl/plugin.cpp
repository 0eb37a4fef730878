// SPDX-License-Identifier: Apache-2.0
// The table over NCCL: opens the library, groups operations, and says of every result which call it was, on
// which rank, and what to do.
#include "comm/nccl/plugin.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "comm/nccl/abi.hpp"

namespace nccl = tw::comm::nccl;

struct tw_nccl_library {
  nccl::Functions call;
};

struct tw_nccl_comm {
  const nccl::Functions &call;
  nccl::Comm handle;
  std::vector<int32_t> processes; // by rank
  int rank;
  bool is_checked = false;                     // its size and rank are what was asked for
  const char *last = "ncclCommInitRankConfig"; // the call that may be in progress
};

namespace {

constexpr int kOurs = -1;

const char *name_of(int result) {
  switch (result) {
  case nccl::kUnhandledCudaError: return "ncclUnhandledCudaError";
  case nccl::kSystemError: return "ncclSystemError";
  case nccl::kInternalError: return "ncclInternalError";
  case nccl::kInvalidArgument: return "ncclInvalidArgument";
  case nccl::kInvalidUsage: return "ncclInvalidUsage";
  case nccl::kRemoteError: return "ncclRemoteError";
  default: return "a result that this version does not know";
  }
}

const char *remedy_of(int result) {
  switch (result) {
  case nccl::kUnhandledCudaError:
    return "Check that the driver runs (nvidia-smi) and that nothing failed on this GPU before; "
           "NCCL_DEBUG=INFO prints more";
  case nccl::kSystemError:
    return "Check the network between the processes and the size of /dev/shm; NCCL_DEBUG=INFO prints more";
  case nccl::kInvalidArgument:
  case nccl::kInvalidUsage:
    return "Check that all processes run the same, each on a GPU of its own; NCCL_DEBUG=WARN prints more";
  case nccl::kRemoteError:
    return "Look at the messages of the other processes: one of them ended or lost its network";
  default: return "Run again with NCCL_DEBUG=INFO, and report what it prints";
  }
}

// True: it worked, or goes on.
bool is_good(int result) { return result == nccl::kSuccess || result == nccl::kInProgress; }

int explain(const nccl::Functions &call, nccl::Comm comm, int result, const std::string &what, char *why) {
  if (is_good(result))
    return 0;
  const char *text = call.GetErrorString(result), *last = call.GetLastError(comm);
  const bool has_last = last != nullptr && *last != 0;
  std::snprintf(why, TW_NCCL_WHY, "%.300s: %.200s (%s)%s%.300s. %s", what.c_str(),
                text != nullptr ? text : "?", name_of(result), has_last ? ": " : "", has_last ? last : "",
                remedy_of(result));
  return result;
}

std::string place_of(const tw_nccl_comm *comm, const char *call) {
  return std::string(call) + " in process " +
         std::to_string(comm->processes[static_cast<size_t>(comm->rank)]) + " (rank " +
         std::to_string(comm->rank) + " of " + std::to_string(comm->processes.size()) + ")";
}

int explain(const tw_nccl_comm *comm, int result, const char *call, char *why) {
  return explain(comm->call, comm->handle, result, place_of(comm, call), why);
}

int refuse(const std::string &what, char *why) {
  std::snprintf(why, TW_NCCL_WHY, "%.900s", what.c_str());
  return kOurs;
}

int open_library(const char *path, tw_nccl_library **out, int32_t *out_version, char *why) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char *text = dlerror();
    return refuse(std::string("cannot open ") + path + ": " + (text != nullptr ? text : "no reason given") +
                      ". Install NCCL (Python: nvidia-nccl-cu12), or name its file in TW_NCCL",
                  why);
  }
  auto *library = new tw_nccl_library;
  const char *missing = nullptr;
  nccl::Functions &call = library->call;
#define TW_NCCL_FUNCTION(name, result, arguments)                                                            \
  call.name = reinterpret_cast<decltype(call.name)>(dlsym(handle, "nccl" #name));                            \
  missing = call.name == nullptr ? "nccl" #name : missing;
  TW_NCCL_FUNCTIONS
#undef TW_NCCL_FUNCTION
  int version = 0;
  if (missing == nullptr)
    call.GetVersion(&version);
  if (missing != nullptr || version < nccl::kLeastVersion) {
    delete library;
    dlclose(handle);
    return refuse(missing != nullptr
                      ? std::string(path) + " has no " + missing + ": it is not NCCL 2.18 or newer"
                      : std::string(path) + " is NCCL " + std::to_string(version) +
                            ", and 2.18 (21800) or newer is needed",
                  why);
  }
  *out = library;
  *out_version = version;
  return 0;
}

int make_id(tw_nccl_library *library, void *id, char *why) {
  nccl::UniqueId made;
  const int failed =
      explain(library->call, nullptr, library->call.GetUniqueId(&made), "ncclGetUniqueId", why);
  if (failed == 0)
    std::memcpy(id, made.bytes, sizeof made.bytes);
  return failed;
}

int init(tw_nccl_library *library, const void *id, const int32_t *processes, int32_t size, int32_t rank,
         tw_nccl_comm **out, char *why) {
  nccl::UniqueId given;
  std::memcpy(given.bytes, id, sizeof given.bytes);
  nccl::Config config;
  auto *comm = new tw_nccl_comm{library->call, nullptr, {processes, processes + size}, rank};
  const int result = library->call.CommInitRankConfig(&comm->handle, size, given, rank, &config);
  const int failed = explain(comm, result, comm->last, why);
  if (failed != 0) {
    if (comm->handle != nullptr)
      library->call.CommAbort(comm->handle);
    delete comm;
    return failed;
  }
  *out = comm;
  return 0;
}

int split(tw_nccl_comm *parent, const int32_t *processes, int32_t size, int32_t rank, tw_nccl_comm **out,
          char *why) {
  nccl::Config config;
  parent->last = "ncclCommSplit";
  *out = nullptr;
  if (size == 0) {
    static nccl::Comm none = nullptr; // NCCL may write there later
    const int result = parent->call.CommSplit(parent->handle, nccl::kSplitNoColor, 0, &none, &config);
    return explain(parent, result, parent->last, why);
  }
  auto *comm = new tw_nccl_comm{parent->call, nullptr, {processes, processes + size}, rank};
  comm->last = parent->last;
  // The smallest process of each is its colour.
  const int result = parent->call.CommSplit(parent->handle, processes[0], rank, &comm->handle, &config);
  const int failed = explain(parent, result, parent->last, why);
  if (failed != 0) {
    delete comm;
    return failed;
  }
  *out = comm;
  return 0;
}

int is_ready(tw_nccl_comm *comm, int *out_ready, char *why) {
  int state = nccl::kSuccess;
  *out_ready = 0;
  if (comm->handle == nullptr) // a split that its parent still makes
    return 0;
  const int asked = comm->call.CommGetAsyncError(comm->handle, &state);
  if (const int failed = explain(comm, asked, "ncclCommGetAsyncError", why))
    return failed;
  if (const int failed = explain(comm, state, comm->last, why))
    return failed;
  *out_ready = state == nccl::kSuccess;
  if (!*out_ready || comm->is_checked)
    return 0;
  int size = 0, rank = -1;
  if (const int failed = explain(comm, comm->call.CommCount(comm->handle, &size), "ncclCommCount", why))
    return failed;
  if (const int failed = explain(comm, comm->call.CommUserRank(comm->handle, &rank), "ncclCommUserRank", why))
    return failed;
  comm->is_checked = true;
  if (size != static_cast<int>(comm->processes.size()) || rank != comm->rank)
    return refuse(place_of(comm, comm->last) + " made rank " + std::to_string(rank) + " of " +
                      std::to_string(size),
                  why);
  return 0;
}

int put(tw_nccl_comm *comm, const tw_nccl_op &op, void *stream, char *why) {
  const nccl::Functions &call = comm->call;
  const auto count = static_cast<size_t>(op.count);
  const auto of_peer = [&](const char *name, const char *which) {
    return place_of(comm, name) + which + std::to_string(comm->processes[static_cast<size_t>(op.peer)]);
  };
  const auto say = [&](int result, const std::string &what) {
    return explain(call, comm->handle, result, what, why);
  };
  switch (op.kind) {
  case TW_NCCL_SEND:
    return say(call.Send(op.from, count, op.dtype, op.peer, comm->handle, stream),
               of_peer("ncclSend", " to process "));
  case TW_NCCL_RECEIVE:
    return say(call.Recv(op.to, count, op.dtype, op.peer, comm->handle, stream),
               of_peer("ncclRecv", " from process "));
  case TW_NCCL_ALL_REDUCE:
    return say(call.AllReduce(op.from, op.to, count, op.dtype, op.reduction, comm->handle, stream),
               place_of(comm, "ncclAllReduce"));
  case TW_NCCL_REDUCE_SCATTER:
    return say(call.ReduceScatter(op.from, op.to, count, op.dtype, op.reduction, comm->handle, stream),
               place_of(comm, "ncclReduceScatter"));
  case TW_NCCL_ALL_GATHER:
    return say(call.AllGather(op.from, op.to, count, op.dtype, comm->handle, stream),
               place_of(comm, "ncclAllGather"));
  case TW_NCCL_BROADCAST:
    return say(call.Broadcast(op.from, op.to, count, op.dtype, op.peer, comm->handle, stream),
               of_peer("ncclBroadcast", " from process "));
  default: return refuse("the core asks for an operation that this plug-in does not know", why);
  }
}

// The group is ended even where one of its calls failed: NCCL counts the starts.
int launch(tw_nccl_comm *comm, const tw_nccl_op *ops, size_t num_ops, void *stream, char *why) {
  if (const int failed = explain(comm, comm->call.GroupStart(), "ncclGroupStart", why))
    return failed;
  int failed = 0;
  for (size_t i = 0; i < num_ops && failed == 0; ++i)
    failed = put(comm, ops[i], stream, why);
  comm->last = "ncclGroupEnd";
  const int ended = comm->call.GroupEnd();
  return failed != 0 ? failed : explain(comm, ended, "ncclGroupEnd", why);
}

int finish(tw_nccl_comm *comm, char *why) {
  comm->last = "ncclCommFinalize";
  return explain(comm, comm->call.CommFinalize(comm->handle), comm->last, why);
}

void release(tw_nccl_comm *comm) {
  comm->call.CommDestroy(comm->handle);
  delete comm;
}

void abort_comm(tw_nccl_comm *comm) {
  if (comm->handle == nullptr)
    return; // of a split that was not through: NCCL may still write it
  comm->call.CommAbort(comm->handle);
  delete comm;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const tw_nccl_plugin *tw_nccl_plugin_table() {
  static const tw_nccl_plugin table = {TW_NCCL_PLUGIN_VERSION,
                                       open_library,
                                       make_id,
                                       init,
                                       split,
                                       is_ready,
                                       launch,
                                       finish,
                                       release,
                                       abort_comm};
  return &table;
}
