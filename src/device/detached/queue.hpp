// SPDX-License-Identifier: Apache-2.0
// Queues of the detached kind: each is a thread that runs its commands in order, some time after they are
// issued. A seed draws how long it rests before which command.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "comm/local/by_taker.hpp"
#include "device/queue.hpp"

namespace tw::device::detached {

// One record of an event: where a queue comes to, once.
struct Place {
  std::atomic<bool> reached{false};
  int64_t nanoseconds = 0; // of the clock, when the queue came to it
};

// The place of the last record; none before the first. Each record has a place of its own, since queues come
// to the records of one event in any order: a count of those reached would say of a late record that a later
// one is not reached any more, or of an early one that a late one is.
class EventState {
public:
  std::shared_ptr<const Place> last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  void set(std::shared_ptr<const Place> place) {
    const std::lock_guard lock(mutex_);
    last_ = std::move(place);
  }

private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Place> last_;
};

class DetachedEvent final : public Event {
public:
  bool is_reached() const override {
    const auto place = state_->last();
    return place == nullptr || place->reached.load(std::memory_order_acquire);
  }
  int64_t nanoseconds_since(const Event &earlier) const override {
    return state_->last()->nanoseconds -
           static_cast<const DetachedEvent &>(earlier).state_->last()->nanoseconds;
  }
  const std::shared_ptr<EventState> &state() const { return state_; }

private:
  std::shared_ptr<EventState> state_ = std::make_shared<EventState>(); // recordings keep it
};

class DetachedRecording;

class DetachedQueue final : public Queue {
public:
  static Result<std::unique_ptr<Queue>> make(int32_t unit);
  ~DetachedQueue() override;

  void record(Event &event) override;
  void wait(const Event &event) override;
  void copy_in(void *device, const void *host, size_t bytes) override;
  void copy_out(void *host, const void *device, size_t bytes) override;
  void copy(const kernels::StridedCopy &what, At from, At to, const std::atomic<bool> *unless) override;
  void fill(void *device, std::span<const std::byte> element, size_t times) override;
  void launch(const kernels::Kernel &kernel, std::span<const void *const> operands,
              std::span<void *const> results, Origin origin) override;
  void move(const comm::ByTaker &moves, size_t round, sharding::Position taker, comm::ByTaker::Tiles tiles,
            Origin origin);

  bool has_failed() const override;
  bool may_fail_late() const override { return true; }
  void tell_failure(std::atomic<bool> *failed) override;
  std::optional<Origin> running() const override;
  void drop() override;
  std::optional<Failure> recover() override;
  void draw_delays(uint64_t seed) override;

  // Not null: what it is given from now on is kept there, and not run.
  void keep_in(DetachedRecording *recording) { recording_ = recording; }
  using Run = std::function<Status()>;
  // `always`: also after a failure.
  void put(Run run, std::optional<Origin> origin, bool always);
  void put_record(EventState &event);
  void put_wait(const EventState &event);

private:
  struct State; // shared with the thread

  DetachedQueue(int32_t unit, std::shared_ptr<State> state, std::thread thread);
  void push(Run run, std::optional<Origin> origin);

  const int32_t unit_; // whose memory its commands are about, but for moves, which read that of any
  std::shared_ptr<State> state_;
  DetachedRecording *recording_ = nullptr;
  std::thread thread_;
};

} // namespace tw::device::detached
