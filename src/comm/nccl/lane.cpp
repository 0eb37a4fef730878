// SPDX-License-Identifier: Apache-2.0
// One lock around NCCL, one queue of launches, and waits that end by the stream, by an error or by the
// deadline.
#include "comm/nccl/lane.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tw::comm::nccl {
namespace {

constexpr auto kPollEvery = std::chrono::microseconds(300);
// What an abort takes to end what runs on the device.
constexpr auto kLastWait = std::chrono::seconds(1);
constexpr auto kStreamNap = std::chrono::microseconds(50);

} // namespace

Result<std::unique_ptr<Lane>> Lane::make(std::shared_ptr<Library> library, std::shared_ptr<Device> device,
                                         std::shared_ptr<Processes> processes,
                                         std::chrono::nanoseconds deadline, bool in_queue) {
  std::unique_ptr<Lane> made(new Lane(std::move(device), std::move(processes), deadline, in_queue));
  TW_ASSIGN(made->cliques_, Cliques::make(std::move(library), *made->device_, *made->processes_, deadline));
  return made;
}

Status Lane::dead() const {
  if (!dead_.load())
    return {};
  TW_TRY(processes_->poll());
  return fail(Code::failed_precondition, "TW-645", "the communicator of NCCL ended with an earlier error");
}

Result<Clique *> Lane::find_clique(std::span<const int64_t> group) {
  const std::lock_guard lock(mutex_);
  TW_TRY(dead());
  return cliques_->find(group);
}

Status Lane::begin(Launch &launch) {
  const std::lock_guard lock(mutex_);
  TW_TRY(dead());
  launch.state_ = Launch::State::waits;
  launch.began_ = Clock::now();
  launch.awaited_ = {};
  if (in_queue_) {
    TW_ASSIGN(launch.before_, device_->mark());
  }
  waiting_.push_back(&launch);
  return progress();
}

Status Lane::progress() {
  if (waiting_.empty())
    return {};
  const Inside inside(*device_);
  while (!waiting_.empty()) {
    Launch &launch = *waiting_.front();
    TW_ASSIGN(const bool launched, launch.advance());
    if (!launched)
      return {};
    TW_ASSIGN(launch.mark_, device_->mark());
    launch.state_ = Launch::State::launched;
    if (in_queue_)
      issued_.push_back({&launch, launch.before_, launch.mark_, launch.awaited_, {}});
    waiting_.pop_front();
  }
  return {};
}

Result<bool> Lane::is_over(Launch &launch, Clock::time_point awaited) {
  const std::lock_guard lock(mutex_);
  if (launch.state_ == Launch::State::over)
    return true;
  TW_TRY(dead());
  TW_TRY(progress());
  if (launch.state_ == Launch::State::launched) {
    TW_ASSIGN(const bool reached, device_->has_reached(launch.mark_));
    if (reached) {
      launch.state_ = Launch::State::over;
      return true;
    }
  }
  const auto now = Clock::now();
  TW_TRY(poll_sometimes(now));
  if (const auto since = std::max(launch.began_, awaited); now > since && now - since > deadline_)
    return fail(overdue(now - since, launch.state_ == Launch::State::launched));
  return false;
}

Result<bool> Lane::is_issued(Launch &launch) {
  const std::lock_guard lock(mutex_);
  TW_TRY(dead());
  TW_TRY(progress());
  if (launch.state_ != Launch::State::waits)
    return true;
  const auto now = Clock::now();
  TW_TRY(poll_sometimes(now));
  if (now - launch.began_ > deadline_)
    return fail(overdue(now - launch.began_, false));
  return false;
}

void Lane::set_awaited(Launch &launch, Clock::time_point since) {
  const std::lock_guard lock(mutex_);
  launch.awaited_ = since;
  const auto last = std::ranges::find(issued_.rbegin(), issued_.rend(), &launch, &Issued::launch);
  if (last != issued_.rend())
    last->awaited = since;
}

// They end one after the other, so only the first of them can be late.
Status Lane::look_after(Clock::time_point now) {
  for (; !issued_.empty(); issued_.pop_front()) {
    Issued &first = issued_.front();
    TW_ASSIGN(const bool over, device_->has_reached(first.behind));
    if (over)
      continue;
    if (first.since == Clock::time_point()) {
      TW_ASSIGN(const bool due, device_->has_reached(first.before));
      if (!due)
        return {};
      first.since = now;
    }
    if (const auto since = std::max(first.since, first.awaited); now > since && now - since > deadline_)
      return fail(overdue(now - since, true));
    return {};
  }
  return {};
}

Status Lane::poll_sometimes(Clock::time_point now) {
  if (now - polled_ < kPollEvery)
    return {};
  polled_ = now;
  TW_TRY(processes_->poll());
  return cliques_->poll();
}

// The one that does not answer is the one that stopped; who asked before us has told us meanwhile.
Error Lane::overdue(std::chrono::nanoseconds time, bool launched) {
  auto silent = processes_->silent();
  if (!silent)
    return std::move(silent.error());
  std::string text = fmt::format("process {} has waited {:.3g} s for {}", processes_->rank(),
                                 std::chrono::duration<double>(time).count(),
                                 launched ? "the device to exchange by NCCL" : "NCCL to begin an exchange");
  text += silent->empty() ? "; all processes answer: what one of them put into its stream does not end"
                          : fmt::format("; it is process {} that does not answer", silent->front());
  return {Code::deadline_exceeded, "TW-641", std::move(text)};
}

Status Lane::poll() {
  if (dead_.load())
    return dead();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock)
    return {};
  TW_TRY(processes_->poll());
  TW_TRY(progress());
  const auto now = Clock::now();
  TW_TRY(look_after(now));
  return poll_sometimes(now);
}

void Lane::abort() {
  const std::lock_guard lock(mutex_);
  if (dead_.exchange(true))
    return;
  waiting_.clear();
  issued_.clear();
  cliques_->abort();
}

bool Lane::is_in_flight(Launch &launch) {
  {
    const std::lock_guard lock(mutex_);
    if (launch.state_ == Launch::State::over)
      return false;
    if (launch.state_ == Launch::State::waits) { // a part of it may be there
      if (const auto mark = device_->mark())
        launch.mark_ = *mark;
    } else if (const auto reached = device_->has_reached(launch.mark_); reached && *reached) {
      launch.state_ = Launch::State::over;
      return false;
    }
  }
  abort();
  for (const auto begin = Clock::now(); Clock::now() - begin < kLastWait;) {
    const auto reached = device_->has_reached(launch.mark_);
    if (!reached)
      return true;
    if (*reached) {
      launch.state_ = Launch::State::over;
      return false;
    }
    std::this_thread::sleep_for(kStreamNap);
  }
  return true;
}

} // namespace tw::comm::nccl
