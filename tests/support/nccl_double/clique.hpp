// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process, and what they have under way: groups of operations, which streams
// run one after the other. Operations between two ranks match in their order; a rank's k-th collective must
// be everybody's k-th. What the callers do wrong is reported: ranks whose calls do not match, and groups that
// wait for each other in a circle.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "comm/nccl/abi.hpp"
#include "support/nccl_double/control.hpp"

namespace tw::nccl_double {

namespace nccl = comm::nccl;
using Clock = std::chrono::steady_clock;

struct Rank;
struct Run;

enum class Kind : uint8_t { send, receive, all_reduce, reduce_scatter, all_gather, broadcast };
struct Operation {
  Kind kind;
  const void *from;
  void *to;
  size_t count;
  int dtype, op, peer;   // peer: or root
  int64_t sequence = -1; // of collectives
  bool done = false;
  bool is_collective() const { return kind != Kind::send && kind != Kind::receive; }
  std::string text(int rank) const;
};

// Ranks that have one communicator together.
struct Ranks {
  std::vector<Rank *> all; // null: has not come, or has gone
  int joined = 0, finalized = 0;
  std::shared_ptr<Ranks> parent; // from which it was split, and by which split
  int64_t number = 0;
  std::map<int64_t, int> split_calls; // of its own splits
  struct Posted {
    Run *run;
    Operation *operation;
  };
  std::map<std::pair<int, int>, std::deque<Posted>> sends, receives; // from, to
  std::map<int64_t, std::vector<Posted>> collectives;                // by sequence
};

// What an ncclComm_t points at.
struct Rank {
  std::shared_ptr<Ranks> ranks;
  int rank = 0, world = 0; // there, and in the first communicator
  int gpu = -1;            // whose context was current when it was made, on the double of the driver
  int state = nccl::kInProgress;
  std::string error;
  Clock::time_point ready_at{}; // of what is in progress
  enum class Pending : uint8_t { none, join, launch, finalize, for_ever } pending = Pending::none;
  std::vector<std::shared_ptr<Run>> launches;
  int64_t next_collective = 0, next_split = 0;
  bool aborted = false, ended = false;
  int running = 0; // runs that a stream is in
};

// A group in a stream.
struct Run {
  std::shared_ptr<Rank> rank;
  void *stream;
  std::vector<Operation> operations;
  bool hangs = false, wrong = false, begun = false;
  void execute();
};

// Everything, under one lock.
struct Hub {
  std::mutex mutex;
  std::condition_variable changed;
  std::mt19937_64 random{1};
  Fault fault;
  bool fault_happened = false;
  std::map<int, int64_t> launched, made; // by world rank
  int64_t collectives = 0, next_id = 1;
  std::string reports;
  std::map<int64_t, std::shared_ptr<Ranks>> by_id;
  std::map<std::pair<Ranks *, std::pair<int64_t, int>>, std::shared_ptr<Ranks>>
      splits; // by parent, number and colour
  std::map<void *, std::shared_ptr<Rank>> live;
  std::map<Run *, std::shared_ptr<Run>> in_streams; // begun or not; what a lost GPU does not run stays

  static Hub &get();
  Clock::time_point soon(int most_microseconds);
  // A report; the ranks of the run will never end it.
  void blame(Run &run, const std::string &what);
  void join(Rank &rank);
  void advance(const std::shared_ptr<Rank> &rank); // what is in progress, as far as it is due
  void post(Run &run);
  void match(Ranks &ranks, int from, int to);
  void finish_collective(std::vector<Ranks::Posted> &posted);
  void find_circle(Run &from);
  std::vector<Run *> waited_for(Run &run);
};

// Puts a command into what the caller says is a cudaStream_t.
void put(void *stream, std::function<void()> command);
// Where the thread of a stream finds memory.
void *found_at(const void *memory);
// On the double of the driver: the GPU that is current to this thread, and that of a stream; less than 0:
// none.
bool has_gpus();
int current_gpu();
int gpu_of(void *stream);

size_t size_of(int dtype);
// to[i] = to[i] with from[i], by one of NCCL's operations.
void combine(int dtype, int op, void *to, const void *from, size_t count);

} // namespace tw::nccl_double
