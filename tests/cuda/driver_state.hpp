// SPDX-License-Identifier: Apache-2.0
// What the parts of the double of the CUDA driver share.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cuda/driver_double.hpp"

using Clock = std::chrono::steady_clock;

struct CUctx_st {
  int device = 0;
  int retained = 0;
  std::atomic<int> lost = 0;
  size_t used = 0;
};

using Command = std::function<void()>;

// What is put into streams while they are captured, and what has to be over before each of it.
struct CUgraph_st {
  struct Node {
    Command command;
    std::vector<size_t> after;
  };
  std::vector<Node> nodes;
};
struct CUgraphExec_st {
  std::shared_ptr<const CUgraph_st> graph;
};

// Streams that are captured together, from the one where that began.
struct Capture {
  CUstream_st *origin = nullptr;
  std::thread::id thread;
  bool is_relaxed = false, is_invalid = false;
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  std::vector<CUstream_st *> streams;
};

// Where a captured stream, or an event in it, is: behind these nodes.
struct CapturePlace {
  std::shared_ptr<Capture> capture; // null: in none
  std::vector<size_t> behind;
};

struct CUevent_st {
  // Commands keep it: an event may be destroyed while streams have not come to it.
  struct Progress {
    std::mutex mutex;
    std::condition_variable changed;
    uint64_t recorded = 0, reached = 0;
    Clock::time_point time;
  };
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  CUctx_st *context = nullptr;
  bool is_timed = false;
  CapturePlace captured; // where it was recorded last
};

struct CUstream_st {
  CUctx_st *context = nullptr;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Command> commands;
  CapturePlace captured; // while it is
  bool is_busy = false, is_over = false;
  std::mt19937_64 random;
  std::thread thread;
};

namespace tw::driver_double {

struct Kernel {
  std::string name;
  tw_double_kernel run = nullptr;
  std::vector<size_t> argument_bytes;
  // Of a generated one, in place of `run`: its launches have one argument, words that may be addresses.
  void (*launch)(const unsigned long long *words, unsigned blocks, unsigned threads) = nullptr;
  std::mutex *one_at_a_time = nullptr; // what it runs on is its module's
};

struct Allocation {
  size_t bytes = 0;
  char *alias = nullptr; // null: pinned memory, at its own address
  CUctx_st *context = nullptr;
};

struct State {
  std::mutex mutex;
  std::map<uintptr_t, Allocation> memory;
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
  CUctx_st contexts[8];
  bool has_peers[8][8] = {};
  std::atomic<int64_t> alive = 0, calls = 0, graph_launches = 0, commands_left = 0, allocations_left = 0;
  std::atomic<int> failure = 0;
  std::atomic<uint64_t> seed = 0;
};
State &state();

extern thread_local std::vector<CUctx_st *> t_contexts;
extern thread_local bool t_in_callback;

// What every call looks at first.
CUresult begin();
// The same, of calls that a thread must not make while it captures: that capture is void then.
CUresult begin_unsafe();
// Whether a copy may name these bytes: inside one allocation, which the context may reach.
bool is_valid(CUdeviceptr memory, size_t bytes, const CUctx_st *context);
// Whether a context is lost, after a fault that a test asked for has happened.
bool fails_now(CUctx_st *context);

// Sleeps where delays are drawn.
void pause(std::mt19937_64 &random);
// What a captured stream does in place of recording an event, of waiting for one, and of running a command.
CUresult capture_record(CUstream_st *stream, CUevent_st *event);
CUresult capture_wait(CUstream_st *stream, CUevent_st *event);
CUresult capture_command(CUstream_st *stream, Command command);

// The default streams have numbers in place of addresses: 0 and 1 the legacy one, 2 that of a thread, which
// all threads share here.
CUstream_st *known(CUstream_st *stream);
// The body of a stream's thread, and what puts a command into it.
void run_stream(CUstream_st *stream);
void put(CUstream_st *stream, Command command);
CUresult enqueue(CUstream_st *stream, Command command); // work, which a lost context does not do

} // namespace tw::driver_double
