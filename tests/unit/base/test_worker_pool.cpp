// SPDX-License-Identifier: Apache-2.0
// The worker pool runs each part once, whoever takes it, and copes with nesting, several callers and a host's
// threads.
#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "base/worker_pool.hpp"

namespace tw::test_worker_pool {

using tw::WorkerPool;

TEST_CASE("every part runs exactly once and is visible to the caller") {
  for (unsigned workers : {1u, 2u, 3u, 8u}) {
    WorkerPool pool(workers);
    CHECK(pool.workers() == workers);
    for (int round = 0; round < 200; ++round)
      for (int64_t parts : {0, 1, 2, 7, 64}) {
        std::vector<int> runs(static_cast<size_t>(parts), 0);
        std::atomic<bool> worker_in_range = true;
        pool.parallel_for(parts, [&](int64_t part, unsigned worker) {
          ++runs[static_cast<size_t>(part)];
          if (worker >= workers)
            worker_in_range = false;
        });
        REQUIRE(worker_in_range);
        REQUIRE(runs == std::vector<int>(static_cast<size_t>(parts), 1));
      }
  }
}

TEST_CASE("a worker's number belongs to one thread at a time") {
  WorkerPool pool(4);
  std::vector<std::atomic<int>> inside(4);
  std::atomic<bool> clash = false;
  for (int round = 0; round < 50; ++round)
    pool.parallel_for(100, [&](int64_t, unsigned worker) {
      if (inside[worker].fetch_add(1) != 0)
        clash = true;
      inside[worker].fetch_sub(1);
    });
  CHECK(!clash);
}

TEST_CASE("a loop inside a loop keeps the worker's number") {
  WorkerPool pool(3);
  std::atomic<int64_t> sum = 0;
  std::atomic<bool> same = true;
  pool.parallel_for(10, [&](int64_t outer, unsigned outer_worker) {
    pool.parallel_for(10, [&](int64_t inner, unsigned worker) {
      sum += outer * 10 + inner;
      if (worker != outer_worker)
        same = false;
    });
  });
  CHECK(sum == 99 * 100 / 2);
  CHECK(same);
}

TEST_CASE("a loop of one pool inside a loop of another") {
  WorkerPool big(4), small(2);
  std::atomic<int> count = 0;
  std::atomic<bool> in_range = true;
  big.parallel_for(8, [&](int64_t, unsigned) {
    small.parallel_for(8, [&](int64_t, unsigned worker) {
      ++count;
      if (worker >= 2)
        in_range = false;
    });
  });
  CHECK(count == 64);
  CHECK(in_range);
}

TEST_CASE("back into the first pool through another, a worker keeps its number") {
  WorkerPool first(3), second(2);
  std::atomic<int> count = 0;
  std::atomic<bool> same = true;
  first.parallel_for(6, [&](int64_t, unsigned outer) {
    second.parallel_for(
        2, [&](int64_t, unsigned) { first.parallel_for(4, [&](int64_t, unsigned) { ++count; }); });
    first.parallel_for(2, [&](int64_t, unsigned inner) {
      if (inner != outer)
        same = false;
    });
  });
  CHECK(count == 6 * 2 * 4);
  CHECK(same);
}

TEST_CASE("several threads may call one pool") {
  WorkerPool pool(3);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round)
        pool.parallel_for(16, [&](int64_t part, unsigned) { sum += part; });
    });
  for (auto &caller : callers)
    caller.join();
  CHECK(sum == 4 * 100 * 120);
}

// Counts to a number, in steps that need another before them: there is nothing to do while somebody is at
// one.
struct Counting final : WorkerPool::Job {
  explicit Counting(int64_t end) : end(end) {}
  bool has_work() const override { return !taken && count < end; }
  bool is_over() const override { return count == end; }
  void work(unsigned worker) override {
    while (count < end && !taken.exchange(true)) {
      by_caller += worker == 0 ? 1 : 0;
      count += count < end ? 1 : 0;
      taken = false;
      pool->wake();
    }
  }
  unsigned most_workers() const override { return pool->workers(); }

  WorkerPool *pool = nullptr;
  const int64_t end;
  std::atomic<bool> taken{false};
  std::atomic<int64_t> count{0}, by_caller{0};
};

TEST_CASE("threads work on jobs for which nobody waits, and on loops meanwhile") {
  WorkerPool pool(2);
  Counting first(20000), second(30000);
  for (Counting *job : {&first, &second}) {
    job->pool = &pool;
    pool.add(*job);
  }
  CHECK(pool.has_threads());
  std::atomic<int64_t> sum = 0;
  for (int round = 0; round < 20; ++round)
    pool.parallel_for(16, [&](int64_t part, unsigned) { sum += part; });
  CHECK(sum == 20 * 120);
  while (!(second.is_over() && pool.try_remove(second)))
    std::this_thread::yield();
  CHECK(second.by_caller == 0);
  pool.finish(first);
  CHECK(first.count == first.end);
}

TEST_CASE("one worker alone finishes jobs, and nothing happens without it") {
  WorkerPool pool(1);
  Counting job(100);
  job.pool = &pool;
  pool.add(job);
  CHECK(!pool.has_threads());
  CHECK(!job.is_over());
  pool.finish(job);
  CHECK(job.by_caller == 100);
}

TEST_CASE("a host's threads do the work when the host gives them") {
  struct Host {
    int calls = 0;
    static void backwards(int64_t count, void (*body)(int64_t, void *), void *argument, void *user) {
      ++static_cast<Host *>(user)->calls;
      for (int64_t i = count; i-- > 0;)
        body(i, argument);
    }
  } host;
  WorkerPool pool(4, {Host::backwards, &host});
  std::vector<int> runs(20, 0);
  pool.parallel_for(20, [&](int64_t part, unsigned worker) {
    ++runs[static_cast<size_t>(part)];
    CHECK(worker < 4);
  });
  CHECK(host.calls == 1);
  CHECK(runs == std::vector<int>(20, 1));
}

} // namespace tw::test_worker_pool
