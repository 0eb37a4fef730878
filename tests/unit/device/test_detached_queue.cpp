// SPDX-License-Identifier: Apache-2.0
// Commands of a queue run in order and later than they are issued; events put those of several in order.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "device/kind.hpp"
#include "device/queue.hpp"

namespace tw::test_detached_queue {

using device::Event;
using device::Queue;

namespace {

const device::QueueKind &kind() { return *(*device::find_kind("detached"))->as_queues(); }

void wait_for(const Event &event) {
  while (!event.is_reached())
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

// Adds to each of 16 numbers; waits until it may, and fails where it is told to.
class Add final : public kernels::Kernel {
public:
  explicit Add(int32_t amount) : amount_(amount) {}
  const char *name() const override { return "test:add"; }
  int64_t scratch_bytes() const override { return 64; }
  int64_t prepare_parts() const override { return 1; }
  int64_t shared_bytes() const override { return 64; }
  Status prepare(int64_t, std::span<const void *const>, void *shared) const override {
    static_cast<int32_t *>(shared)[0] = amount_;
    return {};
  }
  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    while (held)
      std::this_thread::yield();
    if (fails)
      return fail(Code::internal, "TW-000", "the addition broke");
    auto *own = static_cast<int32_t *>(scratch);
    for (int i = 0; i < 16; ++i) {
      own[0] = static_cast<const int32_t *>(operands[0])[i] + static_cast<const int32_t *>(operands[1])[0];
      static_cast<int32_t *>(results[0])[i] = own[0];
    }
    return {};
  }
  std::atomic<bool> held{false}, fails{false};

private:
  int32_t amount_;
};

struct Device {
  std::unique_ptr<Queue> queue = std::move(*kind().make_queue(0));
  std::unique_ptr<Event> event = kind().make_event(0);
  device::Memory memory = std::move(*device::allocate(kind(), 0, 4096, {}));

  void add(const Add &kernel, const void *from, void *to, uint32_t step = 0) {
    queue->launch(kernel, {&from, 1}, {&to, 1}, {sharding::Position(3), step});
  }
  std::vector<int32_t> read() {
    std::vector<int32_t> all(16);
    queue->copy_out(all.data(), memory.get(), 64);
    queue->record(*event);
    wait_for(*event);
    return all;
  }
};

constexpr int32_t kZero = 0;
std::span<const std::byte> bytes_of(const int32_t &number) { return std::as_bytes(std::span(&number, 1)); }

} // namespace

TEST_CASE("commands run in order, whatever the seed") {
  const Add two(2);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Device d;
    d.queue->draw_delays(seed);
    d.queue->fill(d.memory.get(), bytes_of(kZero), 16);
    for (int i = 0; i < 50; ++i)
      d.add(two, d.memory.get(), d.memory.get());
    CHECK(d.read() == std::vector<int32_t>(16, 100));
    CHECK(!d.queue->recover());
  }
}

TEST_CASE("copies take their bytes when they run") {
  Device d;
  Add hold(0);
  hold.held = true;
  std::vector<int32_t> host(16, 1), back(16, 0);
  d.queue->fill(d.memory.get(), bytes_of(kZero), 16);
  d.add(hold, d.memory.get(), d.memory.get());
  d.queue->copy_in(d.memory.get(), host.data(), 64);
  d.queue->copy_out(back.data(), d.memory.get(), 64);
  d.queue->record(*d.event);
  std::ranges::fill(host, 5); // issued, but not begun
  CHECK(!d.event->is_reached());
  CHECK(back[0] == 0);
  hold.held = false;
  wait_for(*d.event);
  CHECK(back == std::vector<int32_t>(16, 5));
}

TEST_CASE("an event stands for its last record when others wait for it") {
  const Add one(1);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Device a, b;
    a.queue->draw_delays(seed);
    b.queue->draw_delays(seed + 100);
    CHECK(a.event->is_reached()); // never recorded
    a.queue->fill(a.memory.get(), bytes_of(kZero), 16);
    for (int i = 0; i < 20; ++i) {
      a.add(one, a.memory.get(), a.memory.get());
      a.queue->record(*a.event);
      b.queue->wait(*a.event);
      b.add(one, a.memory.get(), b.memory.get());
      b.queue->record(*b.event);
      a.queue->wait(*b.event);
    }
    CHECK(b.read() == std::vector<int32_t>(16, 21));
  }
}

TEST_CASE("after a failure nothing runs but events, until it is told") {
  Device d;
  Add breaks(1);
  const Add one(1);
  d.queue->fill(d.memory.get(), bytes_of(kZero), 16);
  CHECK(d.read() == std::vector<int32_t>(16, 0));
  breaks.fails = true;
  d.add(one, d.memory.get(), d.memory.get(), 6);
  d.add(breaks, d.memory.get(), d.memory.get(), 7);
  d.add(one, d.memory.get(), d.memory.get(), 8);
  d.queue->record(*d.event);
  wait_for(*d.event);
  CHECK(d.queue->has_failed());
  const auto failure = d.queue->recover();
  REQUIRE(failure.has_value());
  CHECK(failure->origin.step == 7);
  CHECK(failure->origin.position == 3);
  CHECK(failure->error.message() == "the addition broke");
  CHECK(d.read() == std::vector<int32_t>(16, 1));
}

TEST_CASE("what has not begun can be dropped") {
  Device d;
  Add hold(1);
  d.queue->fill(d.memory.get(), bytes_of(kZero), 16);
  d.read();
  hold.held = true;
  for (uint32_t i = 0; i < 10; ++i)
    d.add(hold, d.memory.get(), d.memory.get(), i);
  while (!d.queue->running())
    std::this_thread::yield();
  d.queue->drop();
  hold.held = false;
  d.queue->record(*d.event);
  wait_for(*d.event);
  CHECK(!d.queue->recover());
  CHECK(d.read() == std::vector<int32_t>(16, 1));
}

TEST_CASE("host memory in place of the device's is an error") {
  Device d;
  const Add one(1);
  std::vector<int32_t> host(16);
  d.add(one, host.data(), d.memory.get());
  d.queue->record(*d.event);
  wait_for(*d.event);
  const auto failure = d.queue->recover();
  REQUIRE(failure.has_value());
  CHECK(failure->error.info().id == std::string("TW-674"));
}

TEST_CASE("commands reach memory of their own unit alone") {
  Device own;
  const device::Memory other = std::move(*device::allocate(kind(), 1, 64, {}));
  const int32_t one = 1;
  own.queue->fill(other.get(), std::as_bytes(std::span(&one, 1)), 16);
  own.queue->record(*own.event);
  wait_for(*own.event);
  auto failure = own.queue->recover();
  REQUIRE(failure);
  CHECK(std::string(failure->error.info().id) == "TW-674");
}

} // namespace tw::test_detached_queue
