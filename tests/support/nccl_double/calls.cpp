// SPDX-License-Identifier: Apache-2.0
// The functions of NCCL that tilewright calls, over threads and host memory, and the control of the double.
// Communicators are non-blocking: what a call begins is through some time later, when somebody asks.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "support/nccl_double/clique.hpp"

#define TW_EXPORT extern "C" __attribute__((visibility("default")))

using namespace tw::nccl_double;

namespace {

thread_local std::string last_error;
// The group that this thread is in: its calls are launched together.
struct Called {
  std::shared_ptr<Rank> rank;
  void *stream;
  Operation operation;
};
thread_local int depth = 0;
thread_local int group_result = nccl::kSuccess;
thread_local std::vector<Called> group;

int wrong(Hub &hub, int result, const std::string &what) {
  hub.reports += what + "\n";
  last_error = what;
  return result;
}

// An open communicator with nothing in progress.
int find(Hub &hub, void *comm, const char *call, std::shared_ptr<Rank> &out) {
  const auto at = hub.live.find(comm);
  if (at == hub.live.end())
    return wrong(hub, nccl::kInvalidArgument, std::string(call) + " on a communicator that is none");
  out = at->second;
  hub.advance(out);
  if (out->state == nccl::kInProgress)
    return wrong(hub, nccl::kInvalidUsage, std::string(call) + " while another call is in progress");
  if (out->state != nccl::kSuccess)
    last_error = out->error;
  return out->state;
}

bool strikes(Hub &hub, int world, int64_t count, bool at_init) {
  const bool is_init = hub.fault.kind == Fault::Kind::init_error || hub.fault.kind == Fault::Kind::init_hangs;
  if (hub.fault.kind == Fault::Kind::none || is_init != at_init || hub.fault.rank != world ||
      hub.fault.at != count)
    return false;
  hub.fault_happened = true;
  return true;
}

int add(const char *name, Kind kind, const void *from, void *to, size_t count, int dtype, int op, int peer,
        void *comm, void *stream) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::shared_ptr<Rank> rank;
  int result = find(hub, comm, name, rank);
  if (result == nccl::kSuccess && (size_of(dtype) == 0 || count == 0 || peer < 0 ||
                                   peer >= std::ssize(rank->ranks->all) || stream == nullptr))
    result = wrong(hub, nccl::kInvalidArgument, std::string(name) + " with wrong arguments");
  if (result == nccl::kSuccess && has_gpus() && gpu_of(stream) != rank->gpu)
    result = wrong(hub, nccl::kInvalidUsage, std::string(name) + " in a stream of another GPU");
  if (result != nccl::kSuccess) {
    group_result = result;
    return result;
  }
  group.push_back({rank, stream, {kind, from, to, count, dtype, op, peer}});
  return nccl::kSuccess;
}

// A rank's operations of a group in one stream become one run.
int launch(Hub &hub, const std::shared_ptr<Rank> &rank, std::vector<Called> calls) {
  const int64_t number = hub.launched[rank->world]++;
  for (Called &call : calls) {
    if (call.operation.is_collective())
      call.operation.sequence = rank->next_collective++;
    auto of_stream =
        std::ranges::find(rank->launches, call.stream, [](const auto &run) { return run->stream; });
    if (of_stream == rank->launches.end()) {
      rank->launches.push_back(std::make_shared<Run>(Run{rank, call.stream, {}}));
      of_stream = rank->launches.end() - 1;
    }
    (*of_stream)->operations.push_back(call.operation);
  }
  rank->pending = Rank::Pending::launch;
  rank->state = nccl::kInProgress;
  rank->ready_at = hub.soon(200);
  if (strikes(hub, rank->world, number, false)) {
    switch (hub.fault.kind) {
    case Fault::Kind::error:
      rank->launches.clear();
      rank->pending = Rank::Pending::none;
      rank->state = hub.fault.result;
      rank->error = last_error = "an error provoked by a test";
      return hub.fault.result;
    case Fault::Kind::never_comes: rank->pending = Rank::Pending::for_ever; break;
    default:
      for (const auto &run : rank->launches)
        run->hangs = true;
      if (hub.fault.kind == Fault::Kind::async_error) {
        hub.advance(rank);
        rank->state = hub.fault.result;
        rank->error = "an error provoked by a test";
        rank->ready_at = {};
        hub.advance(rank);
      }
    }
  }
  if (hub.random() % 2 == 0) {
    rank->ready_at = {};
    hub.advance(rank); // NCCL is through at once
  }
  return rank->state;
}

// An ncclComm_t that joins `ranks`; a fault may keep it from there.
int make(Hub &hub, const std::shared_ptr<Ranks> &ranks, int self, int world, void **out) {
  auto rank = std::make_shared<Rank>();
  rank->ranks = ranks;
  rank->rank = self;
  rank->world = world;
  rank->gpu = has_gpus() ? current_gpu() : -1;
  if (has_gpus() && rank->gpu < 0)
    return wrong(hub, nccl::kInvalidUsage, "a communicator is made while no GPU is current");
  if (strikes(hub, world, hub.made[world]++, true)) {
    if (hub.fault.kind == Fault::Kind::init_error) {
      last_error = "an error provoked by a test";
      return hub.fault.result;
    }
    rank->pending = Rank::Pending::for_ever;
  } else {
    hub.join(*rank);
  }
  hub.live[rank.get()] = rank;
  *out = rank.get();
  return nccl::kInProgress;
}

} // namespace

TW_EXPORT int ncclGetVersion(int *version) {
  *version = 22809;
  return nccl::kSuccess;
}

TW_EXPORT int ncclGetUniqueId(nccl::UniqueId *id) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::memset(id->bytes, 0, sizeof id->bytes);
  std::memcpy(id->bytes, &hub.next_id, sizeof hub.next_id);
  ++hub.next_id;
  return nccl::kSuccess;
}

TW_EXPORT const char *ncclGetErrorString(int result) {
  return result == nccl::kSuccess ? "no error" : "an error of the double";
}

TW_EXPORT const char *ncclGetLastError(void *comm) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  const auto at = hub.live.find(comm);
  if (at != hub.live.end() && !at->second->error.empty())
    last_error = at->second->error;
  return last_error.c_str();
}

TW_EXPORT int ncclCommInitRankConfig(void **comm, int size, nccl::UniqueId id, int rank,
                                     nccl::Config *config) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  if (config->magic != nccl::Config().magic || config->blocking != 0 || rank < 0 || rank >= size)
    return wrong(hub, nccl::kInvalidArgument, "ncclCommInitRankConfig with wrong arguments");
  int64_t number = 0;
  std::memcpy(&number, id.bytes, sizeof number);
  auto &ranks = hub.by_id[number];
  if (ranks == nullptr) {
    ranks = std::make_shared<Ranks>();
    ranks->all.resize(static_cast<size_t>(size));
  }
  if (std::ssize(ranks->all) != size || ranks->all[static_cast<size_t>(rank)] != nullptr)
    return wrong(hub, nccl::kInvalidUsage,
                 "ncclCommInitRankConfig by two as one rank, or of different sizes");
  return make(hub, ranks, rank, rank, comm);
}

// Which ranks a colour has is known when all ranks of the parent have come; the callers' keys are the ranks.
TW_EXPORT int ncclCommSplit(void *comm, int color, int key, void **out, nccl::Config *config) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::shared_ptr<Rank> parent;
  *out = nullptr;
  if (const int result = find(hub, comm, "ncclCommSplit", parent); result != nccl::kSuccess)
    return result;
  if (config->magic != nccl::Config().magic || config->blocking != 0)
    return wrong(hub, nccl::kInvalidArgument, "ncclCommSplit with wrong arguments");
  const int64_t number = parent->next_split++;
  ++parent->ranks->split_calls[number];
  parent->pending = Rank::Pending::launch;
  parent->state = nccl::kInProgress;
  parent->ready_at = hub.soon(200);
  if (color == nccl::kSplitNoColor)
    return nccl::kInProgress;
  auto &ranks = hub.splits[{parent->ranks.get(), {number, color}}];
  if (ranks == nullptr) {
    ranks = std::make_shared<Ranks>();
    ranks->parent = parent->ranks;
    ranks->number = number;
  }
  ranks->all.resize(std::max(ranks->all.size(), static_cast<size_t>(key) + 1));
  if (ranks->all[static_cast<size_t>(key)] != nullptr)
    return wrong(hub, nccl::kInvalidUsage, "ncclCommSplit with one key twice");
  return make(hub, ranks, key, parent->world, out);
}

TW_EXPORT int ncclCommGetAsyncError(void *comm, int *state) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  const auto at = hub.live.find(comm);
  if (at == hub.live.end())
    return wrong(hub, nccl::kInvalidArgument, "ncclCommGetAsyncError on a communicator that is none");
  hub.advance(at->second);
  *state = at->second->state;
  return nccl::kSuccess;
}

TW_EXPORT int ncclCommCount(void *comm, int *count) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::shared_ptr<Rank> rank;
  const int result = find(hub, comm, "ncclCommCount", rank);
  if (result == nccl::kSuccess)
    *count = static_cast<int>(rank->ranks->all.size());
  return result;
}

TW_EXPORT int ncclCommUserRank(void *comm, int *out) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::shared_ptr<Rank> rank;
  const int result = find(hub, comm, "ncclCommUserRank", rank);
  if (result == nccl::kSuccess)
    *out = rank->rank;
  return result;
}

TW_EXPORT int ncclCommFinalize(void *comm) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::shared_ptr<Rank> rank;
  if (const int result = find(hub, comm, "ncclCommFinalize", rank); result != nccl::kSuccess)
    return result;
  ++rank->ranks->finalized;
  rank->pending = Rank::Pending::finalize;
  rank->state = nccl::kInProgress;
  rank->ready_at = hub.soon(200);
  return nccl::kInProgress;
}

TW_EXPORT int ncclCommDestroy(void *comm) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  std::shared_ptr<Rank> rank;
  if (const int result = find(hub, comm, "ncclCommDestroy", rank); result != nccl::kSuccess)
    return result;
  hub.live.erase(comm);
  return nccl::kSuccess;
}

// Returns when no stream is in an operation of it any more.
TW_EXPORT int ncclCommAbort(void *comm) {
  Hub &hub = Hub::get();
  std::unique_lock lock(hub.mutex);
  const auto at = hub.live.find(comm);
  if (at == hub.live.end())
    return wrong(hub, nccl::kInvalidArgument, "ncclCommAbort of a communicator that is none");
  const std::shared_ptr<Rank> rank = at->second;
  rank->aborted = true;
  rank->launches.clear();
  hub.live.erase(at);
  hub.changed.notify_all();
  hub.changed.wait(lock, [&] { return rank->running == 0; });
  return nccl::kSuccess;
}

TW_EXPORT int ncclGroupStart() {
  ++depth;
  return nccl::kSuccess;
}

TW_EXPORT int ncclGroupEnd() {
  if (--depth > 0)
    return nccl::kSuccess;
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  int result = std::exchange(group_result, nccl::kSuccess);
  std::vector<Called> calls = std::exchange(group, {});
  while (result <= nccl::kSuccess && !calls.empty()) {
    const auto rank = calls[0].rank;
    std::vector<Called> own;
    std::ranges::copy_if(calls, std::back_inserter(own),
                         [&](const Called &call) { return call.rank == rank; });
    std::erase_if(calls, [&](const Called &call) { return call.rank == rank; });
    result = launch(hub, rank, std::move(own));
  }
  return result;
}

namespace {

// Outside of a group every call is one.
template <class... Arguments> int call_alone_or_grouped(Arguments... arguments) {
  ncclGroupStart();
  const int added = add(arguments...);
  const int ended = ncclGroupEnd();
  return added != nccl::kSuccess ? added : ended;
}

} // namespace

TW_EXPORT int ncclSend(const void *from, size_t count, int dtype, int peer, void *comm, void *stream) {
  return call_alone_or_grouped("ncclSend", Kind::send, from, nullptr, count, dtype, 0, peer, comm, stream);
}
TW_EXPORT int ncclRecv(void *to, size_t count, int dtype, int peer, void *comm, void *stream) {
  return call_alone_or_grouped("ncclRecv", Kind::receive, nullptr, to, count, dtype, 0, peer, comm, stream);
}
TW_EXPORT int ncclAllReduce(const void *from, void *to, size_t count, int dtype, int op, void *comm,
                            void *stream) {
  return call_alone_or_grouped("ncclAllReduce", Kind::all_reduce, from, to, count, dtype, op, 0, comm,
                               stream);
}
TW_EXPORT int ncclReduceScatter(const void *from, void *to, size_t count, int dtype, int op, void *comm,
                                void *stream) {
  return call_alone_or_grouped("ncclReduceScatter", Kind::reduce_scatter, from, to, count, dtype, op, 0, comm,
                               stream);
}
TW_EXPORT int ncclAllGather(const void *from, void *to, size_t count, int dtype, void *comm, void *stream) {
  return call_alone_or_grouped("ncclAllGather", Kind::all_gather, from, to, count, dtype, 0, 0, comm, stream);
}
TW_EXPORT int ncclBroadcast(const void *from, void *to, size_t count, int dtype, int root, void *comm,
                            void *stream) {
  return call_alone_or_grouped("ncclBroadcast", Kind::broadcast, from, to, count, dtype, 0, root, comm,
                               stream);
}

namespace {

template <class Body> auto locked(Body &&body) {
  Hub &hub = Hub::get();
  const std::lock_guard lock(hub.mutex);
  return body(hub);
}

void reset(uint64_t seed) {
  locked([&](Hub &hub) {
    hub.random.seed(seed);
    hub.fault = {};
    hub.fault_happened = false;
    hub.launched.clear();
    hub.made.clear();
    hub.collectives = 0;
    hub.reports.clear();
    hub.by_id.clear();
    hub.in_streams.clear();
    hub.splits.clear();
  });
}

} // namespace

TW_EXPORT const Control nccl_double_control{
    reset,
    [](const Fault &fault) { locked([&](Hub &hub) { hub.fault = fault; }); },
    [] { return locked([](Hub &hub) { return hub.fault_happened; }); },
    [](int32_t rank) { return locked([&](Hub &hub) { return hub.launched[rank]; }); },
    [](int32_t rank) { return locked([&](Hub &hub) { return hub.made[rank]; }); },
    [] { return locked([](Hub &hub) { return std::ssize(hub.live); }); },
    [] { return locked([](Hub &hub) { return hub.collectives; }); },
    [] { return locked([](Hub &hub) { return hub.reports; }); },
};
