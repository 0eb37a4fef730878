// SPDX-License-Identifier: Apache-2.0
// Queues of the kind on a double of the driver: memory of the program comes and
// goes, kernels of the host run on copies, and what fails says at which step.
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cuda/double.hpp"
#include "device/cuda/kernel.hpp"
#include "device/kind.hpp"

namespace tw::test_cuda_queue {

using device::Origin;
using sharding::Position;

namespace {

const device::QueueKind &cuda() { return *device::cuda::kind().as_queues(); }

std::unique_ptr<device::Queue> make_queue() {
  auto queue = cuda().make_queue(0);
  REQUIRE(queue);
  return std::move(*queue);
}

device::Memory memory_of(size_t bytes) {
  auto memory = device::allocate(cuda(), 0, bytes, {});
  REQUIRE(memory);
  return std::move(*memory);
}

// Until the queue has come here.
void wait_for(device::Queue &queue) {
  const auto event = cuda().make_event(0);
  CHECK(event->is_reached());
  queue.record(*event);
  while (!event->is_reached())
    std::this_thread::yield();
}

std::vector<std::byte> read(device::Queue &queue, const void *device, size_t bytes) {
  std::vector<std::byte> host(bytes);
  queue.copy_out(host.data(), device, bytes);
  wait_for(queue);
  return host;
}

// Adds operand 0 to what the result holds, or fails.
class Add final : public kernels::Kernel {
public:
  explicit Add(bool fails) : fails_(fails) {}
  const char *name() const override { return "add"; }
  int64_t scratch_bytes() const override { return 128; }
  Status run(int64_t, std::span<const void *const> in, std::span<void *const> out,
             void *scratch) const override {
    std::memset(scratch, 1, 128);
    if (fails_)
      return fail(Code::invalid_argument, "TW-621", "an error provoked by a test");
    for (size_t i = 0; i < 16; ++i) // without a sign, since some tests add what nobody wrote
      static_cast<uint32_t *>(out[0])[i] += static_cast<const uint32_t *>(in[0])[i];
    return {};
  }

private:
  bool fails_;
};

// Add as the kind runs it.
class Added {
public:
  explicit Added(bool fails) : add_(fails), kernel_(cuda().adapt(add_, {64, 64})) {
    REQUIRE(kernel_ != nullptr);
    CHECK(cuda().adapt(*kernel_, {64, 64}) == nullptr);
  }
  operator const kernels::Kernel &() const { return *kernel_; }

private:
  Add add_;
  std::unique_ptr<kernels::Kernel> kernel_;
};

} // namespace

TEST_CASE("arrays of the program come and go, larger than what lies between") {
  const test::Double driver;
  for (const uint64_t seed : {0, 1, 2}) {
    driver.delays(seed);
    const auto queue = make_queue();
    const size_t bytes = (size_t{9} << 20) + 5;
    const device::Memory memory = memory_of(bytes);
    std::vector<std::byte> array(bytes);
    for (size_t i = 0; i < bytes; ++i)
      array[i] = static_cast<std::byte>(i * 7 + i / 4096);
    queue->copy_in(memory.get(), array.data(), bytes);
    CHECK(read(*queue, memory.get(), bytes) == array);
    CHECK_FALSE(queue->has_failed());
    CHECK_FALSE(queue->running());
  }
  driver.delays(0);
}

TEST_CASE("fills repeat elements of any size") {
  const auto queue = make_queue();
  const device::Memory memory = memory_of(4096);
  for (const size_t size : {1, 2, 3, 4, 8, 12, 16, 24})
    for (const size_t times : {1, 2, 5, 64}) {
      CAPTURE(size);
      CAPTURE(times);
      std::vector<std::byte> element(size), expected;
      for (size_t i = 0; i < size; ++i)
        element[i] = static_cast<std::byte>(i + 1 + times);
      for (size_t i = 0; i < times; ++i)
        expected.insert(expected.end(), element.begin(), element.end());
      queue->fill(memory.get(), element, times);
      std::fill(element.begin(), element.end(), std::byte{0}); // it was taken at once
      CHECK(read(*queue, memory.get(), expected.size()) == expected);
    }
  const std::vector<std::byte> zeros(16);
  queue->fill(memory.get(), zeros, 256);
  CHECK(read(*queue, memory.get(), 4096) == std::vector<std::byte>(4096));
}

TEST_CASE("kernels of the host run on copies, in order") {
  const test::Double driver;
  driver.delays(3);
  const auto queue = make_queue();
  const device::Memory a = memory_of(64), b = memory_of(64);
  const int32_t three = 3, four = 4;
  queue->fill(a.get(), std::as_bytes(std::span(&three, 1)), 16);
  queue->fill(b.get(), std::as_bytes(std::span(&four, 1)), 16);
  const Added add(false);
  const void *operands[] = {a.get()};
  void *results[] = {b.get()};
  for (uint32_t step = 0; step < 5; ++step)
    queue->launch(add, operands, results, {Position(0), step});
  const auto got = read(*queue, b.get(), 64);
  const std::vector<int32_t> expected(16, 19);
  CHECK(std::memcmp(got.data(), expected.data(), 64) == 0);
  driver.delays(0);
}

TEST_CASE("what fails says at which step, what follows is left out, and the "
          "queue works again") {
  const auto queue = make_queue();
  const device::Memory memory = memory_of(64);
  const Added good(false), bad(true);
  const void *operands[] = {memory.get()};
  void *results[] = {memory.get()};
  const int32_t one = 1;
  queue->fill(memory.get(), std::as_bytes(std::span(&one, 1)), 16);
  queue->launch(good, operands, results, {Position(2), 10});
  queue->launch(bad, operands, results, {Position(2), 11});
  queue->launch(good, operands, results, {Position(2), 12});
  wait_for(*queue);
  CHECK(queue->has_failed());
  auto failure = queue->recover();
  REQUIRE(failure);
  CHECK(failure->origin.step == 11);
  CHECK(failure->origin.position == Position(2));
  CHECK(std::string(failure->error.info().id) == "TW-621");
  CHECK_FALSE(queue->has_failed());
  const auto got = read(*queue, memory.get(), 64);
  const std::vector<int32_t> expected(16, 2); // the first one ran
  CHECK(std::memcmp(got.data(), expected.data(), 64) == 0);

  queue->drop();
  queue->launch(good, operands, results, {Position(2), 13});
  CHECK_FALSE(queue->recover());
  CHECK(read(*queue, memory.get(), 64) == got);
}

TEST_CASE("events order queues whatever they are delayed by") {
  const test::Double driver;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    driver.delays(seed);
    const auto first = make_queue(), second = make_queue();
    const device::Memory memory = memory_of(64);
    const auto written = cuda().make_event(0), taken = cuda().make_event(0);
    std::vector<int32_t> got(16);
    const Added add(false);
    const void *operands[] = {memory.get()};
    void *results[] = {memory.get()};
    const int32_t one = 1;
    first->fill(memory.get(), std::as_bytes(std::span(&one, 1)), 16);
    for (uint32_t round = 0; round < 3; ++round) { // each doubles what the other left
      first->launch(add, operands, results, {Position(0), round});
      first->record(*written);
      second->wait(*written);
      second->launch(add, operands, results, {Position(1), round});
      second->record(*taken);
      first->wait(*taken);
    }
    first->copy_out(got.data(), memory.get(), 64);
    wait_for(*first);
    CHECK(got == std::vector<int32_t>(16, 64));
    wait_for(*second);
  }
  driver.delays(0);
}

// The last: the context stays lost in this process.
TEST_CASE("a lost GPU ends the run with the step that was under way") {
  const test::Double driver;
  const auto queue = make_queue();
  const device::Memory memory = memory_of(64);
  const Added add(false);
  const void *operands[] = {memory.get()};
  void *results[] = {memory.get()};
  queue->launch(add, operands, results, {Position(3), 20});
  wait_for(*queue);
  driver.fail_command(2, 700); // the mark of the step is the first
  queue->launch(add, operands, results, {Position(3), 21});
  queue->launch(add, operands, results, {Position(3), 22});
  wait_for(*queue);
  while (!queue->has_failed())
    std::this_thread::yield();
  const auto failure = queue->recover();
  REQUIRE(failure);
  CHECK(failure->error.code() == Code::device_lost);
  CHECK(failure->origin.step == 21);
  CHECK(failure->origin.position == Position(3));
  // From then on it says so.
  CHECK(queue->has_failed());
  const auto again = cuda().make_queue(0);
  REQUIRE_FALSE(again);
  CHECK(again.error().code() == Code::device_lost);
}

} // namespace tw::test_cuda_queue
