// SPDX-License-Identifier: Apache-2.0
// The scheduler. Which devices can run is kept under one lock, taken once per device and collective; parts of a step are
// given away through one slot per worker that others join and leave by two atomics, so steps that nobody helps with cost
// nothing. One worker at a time asks for messages of other processes, and only when there is nothing to compute.
#include "runtime/executor.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <map>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/pause.hpp"
#include "ops/variables.hpp"
#include "runtime/executor_worker.hpp"

namespace tw::runtime {

using kernels::Kernel;

namespace {

constexpr size_t kMostTraced = 1 << 20; // by a worker
constexpr int kSpins = 2000;            // some tens of microseconds
// Steps of fewer bytes take less than a few microseconds: the flight recorder does not look at the clock for them.
constexpr int64_t kTimed = 64 << 10;
// How often a computing worker asks whether another process has failed; and for how long one sleeps between looks for messages that it has
// given all the time they need.
constexpr auto kListen = std::chrono::milliseconds(1);
constexpr auto kLook = std::chrono::microseconds(500); // the same of messages that it does not wait for
constexpr auto kNap = std::chrono::microseconds(50);

// Time that this thread computed: a step's share then does not depend on what else the machine does.
int64_t now() {
  timespec at{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return at.tv_sec * 1'000'000'000 + at.tv_nsec;
}

} // namespace

namespace {

// All positions take part in a collective that does not say who does.
std::vector<BoundStep> with_members(std::vector<BoundStep> steps, const sharding::Mesh &mesh) {
  for (BoundStep &step : steps)
    if (step.collective != nullptr && step.members.empty()) {
      step.members.resize(static_cast<size_t>(mesh.num_positions()));
      std::iota(step.members.begin(), step.members.end(), 0);
    }
  return steps;
}

} // namespace

Executor::Buffer Executor::touched_memory(int64_t bytes) {
  const auto size = static_cast<size_t>(std::max<int64_t>(bytes, 64));
  Buffer memory(static_cast<std::byte *>(::operator new (size, std::align_val_t{64})));
  std::fill_n(memory.get(), size, std::byte{0}); // now, not in the first run
  return memory;
}

Executor::Executor(std::vector<BoundStep> steps, const sharding::Mesh &mesh, std::shared_ptr<WorkerPool> pool,
                   const Room &room, bool profile, Others others)
    : steps_(with_members(std::move(steps), mesh)), mesh_(mesh),
      serial_axes_(mesh.loop_axes(sharding::AxisKind::serial)), pool_(std::move(pool)), profile_(profile),
      spins_(pool_->workers() <= std::max(1u, std::thread::hardware_concurrency()) ? kSpins : 0),
      others_(std::move(others)), flight_(static_cast<size_t>(mesh.num_positions())),
      next_step_(static_cast<size_t>(mesh.num_positions())), position_(next_step_.size()),
      waits_(next_step_.size()) {
  ready_.reserve(next_step_.size());
  for (size_t a = 0; a < mesh.num_axes(); ++a)
    lanes_arrived_.emplace_back(mesh.is_loop(static_cast<sharding::AxisId>(a)) ? next_step_.size() : 0);
  for (unsigned w = 0; w < pool_->workers(); ++w) {
    auto worker = std::make_unique<Worker>();
    worker->number = static_cast<uint16_t>(w);
    worker->operands.resize(room.pointers + 1); // and what parts share
    worker->results.resize(room.pointers);
    worker->scratch = touched_memory(room.scratch);
    worker->shared_memory = touched_memory(room.shared);
    if (profile_) {
      worker->nanoseconds.resize(steps_.size());
      worker->calls.resize(steps_.size());
    }
    workers_.push_back(std::move(worker));
  }
  find_meetings();
  size_t most_flights = next_step_.size();
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

Executor::~Executor() = default;

void Executor::find_meetings() {
  std::map<std::vector<std::vector<int64_t>>, uint32_t> known;
  const auto intern = [&](std::vector<std::vector<int64_t>> groups) {
    const auto [at, fresh] = known.try_emplace(std::move(groups), static_cast<uint32_t>(meetings_.size()));
    if (fresh) {
      Meeting &made = meetings_.emplace_back(Meeting{at->first, std::vector<uint32_t>(next_step_.size())});
      for (uint32_t g = 0; g < made.groups.size(); ++g)
        for (const int64_t p : made.groups[g])
          made.group_of[static_cast<size_t>(p)] = g;
    }
    return at->second;
  };
  for (const BoundStep &step : steps_) {
    std::vector<std::vector<int64_t>> groups;
    if (step.collective != nullptr) {
      for (size_t g = 0; g < step.collective->num_groups(); ++g) {
        groups.emplace_back();
        for (const int64_t m : step.collective->members(g))
          groups.back().push_back(step.members[static_cast<size_t>(m)]);
      }
    } else if (step.awaits != kNoStep) {
      groups = meetings_[meeting_of_[step.awaits]].groups;
    } else if (!step.leaders.empty()) {
      std::map<int64_t, std::vector<int64_t>> by_leader;
      for (int64_t p = 0; p < mesh_.num_positions(); ++p)
        by_leader[step.leaders[static_cast<size_t>(p)]].push_back(p);
      for (auto &[leader, members] : by_leader)
        groups.push_back(std::move(members));
    }
    arrived_.emplace_back(groups.size());
    meeting_of_.push_back(groups.empty() ? kAlone : intern(std::move(groups)));
  }
}

bool Executor::is_local(int64_t position) const {
  return others_.communicator == nullptr || others_.devices.contains(mesh_.device_of(position));
}

bool Executor::anything_open() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return w->shared.has_parts(); });
}

std::optional<int64_t> Executor::next_device() {
  std::unique_lock lock(mutex_);
  if (!ready_.empty()) {
    if (hooks_.schedule != 0)
      std::swap(ready_[draw() % ready_.size()], ready_.back());
    const int64_t device = ready_.back();
    ready_.pop_back();
    num_ready_.fetch_sub(1);
    ++running_;
    return device;
  }
  if (running_ == 0 && flights_.empty() && running()) {
    lock.unlock();
    report_absent();
  }
  return std::nullopt;
}

// Nobody runs, nobody can, and not all have finished: whoever is not at a collective will never come.
void Executor::report_absent() {
  for (size_t d = 0; d < next_step_.size(); ++d)
    if (!waits_[d] && next_step_[d] < steps_.size()) {
      fail_with(Error(Code::internal, "TW-620", "the device stopped, and others wait for it at a collective"),
                static_cast<int64_t>(d), next_step_[d]);
      return;
    }
  const auto behind = std::min_element(next_step_.begin(), next_step_.end());
  fail_with(Error(Code::internal, "TW-620", "devices wait for each other at different collectives"),
            behind - next_step_.begin(), *behind);
}

// Runs a device until it waits, stops or finishes.
void Executor::run_device(Worker &me, int64_t device) {
  uint32_t &step = next_step_[static_cast<size_t>(device)];
  const auto end = static_cast<uint32_t>(steps_.size());
  bool waits = false;
  me.began = me.now;
  me.first = step;
  while (!waits && step < end && running()) {
    if (hooks_.any() && !provoke(device, step))
      break;
    if (others_.communicator != nullptr)
      listen(me, true);
    const uint32_t at = step;
    if (meeting_of_[at] != kAlone) {
      waits = !meet(me, device, at); // afterwards the device may be somebody else's
    } else if (steps_[at].loop.size != 0) {
      waits = !pass_loop(me, device, at); // afterwards too
    } else if (!steps_[at].targets.empty()) {
      step = jump(me, position_[static_cast<size_t>(device)], at);
    } else {
      run_kernel(me, position_[static_cast<size_t>(device)], at);
      ++step;
    }
  }
  if (!waits)
    record(me, device, step, step == end ? FlightRecord::Kind::finished : FlightRecord::Kind::stopped);
  const std::lock_guard lock(mutex_);
  --running_;
  if (!waits && step == end && ++finished_ == num_local_ && running())
    enter(after_steps());
}

// What a test wants to happen before a step; false: the device stops here.
bool Executor::provoke(int64_t device, uint32_t step) {
  if (hooks_.at_step != nullptr)
    hooks_.at_step(hooks_.user, device, step, !running());
  for (const Fault &fault : hooks_.faults) {
    if (fault.device != device || fault.step != step)
      continue;
    if (fault.kind == Fault::Kind::delay) {
      std::this_thread::sleep_for(fault.late);
      continue;
    }
    if (fault.kind == Fault::Kind::error)
      fail_with(Error(Code::internal, "TW-621", "an error provoked by a test"), device, step);
    return false;
  }
  return true;
}

// Time is looked at where there was something to do since, or for long not.
void Executor::record(Worker &me, int64_t device, uint32_t step, FlightRecord::Kind kind) {
  constexpr int kOften = 16;
  if (const int64_t bytes = bytes_before_[step] - bytes_before_[me.first];
      bytes < 0 || bytes >= kTimed || ++me.untimed >= kOften) {
    me.now = ticks();
    me.untimed = 0;
  }
  flight_.add(device, {me.began, me.now, me.first, step, kind, me.number});
  me.began = me.now;
  me.first = step;
}

void Executor::resolve(const BoundStep &step, int64_t device, const void **operands, void **results,
                       size_t apart) const {
  const auto pointer = [&](const Location &at) {
    return (at.base == 0 ? arenas_[at.arena] : static_cast<std::byte *>(arguments_[at.base - 1])) + at.offset;
  };
  const Location *at =
      step.places.data() + static_cast<size_t>(device) * (step.num_operands + step.num_results);
  for (size_t i = 0; i < step.num_operands; ++i)
    operands[i * apart] = pointer(*at++);
  for (size_t i = 0; i < step.num_results; ++i, ++at)
    results[i * apart] = pointer(*at);
}

void Executor::run_kernel(Worker &me, int64_t device, uint32_t step) {
  const BoundStep &bound = steps_[step];
  const Kernel *kernel = bound.kernels[static_cast<size_t>(device)];
  if (kernel == nullptr)
    return;
  resolve(bound, device, me.operands.data(), me.results.data());
  Shared &s = me.shared;
  s.device = device;
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

// Every device has its own copy of what decides, with the same bits, so all go the same way.
uint32_t Executor::jump(Worker &me, int64_t device, uint32_t step) const {
  const BoundStep &bound = steps_[step];
  if (bound.num_operands == 0)
    return bound.targets[0];
  resolve(bound, device, me.operands.data(), me.results.data());
  return bound.targets[ops::chosen_branch(me.operands[0], bound.selector_bytes,
                                          static_cast<uint32_t>(bound.targets.size()))];
}

// Lets counters run that wait or were not there.
void Executor::release(std::span<const int64_t> counters) {
  if (counters.empty())
    return;
  {
    const std::lock_guard lock(mutex_);
    ready_.insert(ready_.end(), counters.rbegin(), counters.rend());
    num_ready_.fetch_add(static_cast<int64_t>(counters.size()));
  }
  wake();
}

// True: the counter goes on. False: it has become another lane's, or waits for the others.
bool Executor::pass_loop(Worker &me, int64_t counter, uint32_t step) {
  const BoundStep &bound = steps_[step];
  const LoopEdge &loop = bound.loop;
  int64_t &position = position_[static_cast<size_t>(counter)];
  const int64_t at = position / loop.stride % loop.size;
  if (!loop.lanes) {
    const bool again = !loop.begins && at + 1 < loop.size;
    if (!loop.begins)
      position += again ? loop.stride : -at * loop.stride;
    next_step_[static_cast<size_t>(counter)] = again ? bound.targets[0] : step + 1;
    return true;
  }
  if (loop.begins) {
    ++next_step_[static_cast<size_t>(counter)];
    std::array<int64_t, sharding::kMostLanes> lanes;
    for (int64_t lane = 1; lane < loop.size; ++lane) {
      const int64_t other = counter + lane * loop.stride;
      next_step_[static_cast<size_t>(other)] = step + 1;
      position_[static_cast<size_t>(other)] = position + lane * loop.stride;
      waits_[static_cast<size_t>(other)] = 0;
      lanes[static_cast<size_t>(lane) - 1] = other;
    }
    release({lanes.data(), static_cast<size_t>(loop.size) - 1});
    return true;
  }
  const int64_t first = counter - at * loop.stride;
  record(me, counter, step, FlightRecord::Kind::arrived);
  waits_[static_cast<size_t>(counter)] = 1;
  auto &arrived = lanes_arrived_[loop.axis][static_cast<size_t>(first)];
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < loop.size)
    return false;
  arrived.store(0, std::memory_order_relaxed);
  waits_[static_cast<size_t>(first)] = 0;
  next_step_[static_cast<size_t>(first)] = step + 1;
  if (counter == first)
    return true;
  release({&first, 1});
  return false;
}

// The device comes to a step that its group runs together. True: it has passed it, and whatever the same group runs
// behind it. False: others are still on their way.
bool Executor::meet(Worker &me, int64_t device, uint32_t step) {
  const Meeting &meeting = meetings_[meeting_of_[step]];
  const size_t group = meeting.group_of[static_cast<size_t>(position_[static_cast<size_t>(device)])];
  record(me, device, step, FlightRecord::Kind::arrived);
  waits_[static_cast<size_t>(device)] = 1;
  if (!arrive(step, group))
    return false;
  begin_collective(step, group);
  return go_on(me, {step, group, 0}, device);
}

// A member of a group comes to a step, or what the group awaits there is over. True: that was the last.
bool Executor::arrive(uint32_t step, size_t group) {
  const auto members = std::ssize(meetings_[meeting_of_[step]].groups[group]);
  const uint32_t awaited = steps_[step].awaits;
  auto &arrived = arrived_[step][group];
  const int64_t now = arrived.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (awaited != kNoStep && now == members)
    steps_[awaited].collective->set_awaited(group, true);
  if (now < members + (awaited != kNoStep ? 1 : 0))
    return false;
  arrived.store(0, std::memory_order_relaxed); // in a loop they come again
  return true;
}

void Executor::begin_collective(uint32_t step, size_t group) {
  const BoundStep &bound = steps_[step];
  if (bound.collective == nullptr)
    return;
  auto &send = send_[bound.collective_index];
  auto &receive = receive_[bound.collective_index];
  for (const int64_t m : bound.collective->members(group)) {
    const auto member = static_cast<size_t>(m);
    resolve(bound, bound.members[member], &send[member], &receive[member], bound.members.size());
  }
  bound.collective->begin(group, send, receive);
  if (awaited_at_[step] != kNoStep)
    bound.collective->set_awaited(group, false);
}

// Runs what a group runs together until it has to wait for messages, or frees all but `device`, which goes on here. False: that one
// has not passed.
bool Executor::go_on(Worker &me, Flight flight, int64_t device) {
  const uint32_t first = flight.step, meeting = meeting_of_[first];
  const auto &members = meetings_[meeting].groups[flight.group];
  while (true) {
    if (steps_[flight.step].collective != nullptr) {
      const Progress progress = run_stages(me, flight);
      const uint32_t awaited_at = awaited_at_[flight.step];
      if (progress == Progress::failed || (progress == Progress::under_way && awaited_at == kNoStep))
        return false;
      if (progress == Progress::over && awaited_at != kNoStep)
        arrive(awaited_at, flight.group); // before its members
    } else if (steps_[flight.step].awaits == kNoStep) {
      for (const int64_t m : members)
        run_kernel(me, m, flight.step);
    }
    flight = {flight.step + 1, flight.group, 0};
    // Tests that provoke something see every device come to every step.
    if (flight.step == steps_.size() || meeting_of_[flight.step] != meeting ||
        steps_[flight.step].awaits != kNoStep || hooks_.any() || !running())
      break;
    begin_collective(flight.step, flight.group);
  }

  if (device >= 0) {
    if (bytes_before_[flight.step] - bytes_before_[first] >= kTimed)
      me.now = ticks();
    flight_.add(device, {me.began, me.now, first, flight.step - 1, FlightRecord::Kind::combined, me.number});
    me.began = me.now;
    me.first = flight.step;
  }
  const auto counter_of = [&](int64_t position) { return mesh_.without(position, serial_axes_); };
  for (const int64_t m : members) {
    const auto counter = static_cast<size_t>(counter_of(m));
    waits_[counter] = 0;
    next_step_[counter] = flight.step;
  }
  if (members.size() > 1 || device < 0) {
    {
      const std::lock_guard lock(mutex_);
      for (size_t m = members.size(); m-- > 0;)
        if (const int64_t counter = counter_of(members[m]); counter != device)
          ready_.push_back(counter);
      num_ready_.fetch_add(static_cast<int64_t>(members.size()) - (device < 0 ? 0 : 1));
    }
    wake();
  }
  return true;
}

// The rest of a collective, or what of it can be done before messages come.
Executor::Progress Executor::run_stages(Worker &me, Flight &flight) {
  const BoundStep &bound = steps_[flight.step];
  comm::Collective &collective = *bound.collective;
  const size_t group = flight.group;
  const int64_t first =
      mesh_.without(bound.members[static_cast<size_t>(collective.members(group)[0])], serial_axes_);
  const auto fails = [&](Error &error) {
    fail_with(std::move(error), first, flight.step);
    return Progress::failed;
  };
  for (const size_t stages = collective.stages(group); flight.stage < stages; ++flight.stage) {
    auto ready = collective.ready(group, flight.stage);
    if (!ready)
      return fails(ready.error());
    if (!*ready) {
      {
        const std::lock_guard lock(mutex_);
        flights_.push_back(flight);
        flying_.fetch_add(1);
      }
      wake();
      return Progress::under_way;
    }
    Shared &s = me.shared;
    s.device = first;
    s.step = flight.step;
    s.kernel = nullptr;
    s.collective = &collective;
    s.group = group;
    s.stage = flight.stage;
    s.operands = send_[bound.collective_index];
    s.results = receive_[bound.collective_index];
    s.parts.store(collective.parts(group, flight.stage), std::memory_order_relaxed);
    share(me);
    if (Status sent = collective.send(group, flight.stage); !sent)
      return fails(sent.error());
  }
  return Progress::over;
}

// Looks once whether messages have come, and goes on with a collective that has them. False: nothing is in flight, or another worker looks.
bool Executor::land(Worker &me, bool naps) {
  if (!may_look() || looking_.exchange(true))
    return false;
  std::optional<Flight> landed;
  int64_t device = -1;
  uint32_t step = 0;
  std::chrono::nanoseconds patience{0};
  Status status = others_.communicator->poll();
  {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; status && !landed && i < flights_.size(); ++i) {
      comm::Collective &collective = *steps_[flights_[i].step].collective;
      patience = std::max(patience, collective.patience(flights_[i].group));
      auto ready = collective.ready(flights_[i].group, flights_[i].stage);
      if (!ready) {
        status = fail(std::move(ready.error()));
        step = flights_[i].step;
        device = steps_[step].members[static_cast<size_t>(collective.members(flights_[i].group)[0])];
      } else if (*ready) {
        landed = flights_[i];
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
        flying_.fetch_sub(1);
        ++running_;
      }
    }
  }
  looking_.store(false);
  const auto now = std::chrono::steady_clock::now();
  if (!status) {
    fail_with(std::move(status.error()), device, step);
    return true;
  }
  if (landed) {
    me.busy = now;
    wake();
    const uint32_t awaited_at = awaited_at_[landed->step];
    if (awaited_at == kNoStep)
      go_on(me, *landed, -1);
    else if (run_stages(me, *landed) == Progress::over && arrive(awaited_at, landed->group))
      go_on(me, {awaited_at, landed->group, 0}, -1);
    const std::lock_guard lock(mutex_);
    --running_;
    return true;
  }
  if (!naps)
    return true;
  if (now - me.busy < patience)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(kNap);
  return true;
}

// Between steps and their parts, so that messages move on while a process computes, and it hears of another's failure. Between steps it
// may go on with a collective whose messages have come.
void Executor::listen(Worker &me, bool lands) {
  const auto now = std::chrono::steady_clock::now();
  const bool any_flying = flying_.load(std::memory_order_relaxed) > 0;
  me.busy = now;
  if (now - me.listened < (any_flying ? kLook : kListen))
    return;
  me.listened = now;
  if (lands && any_flying) {
    const auto [began, first] = std::pair(me.began, me.first); // of the device that it interrupts
    land(me, false);
    me.began = began;
    me.first = first;
    return;
  }
  if (Status status = others_.communicator->poll(); !status)
    fail_with(std::move(status.error()), -1, 0);
}

// Which of the ready counters runs next, where a test draws the schedule. Under the lock.
uint64_t Executor::draw() {
  drawn_ = drawn_ * 6364136223846793005u + 1442695040888963407u;
  return drawn_ >> 33;
}

// The parts of a step in another order: from some part on, forwards or backwards.
int64_t Executor::drawn_part(int64_t part, int64_t parts, uint32_t step) const {
  const uint64_t bits = (hooks_.schedule + number_ + step) * 0x9e3779b97f4a7c15u >> 32;
  const int64_t begin = static_cast<int64_t>(bits >> 1) % parts;
  return bits % 2 == 0 ? (begin + part) % parts : (begin + parts - part) % parts;
}

// Runs all parts of me.shared, with whoever has time.
void Executor::share(Worker &me) {
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

void Executor::run_parts(Shared &s, Worker &me) {
  const int64_t begin = profile_ ? now() : 0, began = traces_ ? ticks() : 0;
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
      listen(me, false);
    Status status = s.prepares != nullptr ? s.kernel->prepare(part, s.operands, s.prepares)
                                          : s.kernel->run(part, s.operands, s.results, me.scratch.get());
    if (!status)
      fail_with(std::move(status.error()), s.device, s.step);
  }
  if (profile_)
    me.nanoseconds[s.step] += now() - begin;
  if (traces_ && took && me.traced.size() < kMostTraced)
    me.traced.push_back({began, ticks(), s.kernel == nullptr ? static_cast<int64_t>(s.group) : s.device,
                         s.step, s.kernel == nullptr});
}

bool Executor::help(Worker &me) {
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

std::optional<Executor::Failure> Executor::run_alone(std::span<const BoundStep> steps, int64_t device,
                                                     std::span<std::byte *const> arenas) {
  arenas_ = arenas;
  Worker &me = *workers_[0];
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const Kernel *kernel = steps[i].kernels[static_cast<size_t>(device)];
    if (kernel == nullptr)
      continue;
    resolve(steps[i], device, me.operands.data(), me.results.data());
    me.operands[steps[i].num_operands] = me.shared_memory.get();
    if (Status status = kernels::run_serially(*kernel, {me.operands.data(), steps[i].num_operands + 1},
                                              {me.results.data(), steps[i].num_results}, me.scratch.get());
        !status)
      return Failure{std::move(status.error()), device, i};
  }
  return std::nullopt;
}

std::span<const Executor::TraceRecord> Executor::traced(unsigned worker) const {
  return workers_[worker]->traced;
}

bool Executor::trace_is_full() const {
  return std::ranges::any_of(workers_, [](const auto &w) { return w->traced.size() == kMostTraced; });
}

std::vector<int64_t> Executor::step_nanoseconds() const { return sum_over_workers(&Worker::nanoseconds); }
std::vector<int64_t> Executor::step_calls() const { return sum_over_workers(&Worker::calls); }

std::vector<int64_t> Executor::sum_over_workers(std::vector<int64_t> Worker::*of) const {
  std::vector<int64_t> sum(profile_ ? steps_.size() : 0);
  for (const auto &worker : workers_)
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += ((*worker).*of)[i];
  return sum;
}

} // namespace tw::runtime
