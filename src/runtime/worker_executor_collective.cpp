// SPDX-License-Identifier: Apache-2.0
// Where devices come together: the last of a group to come runs the step for all, and collectives between
// processes go on when their messages have come. One worker at a time asks for messages, and only when there
// is nothing to compute.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/worker_executor_worker.hpp"

namespace tw::runtime {

namespace {

// How often a computing worker asks whether another process has failed; and for how long one sleeps between
// looks for messages that it has given all the time they need.
constexpr auto kPollInterval = std::chrono::milliseconds(1);
constexpr auto kPollInFlight =
    std::chrono::microseconds(500); // the same of messages that it does not wait for
constexpr auto kCollectiveNap = std::chrono::microseconds(50);

} // namespace

// The device comes to a step that its group runs together. True: it has passed it, and whatever the same
// group runs behind it. False: others are still on their way.
bool WorkerExecutor::reach_collective(Worker &me, CounterId id, uint32_t step) {
  const Rendezvous &rendezvous = rendezvous_[rendezvous_of_[step]];
  const size_t group = rendezvous.group_of[static_cast<size_t>(counter(id).position)];
  record(me, id, step, FlightRecord::Kind::arrived);
  counter(id).waits = true;
  if (!arrive(step, group))
    return false;
  begin_collective(step, group);
  return go_on(me, {step, group, 0}, id);
}

// A member of a group comes to a step, or what the group awaits there is over. True: that was the last.
bool WorkerExecutor::arrive(uint32_t step, size_t group) {
  const auto members = std::ssize(rendezvous_[rendezvous_of_[step]].groups[group]);
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

void WorkerExecutor::begin_collective(uint32_t step, size_t group) {
  const BoundStep &bound = steps_[step];
  if (bound.collective == nullptr)
    return;
  auto &send = send_[bound.collective_index];
  auto &receive = receive_[bound.collective_index];
  for (const Position m : bound.collective->members(group)) {
    const auto member = static_cast<size_t>(m);
    resolve(bound, bound.members[member], &send[member], &receive[member], bound.members.size());
  }
  bound.collective->begin(group, send, receive);
  if (awaited_at_[step] != kNoStep)
    bound.collective->set_awaited(group, false);
}

// Runs what a group runs together until it has to wait for messages, or frees all but `own`, which goes on
// here. False: that one has not passed.
bool WorkerExecutor::go_on(Worker &me, Flight flight, CounterId own) {
  const uint32_t first = flight.step, rendezvous = rendezvous_of_[first];
  const auto &members = rendezvous_[rendezvous].groups[flight.group];
  while (true) {
    if (steps_[flight.step].collective != nullptr) {
      const Progress progress = run_stages(me, flight);
      const uint32_t awaited_at = awaited_at_[flight.step];
      if (progress == Progress::failed || (progress == Progress::under_way && awaited_at == kNoStep))
        return false;
      if (progress == Progress::over && awaited_at != kNoStep)
        arrive(awaited_at, flight.group); // before its members
    } else if (steps_[flight.step].awaits == kNoStep) {
      for (const Position m : members)
        run_kernel(me, m, flight.step);
    }
    flight = {flight.step + 1, flight.group, 0};
    // Tests that provoke something see every device come to every step.
    if (flight.step == steps_.size() || rendezvous_of_[flight.step] != rendezvous ||
        steps_[flight.step].awaits != kNoStep || hooks_.any() || !running())
      break;
    begin_collective(flight.step, flight.group);
  }

  if (own != CounterId::none) {
    if (bytes_before_[flight.step] - bytes_before_[first] >= kTimed)
      me.now = ticks();
    flight_.add(Position(static_cast<int64_t>(own)),
                {me.began, me.now, first, flight.step - 1, FlightRecord::Kind::combined, me.number});
    me.began = me.now;
    me.first = flight.step;
  }
  for (const Position m : members) {
    Counter &member = counter(counter_at(m));
    member.waits = false;
    member.step = flight.step;
  }
  if (members.size() > 1 || own == CounterId::none) {
    {
      const std::lock_guard lock(mutex_);
      for (size_t m = members.size(); m-- > 0;)
        if (const CounterId id = counter_at(members[m]); id != own)
          ready_.push_back(id);
      num_ready_.fetch_add(static_cast<int64_t>(members.size()) - (own == CounterId::none ? 0 : 1));
    }
    wake();
  }
  return true;
}

// The rest of a collective, or what of it can be done before messages come.
WorkerExecutor::Progress WorkerExecutor::run_stages(Worker &me, Flight &flight) {
  const BoundStep &bound = steps_[flight.step];
  comm::Collective &collective = *bound.collective;
  const size_t group = flight.group;
  const Position first(
      static_cast<int64_t>(counter_at(bound.members[static_cast<size_t>(collective.members(group)[0])])));
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
    s.position = first;
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

// Looks once whether messages have come, and goes on with a collective that has them. False: nothing is in
// flight, or another worker looks.
bool WorkerExecutor::progress(Worker &me, bool naps) {
  if (!may_poll() || is_polling_.exchange(true))
    return false;
  std::optional<Flight> arrived;
  Position position = sharding::kNoPosition;
  uint32_t step = 0;
  std::chrono::nanoseconds poll_interval{0};
  Status status = processes_.communicator->poll();
  {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; status && !arrived && i < flights_.size(); ++i) {
      comm::Collective &collective = *steps_[flights_[i].step].collective;
      poll_interval = std::max(poll_interval, collective.poll_interval(flights_[i].group));
      auto ready = collective.ready(flights_[i].group, flights_[i].stage);
      if (!ready) {
        status = fail(std::move(ready.error()));
        step = flights_[i].step;
        position = steps_[step].members[static_cast<size_t>(collective.members(flights_[i].group)[0])];
      } else if (*ready) {
        arrived = flights_[i];
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
        flying_.fetch_sub(1);
        ++running_;
      }
    }
  }
  is_polling_.store(false);
  const auto now = std::chrono::steady_clock::now();
  if (!status) {
    fail_with(std::move(status.error()), position, step);
    return true;
  }
  if (arrived) {
    me.busy = now;
    wake();
    const uint32_t awaited_at = awaited_at_[arrived->step];
    if (awaited_at == kNoStep)
      go_on(me, *arrived, CounterId::none);
    else if (run_stages(me, *arrived) == Progress::over && arrive(awaited_at, arrived->group))
      go_on(me, {awaited_at, arrived->group, 0}, CounterId::none);
    const std::lock_guard lock(mutex_);
    --running_;
    return true;
  }
  if (!naps)
    return true;
  if (now - me.busy < poll_interval)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(kCollectiveNap);
  return true;
}

// Between steps and their parts, so that messages move on while a process computes, and it hears of another's
// failure. Between steps it may go on with a collective whose messages have come.
void WorkerExecutor::poll(Worker &me, bool progresses) {
  const auto now = std::chrono::steady_clock::now();
  const bool any_flying = flying_.load(std::memory_order_relaxed) > 0;
  me.busy = now;
  if (now - me.polled < (any_flying ? kPollInFlight : kPollInterval))
    return;
  me.polled = now;
  if (progresses && any_flying) {
    const auto [began, first] = std::pair(me.began, me.first); // of the device that it interrupts
    progress(me, false);
    me.began = began;
    me.first = first;
    return;
  }
  if (Status status = processes_.communicator->poll(); !status)
    fail_with(std::move(status.error()), sharding::kNoPosition, 0);
}

} // namespace tw::runtime
