// SPDX-License-Identifier: Apache-2.0
// Jobs hang in a list; a thread joins the first that has work and leaves it when it finds none. Whoever takes
// a job away waits only for those that did join, so a thread that the system has not woken yet delays nobody.
// Those who sleep have said so before they looked a last time, and those who bring work look for sleepers
// afterwards.
#include "base/worker_pool.hpp"

#include <algorithm>
#include <exception>

#include <sched.h>

#include "base/pause.hpp"
#include "base/status.hpp"

namespace tw {
namespace {

// The loops whose parts this thread is running, innermost first.
struct Position {
  const WorkerPool *pool;
  unsigned worker;
  const Position *outer;
};
thread_local const Position *here = nullptr;

unsigned usable_cores() {
  cpu_set_t set;
  const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return static_cast<unsigned>(std::max(cores, 1));
}

// Waits until `value` is no longer `old`: some microseconds awake, then asleep.
void wait_for_change(std::atomic<int> &value, int old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load() != old)
      return;
    pause_briefly();
  }
  value.wait(old);
}

} // namespace

// The parts of a parallel_for.
struct WorkerPool::Loop final : Job {
  Loop(const WorkerPool &pool, int64_t parts, Call call, void *object)
      : pool(pool), parts(parts), call(call), object(object) {}

  bool has_work() const override { return next.load(std::memory_order_relaxed) < parts; }
  bool is_over() const override { return !has_work(); }
  void work(unsigned worker) override {
    const Position position{&pool, worker, here};
    here = &position;
    for (int64_t part; (part = next.fetch_add(1, std::memory_order_relaxed)) < parts;)
      call(object, part, worker);
    here = position.outer;
  }
  unsigned most_workers() const override {
    return static_cast<unsigned>(std::min<int64_t>(pool.workers(), parts));
  }

  const WorkerPool &pool;
  const int64_t parts;
  const Call call;
  void *const object;
  alignas(64) std::atomic<int64_t> next{0};
};

WorkerPool::WorkerPool(unsigned workers) : WorkerPool(workers, HostExecutor{}) {}

// With more workers than cores, a thread that spins holds the core that another needs.
WorkerPool::WorkerPool(unsigned workers, HostExecutor host)
    : workers_(workers != 0 ? workers : usable_cores()), may_use_fewer_(workers == 0), host_(host),
      spins_(workers_ <= usable_cores() ? 1000 : 0) {}

WorkerPool::~WorkerPool() {
  TW_ASSERT(jobs_ == nullptr);
  stopping_.store(true);
  wake_idle();
  for (std::thread &thread : threads_)
    thread.join();
}

void WorkerPool::run(int64_t parts, Call call, void *object) {
  const Position *inside = here;
  while (inside && inside->pool != this)
    inside = inside->outer;
  if (parts <= 1 || workers_ == 1 || inside) {
    for (int64_t part = 0; part < parts; ++part)
      call(object, part, inside ? inside->worker : 0);
    return;
  }
  Loop loop(*this, parts, call, object);
  add(loop);
  finish(loop);
}

void WorkerPool::add(Job &job) {
  {
    const std::lock_guard lock(mutex_);
    Job **end = &jobs_;
    while (*end)
      end = &(*end)->next_;
    *end = &job;
    job.next_ = nullptr;
    num_jobs_.fetch_add(1);
    if (threads_.empty() && workers_ > 1 && !host_.parallel_for)
      start_threads();
  }
  wake();
}

void WorkerPool::finish(Job &job) {
  if (host_.parallel_for && job.most_workers() > 1) {
    struct Both {
      WorkerPool *pool;
      Job *job;
    } both{this, &job};
    const auto body = [](int64_t worker, void *argument) {
      auto &b = *static_cast<Both *>(argument);
      b.pool->work_until_over(*b.job, static_cast<unsigned>(worker));
    };
    host_.parallel_for(job.most_workers(), body, &both, host_.user);
  }
  work_until_over(job, 0);
  remove(job);
}

void WorkerPool::work_until_over(Job &job, unsigned worker) {
  for (;;) {
    job.work(worker);
    if (job.is_over())
      return;
    sleep_until([&] { return job.is_over() || job.has_work(); });
  }
}

template <class Predicate> void WorkerPool::sleep_until(Predicate something) {
  idle_.fetch_add(1);
  for (;;) {
    const int seen = epoch_.load();
    if (something())
      break;
    wait_for_change(epoch_, seen, spins_);
  }
  idle_.fetch_sub(1);
}

void WorkerPool::wake_idle() {
  epoch_.fetch_add(1);
  epoch_.notify_all();
}

void WorkerPool::unlink(Job &job) {
  Job **at = &jobs_;
  while (*at && *at != &job)
    at = &(*at)->next_;
  if (!*at)
    return;
  *at = job.next_;
  num_jobs_.fetch_sub(1);
}

void WorkerPool::remove(Job &job) {
  {
    const std::lock_guard lock(mutex_);
    unlink(job);
  }
  leaving_.fetch_add(1);
  for (;;) {
    const int seen = left_.load();
    if (job.inside_.load() == 0)
      break;
    wait_for_change(left_, seen, spins_);
  }
  leaving_.fetch_sub(1);
}

bool WorkerPool::try_remove(Job &job) {
  const std::lock_guard lock(mutex_);
  if (job.inside_.load() != 0)
    return false;
  unlink(job);
  return true;
}

WorkerPool::Job *WorkerPool::join() {
  if (num_jobs_.load() == 0)
    return nullptr;
  const std::lock_guard lock(mutex_);
  for (Job *job = jobs_; job; job = job->next_)
    if (job->has_work()) {
      job->inside_.fetch_add(1);
      return job;
    }
  return nullptr;
}

// The job may be gone as soon as nobody is inside.
void WorkerPool::leave(Job &job) {
  job.inside_.fetch_sub(1);
  if (leaving_.load() > 0) {
    left_.fetch_add(1);
    left_.notify_all();
  }
}

bool WorkerPool::has_work() {
  if (num_jobs_.load() == 0)
    return false;
  const std::lock_guard lock(mutex_);
  for (const Job *job = jobs_; job; job = job->next_)
    if (job->has_work())
      return true;
  return false;
}

// Where the system refuses a thread, those that there are do the work.
void WorkerPool::start_threads() {
  try {
    threads_.reserve(workers_ - 1);
    for (unsigned worker = 1; worker < workers_; ++worker)
      threads_.emplace_back([this, worker] { worker_main(worker); });
  } catch (const std::exception &) {
  }
  has_threads_.store(!threads_.empty());
}

void WorkerPool::worker_main(unsigned worker) {
  while (!stopping_.load()) {
    if (Job *job = join()) {
      job->work(worker);
      leave(*job);
    } else {
      sleep_until([&] { return stopping_.load() || has_work(); });
    }
  }
}

} // namespace tw
