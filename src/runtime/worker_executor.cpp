// SPDX-License-Identifier: Apache-2.0
// Devices as program counters: what an executor has, and how a worker runs one device until it waits, stops
// or finishes. Which devices can run is kept under one lock, taken once per device and collective.
#include "runtime/worker_executor.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include "ops/variables.hpp"
#include "runtime/worker_executor_worker.hpp"

namespace tw::runtime {

namespace {

constexpr int kSpins = 2000; // some tens of microseconds

// All positions take part in a collective that does not say who does.
std::vector<BoundStep> with_members(std::vector<BoundStep> steps, const sharding::Mesh &mesh) {
  for (BoundStep &step : steps)
    if (step.collective != nullptr && step.members.empty()) {
      step.members.resize(static_cast<size_t>(mesh.num_positions()));
      std::iota(step.members.begin(), step.members.end(), Position());
    }
  return steps;
}

} // namespace

WorkerExecutor::Buffer WorkerExecutor::touched_memory(int64_t bytes) {
  const auto size = static_cast<size_t>(std::max<int64_t>(bytes, 64));
  Buffer memory(static_cast<std::byte *>(::operator new (size, std::align_val_t{64})));
  std::fill_n(memory.get(), size, std::byte{0}); // now, not in the first run
  return memory;
}

WorkerExecutor::WorkerExecutor(std::vector<BoundStep> steps, const sharding::Mesh &mesh,
                               std::shared_ptr<WorkerPool> pool, const ScratchLimits &limits, bool profile,
                               ProcessGroup processes)
    : Executor(with_members(std::move(steps), mesh), mesh),
      serial_axes_(mesh.loop_axes(sharding::AxisKind::serial)), pool_(std::move(pool)), profile_(profile),
      spins_(pool_->workers() <= std::max(1u, std::thread::hardware_concurrency()) ? kSpins : 0),
      processes_(std::move(processes)), counters_(static_cast<size_t>(mesh.num_positions())) {
  ready_.reserve(counters_.size());
  for (size_t a = 0; a < mesh.num_axes(); ++a)
    threads_arrived_.emplace_back(mesh.is_loop(static_cast<sharding::AxisId>(a)) ? counters_.size() : 0);
  for (unsigned w = 0; w < pool_->workers(); ++w) {
    auto worker = std::make_unique<Worker>();
    worker->number = static_cast<uint16_t>(w);
    worker->operands.resize(limits.pointers + 1); // and what parts share
    worker->results.resize(limits.pointers);
    worker->scratch = touched_memory(limits.scratch);
    worker->shared_memory = touched_memory(limits.shared);
    if (profile_) {
      worker->nanoseconds.resize(steps_.size());
      worker->calls.resize(steps_.size());
    }
    workers_.push_back(std::move(worker));
  }
  find_rendezvous();
  size_t most_flights = counters_.size();
  awaited_at_.assign(steps_.size(), kNoStep);
  for (uint32_t i = 0; i < steps_.size(); ++i)
    if (const uint32_t collective = steps_[i].awaits; collective != kNoStep) {
      awaited_at_[collective] = i;
      most_flights += steps_[collective].collective->num_groups();
    }
  flights_.reserve(most_flights);
  bytes_before_.push_back(0);
  for (const BoundStep &step : steps_)
    bytes_before_.push_back(bytes_before_.back() + step.bytes);
  for (const BoundStep &step : steps_)
    if (step.collective != nullptr) {
      send_.emplace_back(step.members.size() * step.num_operands);
      receive_.emplace_back(step.members.size() * step.num_results);
    }
}

WorkerExecutor::~WorkerExecutor() = default;

void WorkerExecutor::find_rendezvous() {
  std::map<std::vector<std::vector<Position>>, uint32_t> known;
  const auto intern = [&](std::vector<std::vector<Position>> groups) {
    const auto [at, fresh] = known.try_emplace(std::move(groups), static_cast<uint32_t>(rendezvous_.size()));
    if (fresh) {
      Rendezvous &made =
          rendezvous_.emplace_back(Rendezvous{at->first, std::vector<uint32_t>(counters_.size())});
      for (uint32_t g = 0; g < made.groups.size(); ++g)
        for (const Position p : made.groups[g])
          made.group_of[static_cast<size_t>(p)] = g;
    }
    return at->second;
  };
  for (const BoundStep &step : steps_) {
    std::vector<std::vector<Position>> groups;
    if (step.collective != nullptr) {
      for (size_t g = 0; g < step.collective->num_groups(); ++g) {
        groups.emplace_back();
        for (const Position m : step.collective->members(g))
          groups.back().push_back(step.members[static_cast<size_t>(m)]);
      }
    } else if (step.awaits != kNoStep) {
      groups = rendezvous_[rendezvous_of_[step.awaits]].groups;
    } else if (!step.leaders.empty()) {
      std::map<Position, std::vector<Position>> by_leader;
      for (Position p; p < mesh_.num_positions(); ++p)
        by_leader[step.leaders[static_cast<size_t>(p)]].push_back(p);
      for (auto &[leader, members] : by_leader)
        groups.push_back(std::move(members));
    }
    arrived_.emplace_back(groups.size());
    rendezvous_of_.push_back(groups.empty() ? kAlone : intern(std::move(groups)));
  }
}

bool WorkerExecutor::is_local(Position position) const {
  return processes_.communicator == nullptr || processes_.devices.contains(mesh_.device_of(position));
}

std::optional<WorkerExecutor::CounterId> WorkerExecutor::next_counter() {
  std::unique_lock lock(mutex_);
  if (!ready_.empty()) {
    if (hooks_.schedule != 0)
      std::swap(ready_[draw() % ready_.size()], ready_.back());
    const CounterId id = ready_.back();
    ready_.pop_back();
    num_ready_.fetch_sub(1);
    ++running_;
    return id;
  }
  if (running_ == 0 && flights_.empty() && running()) {
    lock.unlock();
    report_absent();
  }
  return std::nullopt;
}

// Nobody runs, nobody can, and not all have finished: whoever is not at a collective will never come.
void WorkerExecutor::report_absent() {
  for (size_t p = 0; p < counters_.size(); ++p)
    if (!counters_[p].waits && counters_[p].step < steps_.size()) {
      fail_with(Error(Code::internal, "TW-620", "the device stopped, and others wait for it at a collective"),
                Position(static_cast<int64_t>(p)), counters_[p].step);
      return;
    }
  const auto behind = std::ranges::min_element(counters_, {}, &Counter::step);
  fail_with(Error(Code::internal, "TW-620", "devices wait for each other at different collectives"),
            Position(behind - counters_.begin()), behind->step);
}

// Runs a device until it waits, stops or finishes.
void WorkerExecutor::run_counter(Worker &me, CounterId id) {
  uint32_t &step = counter(id).step;
  const Position &position = counter(id).position;
  const auto end = static_cast<uint32_t>(steps_.size());
  bool waits = false;
  me.began = me.now;
  me.first = step;
  while (!waits && step < end && running()) {
    if (hooks_.any() && !provoke(id, step))
      break;
    if (processes_.communicator != nullptr)
      poll(me, true);
    const uint32_t at = step;
    if (rendezvous_of_[at] != kAlone) {
      waits = !reach_collective(me, id, at); // afterwards the device may be somebody else's
    } else if (steps_[at].loop.size != 0) {
      waits = !pass_loop(me, id, at); // afterwards too
    } else if (!steps_[at].targets.empty()) {
      step = jump(me, position, at);
    } else {
      run_kernel(me, position, at);
      ++step;
    }
  }
  if (!waits)
    record(me, id, step, step == end ? FlightRecord::Kind::finished : FlightRecord::Kind::stopped);
  const std::lock_guard lock(mutex_);
  --running_;
  if (!waits && step == end && ++finished_ == num_local_ && running())
    set_stage(after_steps());
}

// What a test wants to happen before a step; false: the device stops here.
bool WorkerExecutor::provoke(CounterId id, uint32_t step) {
  const Position position(static_cast<int64_t>(id));
  if (hooks_.at_step != nullptr)
    hooks_.at_step(hooks_.user, position, step, !running());
  for (const Fault &fault : hooks_.faults) {
    if (fault.position != position || fault.step != step)
      continue;
    if (fault.kind == Fault::Kind::delay) {
      std::this_thread::sleep_for(fault.late);
      continue;
    }
    if (fault.kind == Fault::Kind::error)
      fail_with(Error(Code::internal, "TW-621", "an error provoked by a test"), position, step);
    return false;
  }
  return true;
}

// Time is looked at where there was something to do since, or for long not.
void WorkerExecutor::record(Worker &me, CounterId id, uint32_t step, FlightRecord::Kind kind) {
  constexpr int kOften = 16;
  if (const int64_t bytes = bytes_before_[step] - bytes_before_[me.first];
      bytes < 0 || bytes >= kTimed || ++me.untimed >= kOften) {
    me.now = ticks();
    me.untimed = 0;
  }
  flight_.add(Position(static_cast<int64_t>(id)), {me.began, me.now, me.first, step, kind, me.number});
  me.began = me.now;
  me.first = step;
}

// Every device has its own copy of what decides, with the same bits, so all go the same way.
uint32_t WorkerExecutor::jump(Worker &me, Position position, uint32_t step) const {
  const BoundStep &bound = steps_[step];
  if (bound.num_operands == 0)
    return bound.targets[0];
  resolve(bound, position, me.operands.data(), me.results.data());
  return bound
      .targets[ops::chosen_branch({static_cast<const std::byte *>(me.operands[0]), bound.selector_bytes},
                                  static_cast<uint32_t>(bound.targets.size()))];
}

// Lets counters run that wait or were not there.
void WorkerExecutor::release(std::span<const CounterId> counters) {
  if (counters.empty())
    return;
  {
    const std::lock_guard lock(mutex_);
    ready_.insert(ready_.end(), counters.rbegin(), counters.rend());
    num_ready_.fetch_add(static_cast<int64_t>(counters.size()));
  }
  wake();
}

// True: the counter goes on. False: it has become another thread's, or waits for the others.
bool WorkerExecutor::pass_loop(Worker &me, CounterId id, uint32_t step) {
  const BoundStep &bound = steps_[step];
  const LoopEdge &loop = bound.loop;
  Counter &own = counter(id);
  const int64_t at = own.position / loop.stride % loop.size;
  if (!loop.threads) {
    const bool again = !loop.begins && at + 1 < loop.size;
    if (!loop.begins)
      own.position = Position(own.position + (again ? loop.stride : -at * loop.stride));
    own.step = again ? bound.targets[0] : step + 1;
    return true;
  }
  if (loop.begins) {
    ++own.step;
    std::array<CounterId, sharding::kMostThreads> threads;
    for (int64_t thread = 1; thread < loop.size; ++thread) {
      const CounterId other{static_cast<int64_t>(id) + thread * loop.stride};
      counter(other) = {step + 1, false, Position(own.position + thread * loop.stride)};
      threads[static_cast<size_t>(thread) - 1] = other;
    }
    release({threads.data(), static_cast<size_t>(loop.size) - 1});
    return true;
  }
  const CounterId first{static_cast<int64_t>(id) - at * loop.stride};
  record(me, id, step, FlightRecord::Kind::arrived);
  own.waits = true;
  auto &arrived = threads_arrived_[loop.axis][static_cast<size_t>(first)];
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < loop.size)
    return false;
  arrived.store(0, std::memory_order_relaxed);
  counter(first).waits = false;
  counter(first).step = step + 1;
  if (id == first)
    return true;
  release({&first, 1});
  return false;
}

// Which of the ready counters runs next, where a test draws the schedule. Under the lock.
uint64_t WorkerExecutor::draw() {
  drawn_ = drawn_ * 6364136223846793005u + 1442695040888963407u;
  return drawn_ >> 33;
}

} // namespace tw::runtime
