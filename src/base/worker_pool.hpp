// SPDX-License-Identifier: Apache-2.0
// A few threads that take part in whatever jobs there are: loops whose caller waits for them, and work that
// goes on behind its caller's back. Whoever waits for a job works on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
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

// Threads start with the first job that needs them and end with the pool. OpenMP's settings are never
// touched.
class WorkerPool {
public:
  // Work of which several workers may take parts, each as often as it likes.
  class Job {
  public:
    virtual bool has_work() const = 0; // for a worker that is not there yet; a hint
    virtual bool is_over() const = 0;  // nothing will ever be to do again
    // Does what there is to do and returns when there is nothing, perhaps only for now. Never two calls at
    // once with the same number, but for number 0, the waiting caller's: of that the caller takes care. Does
    // not throw.
    virtual void work(unsigned worker) = 0;
    virtual unsigned most_workers() const = 0; // more would find nothing

  protected:
    ~Job() = default;

  private:
    friend WorkerPool;
    std::atomic<int> inside_{0}; // pool's threads
    Job *next_ = nullptr;
  };

  // `workers` counts the caller; 0 means one a core that this process may use, and fewer where more would not
  // help.
  explicit WorkerPool(unsigned workers = 0);
  WorkerPool(unsigned workers, HostExecutor host);
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;
  ~WorkerPool();

  unsigned workers() const { return workers_; }
  bool may_use_fewer() const { return may_use_fewer_; }

  // From now on idle threads take part, until the job is taken away. Jobs are served in the order in which
  // they came.
  void add(Job &job);
  // The caller takes part as worker 0 until the job is over and everybody has left it; then it is taken away.
  // A host's threads help now.
  void finish(Job &job);
  // Takes a job away that is over once everybody has left it; false: somebody is still there.
  bool try_remove(Job &job);
  // Whoever makes work that others may take says so afterwards. Cheap where nobody sleeps.
  void wake() {
    if (idle_.load() > 0)
      wake_idle();
  }
  // Whether jobs go on while nobody waits for them.
  bool has_threads() const { return has_threads_.load(); }

  // Calls body(part, worker) for every part in [0, parts): which worker takes which part is not fixed, so
  // results may not depend on it. `worker` < workers(), and no two calls of one loop's body run at once with
  // the same one. The body does not throw. From inside a body all parts run at once on the calling thread,
  // which keeps its number.
  template <class Body> void parallel_for(int64_t parts, Body &&body) {
    using Plain = std::remove_reference_t<Body>;
    run(
        parts,
        [](void *object, int64_t part, unsigned worker) { (*static_cast<Plain *>(object))(part, worker); },
        const_cast<std::remove_const_t<Plain> *>(std::addressof(body)));
  }

private:
  using Call = void (*)(void *object, int64_t part, unsigned worker);
  struct Loop;

  void run(int64_t parts, Call call, void *object);
  void work_until_over(Job &job, unsigned worker);
  template <class Predicate> void sleep_until(Predicate something);
  void wake_idle();
  void remove(Job &job);
  void unlink(Job &job);
  Job *join();
  void leave(Job &job);
  bool has_work();
  void start_threads();
  void worker_main(unsigned worker);

  const unsigned workers_;
  const bool may_use_fewer_;
  const HostExecutor host_;
  const int spins_;
  std::vector<std::thread> threads_;

  std::mutex mutex_; // guards the list, its links and the start of threads
  Job *jobs_ = nullptr;

  alignas(64) std::atomic<int> num_jobs_{0};
  std::atomic<int> idle_{0};              // threads that look at epoch_
  std::atomic<int> leaving_{0};           // callers that wait until a job is left
  alignas(64) std::atomic<int> epoch_{0}; // changes when there is something to look at
  std::atomic<int> left_{0};              // changes when somebody has left a job
  std::atomic<bool> has_threads_{false}, stopping_{false};
};

} // namespace tw
