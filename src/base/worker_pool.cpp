// SPDX-License-Identifier: Apache-2.0
// Fork and join through three atomics. A loop is open while workers may join it; its caller closes it once
// all parts are taken and waits only for those that did join, so a worker that the system has not woken yet
// delays nobody.
#include "base/worker_pool.hpp"

#include <algorithm>
#include <exception>

#include <sched.h>

#include "base/status.hpp"

namespace tw {
namespace {

constexpr int kOpen = 1 << 30;

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

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until `value` is no longer `old`: some microseconds awake, then asleep.
int wait_for_change(std::atomic<int> &value, int old, int spins) {
  int now = value.load(std::memory_order_acquire);
  for (int i = 0; now == old && i < spins; ++i) {
    pause_briefly();
    now = value.load(std::memory_order_acquire);
  }
  while (now == old) {
    value.wait(old, std::memory_order_acquire);
    now = value.load(std::memory_order_acquire);
  }
  return now;
}

} // namespace

WorkerPool::WorkerPool(unsigned workers) : WorkerPool(workers, HostExecutor{}) {}

// With more workers than cores, a thread that spins holds the core that another needs.
WorkerPool::WorkerPool(unsigned workers, HostExecutor host)
    : workers_(workers != 0 ? workers : usable_cores()), host_(host),
      spins_(workers_ <= usable_cores() ? 1000 : 0) {}

WorkerPool::~WorkerPool() {
  stopping_.store(true, std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_release);
  epoch_.notify_all();
  for (std::thread &thread : threads_)
    thread.join();
}

void WorkerPool::run(int64_t parts, Call call, void *object) {
  const Position *inside = here;
  while (inside && inside->pool != this)
    inside = inside->outer;
  if (parts <= 1 || workers_ == 1 || inside || busy_.exchange(true, std::memory_order_acquire)) {
    for (int64_t part = 0; part < parts; ++part)
      call(object, part, inside ? inside->worker : 0);
    return;
  }
  call_ = call;
  object_ = object;
  parts_ = parts;
  next_part_.store(0, std::memory_order_relaxed);

  if (host_.parallel_for) {
    const auto body = [](int64_t worker, void *pool) {
      static_cast<WorkerPool *>(pool)->take_parts(static_cast<unsigned>(worker));
    };
    host_.parallel_for(std::min<int64_t>(workers_, parts), body, this, host_.user);
  } else {
    run_with_threads(parts);
  }
  busy_.store(false, std::memory_order_release);
}

void WorkerPool::run_with_threads(int64_t parts) {
  if (threads_.empty())
    start_threads();
  loop_.store(kOpen, std::memory_order_release);
  epoch_.fetch_add(1, std::memory_order_release);
  if (parts - 1 >= static_cast<int64_t>(threads_.size())) {
    epoch_.notify_all();
  } else {
    for (int64_t i = 1; i < parts; ++i)
      epoch_.notify_one();
  }
  take_parts(0);
  int joined = loop_.fetch_sub(kOpen, std::memory_order_acq_rel) - kOpen;
  while (joined != 0)
    joined = wait_for_change(loop_, joined, spins_);
}

void WorkerPool::take_parts(unsigned worker) {
  const Position position{this, worker, here};
  here = &position;
  for (int64_t part; (part = next_part_.fetch_add(1, std::memory_order_relaxed)) < parts_;)
    call_(object_, part, worker);
  here = position.outer;
}

// Where the system refuses a thread, those that there are do the work.
void WorkerPool::start_threads() {
  try {
    threads_.reserve(workers_ - 1);
    for (unsigned worker = 1; worker < workers_; ++worker)
      threads_.emplace_back([this, worker] { worker_main(worker); });
  } catch (const std::exception &) {
  }
}

bool WorkerPool::join_loop() {
  int loop = loop_.load(std::memory_order_acquire);
  while (loop & kOpen)
    if (loop_.compare_exchange_weak(loop, loop + 1, std::memory_order_acq_rel))
      return true;
  return false;
}

void WorkerPool::worker_main(unsigned worker) {
  int seen = 0;
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (join_loop()) {
      take_parts(worker);
      if (loop_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        loop_.notify_one();
    }
    seen = wait_for_change(epoch_, seen, spins_);
  }
}

} // namespace tw
