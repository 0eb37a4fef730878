// SPDX-License-Identifier: Apache-2.0
// What a step computes, in parts: given away through one slot per worker that others join and leave by two
// atomics, so steps that nobody helps with cost nothing.
#include <algorithm>
#include <ctime>
#include <utility>

#include "base/pause.hpp"
#include "runtime/worker_executor_worker.hpp"

namespace tw::runtime {

using kernels::Kernel;

namespace {

constexpr size_t kMostTracedEach = 1 << 20; // by a worker

// Time that this thread computed: a step's share then does not depend on what else the machine does.
int64_t nanoseconds_now() {
  timespec at{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return at.tv_sec * 1'000'000'000 + at.tv_nsec;
}

} // namespace

bool WorkerExecutor::anything_open() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return w->shared.has_parts(); });
}

void WorkerExecutor::resolve(const BoundStep &step, Position position, const void **operands, void **results,
                             size_t apart) const {
  const auto pointer = [&](const Location &at) {
    return (at.base == 0 ? arenas_[at.arena] : static_cast<std::byte *>(arguments_[at.base - 1])) + at.offset;
  };
  const Location *at =
      step.places.data() + static_cast<size_t>(position) * (step.num_operands + step.num_results);
  for (size_t i = 0; i < step.num_operands; ++i)
    operands[i * apart] = pointer(*at++);
  for (size_t i = 0; i < step.num_results; ++i, ++at)
    results[i * apart] = pointer(*at);
}

void WorkerExecutor::run_kernel(Worker &me, Position position, uint32_t step) {
  const BoundStep &bound = steps_[step];
  const Kernel *kernel = bound.kernels[static_cast<size_t>(position)];
  if (kernel == nullptr)
    return;
  resolve(bound, position, me.operands.data(), me.results.data());
  Shared &s = me.shared;
  s.position = position;
  s.step = step;
  s.kernel = kernel;
  s.operands = {me.operands.data(), bound.num_operands};
  s.results = {me.results.data(), bound.num_results};
  if (kernel->prepare_parts() > 0) {
    s.prepares = me.shared_memory.get();
    s.parts.store(kernel->prepare_parts(), std::memory_order_relaxed);
    share(me);
    s.prepares = nullptr;
    me.operands[bound.num_operands] = me.shared_memory.get();
    s.operands = {me.operands.data(), bound.num_operands + 1};
  }
  s.parts.store(kernel->parts(), std::memory_order_relaxed);
  share(me);
}

// The parts of a step in another order: from some part on, forwards or backwards.
int64_t WorkerExecutor::drawn_part(int64_t part, int64_t parts, uint32_t step) const {
  const uint64_t bits = (hooks_.schedule + number_ + step) * 0x9e3779b97f4a7c15u >> 32;
  const int64_t begin = static_cast<int64_t>(bits >> 1) % parts;
  return bits % 2 == 0 ? (begin + part) % parts : (begin + parts - part) % parts;
}

// Runs all parts of me.shared, with whoever has time.
void WorkerExecutor::share(Worker &me) {
  Shared &s = me.shared;
  if (profile_ && s.prepares == nullptr)
    ++me.calls[s.step];
  s.next.store(0, std::memory_order_relaxed);
  if (s.parts.load(std::memory_order_relaxed) <= 1 || workers_.size() == 1 || alone_) {
    run_parts(s, me);
    return;
  }
  s.state.store(Shared::kOpen);
  wake();
  run_parts(s, me);
  int helpers = s.state.fetch_sub(Shared::kOpen) - Shared::kOpen;
  for (int spin = 0; helpers != 0; helpers = s.state.load())
    if (spin++ < spins_)
      pause_briefly();
    else
      s.state.wait(helpers);
}

void WorkerExecutor::run_parts(Shared &s, Worker &me) {
  const int64_t begin = profile_ ? nanoseconds_now() : 0, began = traces_ ? ticks() : 0;
  bool took = false;
  const int64_t parts = s.parts.load(std::memory_order_relaxed);
  for (int64_t part; (part = s.next.fetch_add(1, std::memory_order_relaxed)) < parts;) {
    took = true;
    if (hooks_.schedule != 0)
      part = drawn_part(part, parts, s.step);
    if (s.kernel == nullptr) {
      s.collective->run(s.group, s.stage, part, s.operands, s.results);
      continue;
    }
    if (!running())
      continue;
    if (flying_.load(std::memory_order_relaxed) > 0)
      poll(me, false);
    Status status = s.prepares != nullptr ? s.kernel->prepare(part, s.operands, s.prepares)
                                          : s.kernel->run(part, s.operands, s.results, me.scratch.get());
    if (!status)
      fail_with(std::move(status.error()), s.position, s.step);
  }
  if (profile_)
    me.nanoseconds[s.step] += nanoseconds_now() - begin;
  if (traces_ && took && me.traced.size() < kMostTracedEach)
    me.traced.push_back({began, ticks(),
                         s.kernel == nullptr ? static_cast<int64_t>(s.group) : int64_t{s.position}, s.step,
                         s.kernel == nullptr});
}

bool WorkerExecutor::help(Worker &me) {
  bool helped = false;
  for (const auto &other : workers_) {
    Shared &s = other->shared;
    if (!s.has_parts())
      continue;
    int state = s.state.load();
    while ((state & Shared::kOpen) != 0) {
      if (!s.state.compare_exchange_weak(state, state + 1))
        continue;
      run_parts(s, me);
      helped = true;
      if (s.state.fetch_sub(1) == 1)
        s.state.notify_one();
      break;
    }
  }
  return helped;
}

std::optional<WorkerExecutor::Failure> WorkerExecutor::run_alone(std::span<const BoundStep> steps,
                                                                 Position position,
                                                                 std::span<std::byte *const> arenas) {
  arenas_ = arenas;
  Worker &me = *workers_[0];
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const Kernel *kernel = steps[i].kernels[static_cast<size_t>(position)];
    if (kernel == nullptr)
      continue;
    resolve(steps[i], position, me.operands.data(), me.results.data());
    me.operands[steps[i].num_operands] = me.shared_memory.get();
    if (Status status = kernels::run_serially(*kernel, {me.operands.data(), steps[i].num_operands + 1},
                                              {me.results.data(), steps[i].num_results}, me.scratch.get());
        !status)
      return Failure{std::move(status.error()), position, i};
  }
  return std::nullopt;
}

std::span<const WorkerExecutor::TraceRecord> WorkerExecutor::traced(unsigned worker) const {
  return workers_[worker]->traced;
}

bool WorkerExecutor::trace_is_full() const {
  return std::ranges::any_of(workers_, [](const auto &w) { return w->traced.size() == kMostTracedEach; });
}

std::vector<int64_t> WorkerExecutor::step_nanoseconds() const {
  return sum_over_workers(&Worker::nanoseconds);
}

std::vector<int64_t> WorkerExecutor::step_calls() const { return sum_over_workers(&Worker::calls); }

std::vector<int64_t> WorkerExecutor::sum_over_workers(std::vector<int64_t> Worker::*of) const {
  std::vector<int64_t> sum(profile_ ? steps_.size() : 0);
  for (const auto &worker : workers_)
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += ((*worker).*of)[i];
  return sum;
}

} // namespace tw::runtime
