// SPDX-License-Identifier: Apache-2.0
// A few threads that share one loop at a time: the caller is worker 0, the others help, all are done when it
// returns.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace tw {

// A host's own threads instead of ours. `parallel_for` calls body(i, argument) once for each i in [0, count),
// in any order and on any threads, and returns when all have ended. No call waits for another.
struct HostExecutor {
  void (*parallel_for)(int64_t count, void (*body)(int64_t i, void *argument), void *argument,
                       void *user) = nullptr;
  void *user = nullptr;
};

// Threads start with the first loop that needs them and end with the pool. OpenMP's settings are never
// touched.
class WorkerPool {
public:
  // `workers` counts the caller; 0 means one a core that this process may use.
  explicit WorkerPool(unsigned workers = 0);
  WorkerPool(unsigned workers, HostExecutor host);
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;
  ~WorkerPool();

  unsigned workers() const { return workers_; }

  // Calls body(part, worker) for every part in [0, parts): which worker takes which part is not fixed, so
  // results may not depend on it. `worker` < workers(), and no two calls of one loop's body run at once with
  // the same one. The body does not throw. From inside a body all parts run at once on the calling thread,
  // which keeps its number; so they do, as worker 0, while the loop of another thread is running.
  template <class Body> void parallel_for(int64_t parts, Body &&body) {
    using Plain = std::remove_reference_t<Body>;
    run(
        parts,
        [](void *object, int64_t part, unsigned worker) { (*static_cast<Plain *>(object))(part, worker); },
        const_cast<std::remove_const_t<Plain> *>(std::addressof(body)));
  }

private:
  using Call = void (*)(void *object, int64_t part, unsigned worker);

  void run(int64_t parts, Call call, void *object);
  void run_with_threads(int64_t parts);
  void take_parts(unsigned worker);
  void start_threads();
  void worker_main(unsigned worker);
  bool join_loop();

  const unsigned workers_;
  const HostExecutor host_;
  const int spins_;
  std::vector<std::thread> threads_;

  std::atomic<bool> busy_{false}; // some thread's loop is running

  // The loop in progress; read only between joining and leaving it.
  Call call_ = nullptr;
  void *object_ = nullptr;
  int64_t parts_ = 0;

  alignas(64) std::atomic<int64_t> next_part_{0};
  alignas(64) std::atomic<int> loop_{0};  // kOpen while workers may join, plus the number that have
  alignas(64) std::atomic<int> epoch_{0}; // changes when there is something to look at
  std::atomic<bool> stopping_{false};
};

} // namespace tw
