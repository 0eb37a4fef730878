// SPDX-License-Identifier: Apache-2.0
// Events that several queues record, in any order: every wait ends, and goes on behind the place for which
// the event stood when it was issued.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "device/detached/queue.hpp"
#include "device/kind.hpp"

namespace tw::test_detached_events {

using device::detached::DetachedQueue;

namespace {

constexpr size_t kQueues = 3, kEvents = 2, kOrders = 100'000, kTogether = 2000, kCommands = 6;

class Order {
public:
  Order() {
    const device::QueueKind &kind = *(*device::find_kind("detached"))->as_queues();
    for (size_t q = 0; q < kQueues; ++q)
      queues_.push_back(std::move(*kind.make_queue(0)));
    for (size_t e = 0; e < kEvents; ++e)
      events_.push_back(kind.make_event(0));
    places_.resize(kEvents, kNone);
  }

  // Some queues are late from now on, and others are not.
  void draw_delays() {
    for (const auto &queue : queues_)
      queue->draw_delays(random_());
  }

  // Records and waits of some queues, in an order that is drawn.
  void issue() {
    for (size_t i = 0; i < kCommands; ++i) {
      const size_t e = random_() % kEvents;
      auto &queue = static_cast<DetachedQueue &>(*queues_[random_() % kQueues]);
      if (random_() % 2 == 0) {
        places_[e] = reached_.size();
        const auto flag = reached_.emplace_back(std::make_shared<std::atomic<bool>>(false));
        queue.put([flag] { return flag->store(true), Status(); }, std::nullopt, true);
        queue.record(*events_[e]);
      } else {
        queue.wait(*events_[e]);
        if (places_[e] != kNone)
          queue.put([this, flag = reached_[places_[e]]] { return early_ += !flag->load(), Status(); },
                    std::nullopt, true);
      }
    }
  }

  // Whether all of it is over before long.
  bool ends() {
    const device::QueueKind &kind = *(*device::find_kind("detached"))->as_queues();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    for (const auto &queue : queues_) {
      const auto last = kind.make_event(0);
      queue->record(*last);
      while (!last->is_reached()) {
        if (std::chrono::steady_clock::now() > deadline)
          return false;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
    reached_.clear();
    places_.assign(kEvents, kNone);
    return true;
  }

  int64_t early() const { return early_; }
  bool all_reached() const {
    return std::ranges::all_of(events_, [](const auto &event) { return event->is_reached(); });
  }

private:
  static constexpr size_t kNone = SIZE_MAX;
  std::minstd_rand random_{7};
  std::vector<std::unique_ptr<device::Queue>> queues_;
  std::vector<std::unique_ptr<device::Event>> events_;
  std::vector<size_t> places_;                              // by event, of its last record
  std::vector<std::shared_ptr<std::atomic<bool>>> reached_; // by record
  std::atomic<int64_t> early_{0};
};

} // namespace

TEST_CASE("in 100,000 drawn orders every wait ends, and none goes on early") {
  auto order = std::make_unique<Order>();
  for (size_t done = 0; done < kOrders; done += kTogether) {
    order->draw_delays();
    for (size_t i = 0; i < kTogether; ++i)
      order->issue();
    if (!order->ends()) {
      static_cast<void>(order.release()); // its queues never come to an end
      FAIL("a queue still waits");
    }
    CHECK(order->all_reached());
  }
  CHECK(order->early() == 0);
}

} // namespace tw::test_detached_events
