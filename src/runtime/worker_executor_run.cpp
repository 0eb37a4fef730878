// SPDX-License-Identifier: Apache-2.0
// One run from begin to end: copies in, the steps of all devices, copies out. A run is in one stage at a
// time, and whoever takes part looks which. A failure or the caller's wish ends it in the first two; once
// results are brought out, it succeeds.
#include <algorithm>
#include <new>
#include <utility>

#include "base/pause.hpp"
#include "runtime/worker_executor_worker.hpp"

namespace tw::runtime {

uint64_t WorkerExecutor::begin(const Task &task) {
  TW_ASSERT(is_over());
  arenas_ = task.arenas;
  arguments_ = task.arguments;
  alone_ = task.alone;
  for (auto [copying, copies] : {std::pair{&before_, &task.before}, std::pair{&after_, &task.after}}) {
    copying->copies = *copies;
    copying->next.store(0, std::memory_order_relaxed);
    copying->ended.store(0, std::memory_order_relaxed);
  }
  ready_.clear();
  flights_.clear();
  flying_.store(0);
  is_polling_.store(false);
  std::ranges::fill(counters_, Counter{static_cast<uint32_t>(steps_.size()), true, Position()});
  for (int64_t p = mesh_.num_positions(); p-- > 0;)
    if (const Position at(p); mesh_.without(at, mesh_.loop_axes()) == at && is_local(at)) {
      ready_.push_back(CounterId{p});
      counter(CounterId{p}) = {0, false, at};
    }
  for (auto &threads : threads_arrived_)
    for (auto &count : threads)
      count.store(0, std::memory_order_relaxed);
  for (auto &groups : arrived_)
    for (auto &count : groups)
      count.store(0, std::memory_order_relaxed);
  flight_.clear();
  for (const auto &worker : workers_)
    worker->shared.state.store(0, std::memory_order_relaxed);
  if (!no_memory_)
    no_memory_.emplace(Code::resource_exhausted, "TW-701", "out of memory");
  running_ = finished_ = 0;
  num_local_ = std::ssize(ready_);
  num_ready_.store(num_local_);
  uint64_t number;
  {
    const std::lock_guard lock(mutex_);
    failure_.reset();
    number = ++number_;
    drawn_ = hooks_.schedule + number;
    stage_.store(before_.copies.parts > 0 ? Stage::before : first_steps());
  }
  if (!alone_)
    pool_->add(*this);
  return number;
}

void WorkerExecutor::finish() {
  if (!alone_)
    return pool_->finish(*this);
  while (!is_over())
    work(0u);
}

bool WorkerExecutor::try_finish() {
  if (!pool_->has_threads())
    do_some_work(0u);
  return is_over() && pool_->try_remove(*this);
}

void WorkerExecutor::cancel(uint64_t run) {
  Failure failure{Error(Code::cancelled, "TW-627", "the run was cancelled"), sharding::kNoPosition, 0};
  const std::lock_guard lock(mutex_);
  if (number_ == run)
    end_with(std::move(failure));
}

std::optional<WorkerExecutor::Failure> WorkerExecutor::take_failure() {
  return std::exchange(failure_, std::nullopt);
}

bool WorkerExecutor::has_work() const {
  switch (stage_.load()) {
  case Stage::before: return before_.has_work();
  case Stage::steps: return num_ready_.load() > 0 || anything_open() || may_poll();
  case Stage::after: return after_.has_work();
  case Stage::over: break;
  }
  return false;
}

// Saying what went wrong may need memory that there is none of.
bool WorkerExecutor::do_some_work(unsigned worker) {
  try {
    return do_some_work(*workers_[worker]);
  } catch (const std::bad_alloc &) {
    const std::lock_guard lock(mutex_);
    if (no_memory_)
      end_with({*std::exchange(no_memory_, std::nullopt), sharding::kNoPosition, 0});
    return true;
  }
}

void WorkerExecutor::work(unsigned worker) {
  workers_[worker]->now = ticks();
  for (bool found = true; found;) {
    while (do_some_work(worker)) {
    }
    found = false;
    for (int i = 0; !found && i < spins_ && !is_over(); ++i) {
      pause_briefly();
      found = has_work();
    }
    workers_[worker]->now = ticks();
  }
}

// One piece of work: a device to its next collective, what there is to help with, a copy. False: there is
// none now.
bool WorkerExecutor::do_some_work(Worker &me) {
  switch (stage_.load()) {
  case Stage::before: return copy(before_);
  case Stage::steps:
    if (const auto id = next_counter()) {
      if (flying_.load() > 0)
        wake(); // somebody else should look for messages
      run_counter(me, *id);
      return true;
    }
    return help(me) || progress(me, true);
  case Stage::after: return copy(after_);
  case Stage::over: break;
  }
  return false;
}

bool WorkerExecutor::copy(Copying &copying) {
  if (!copying.has_work())
    return false;
  const Copies &copies = copying.copies;
  const int64_t part = copying.next.fetch_add(1, std::memory_order_relaxed);
  if (part >= copies.parts)
    return false;
  copies.copy(copies.object, part);
  if (copying.ended.fetch_add(1) + 1 == copies.parts) {
    const std::lock_guard lock(mutex_);
    if (const Stage stage = stage_.load(); stage != Stage::over) // else it has failed
      set_stage(stage == Stage::before ? first_steps() : Stage::over);
  }
  return true;
}

// Under the lock.
void WorkerExecutor::set_stage(Stage next) {
  stage_.store(next);
  wake();
}

void WorkerExecutor::fail_with(Error error, Position position, uint32_t step) {
  const std::lock_guard lock(mutex_);
  end_with({std::move(error), position, step});
}

// Under the lock. The first failure counts.
void WorkerExecutor::end_with(Failure failure) {
  const Stage stage = stage_.load();
  if (stage != Stage::before && stage != Stage::steps)
    return;
  failure_.emplace(std::move(failure));
  if (processes_.communicator != nullptr)
    processes_.on_failure(*failure_);
  set_stage(Stage::over);
}

} // namespace tw::runtime
