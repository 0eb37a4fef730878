// SPDX-License-Identifier: Apache-2.0
// Recordings on the double of the driver: streams captured together become a graph that runs in any order
// that it allows, what cannot be captured is issued, and failures inside say at which step.
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cuda/double.hpp"
#include "device/cuda/kernel.hpp"
#include "device/kind.hpp"
#include "runtime/queue_executor.hpp"
#include "unit/runtime/products_in_line.hpp"

namespace tw::test_cuda_recording {

using namespace tw::test;
using device::Origin;
using sharding::Position;

namespace {

const device::QueueKind &cuda() { return *device::cuda::kind().as_queues(); }

runtime::Options on_gpu() {
  runtime::Options options;
  options.device = &device::cuda::kind();
  options.workers = 1;
  return options;
}

const runtime::QueueExecutor &queues_of(const Runner &runner) {
  return dynamic_cast<const runtime::QueueExecutor &>(runner.executable->executor());
}

// Asks for memory where it is enqueued, which nobody may who captures.
class Allocating final : public device::cuda::GpuKernel {
public:
  const char *name() const override { return "allocating"; }
  Status enqueue(device::cuda::CudaQueue &queue, std::span<const void *const>,
                 std::span<void *const> results) const override {
    ++calls;
    TW_ASSIGN(std::byte *const memory, queue.gpu().allocate(64));
    queue.gpu().free(memory);
    const float three = 3;
    queue.fill(results[0], std::as_bytes(std::span(&three, 1)), 16);
    return {};
  }
  static inline int calls = 0;
};

std::unique_ptr<kernels::Kernel> allocating(const kernels::Request &request) {
  if (std::string_view(request.def.name) != "stablehlo.dot_general")
    return nullptr;
  return std::make_unique<Allocating>();
}

} // namespace

TEST_CASE("a run of three hundred steps on a device is one launch of a graph") {
  const test::Double driver;
  const auto graph = products_in_line(300);
  Runner host(graph, "", ""), runner(graph, "", "", on_gpu());
  REQUIRE(runner.executable->num_steps() == 300);
  REQUIRE(host.run().has_value());
  std::vector<int64_t> calls, launches;
  for (int run = 0; run < 4; ++run) {
    std::memset(runner.outputs[0].data(), 0, 64);
    const int64_t calls_before = driver.calls(), launches_before = driver.graph_launches();
    REQUIRE(runner.run().has_value());
    calls.push_back(driver.calls() - calls_before);
    launches.push_back(driver.graph_launches() - launches_before);
    const auto *want = host.outputs[0].as<float>(), *got = runner.outputs[0].as<float>();
    for (int i = 0; i < 16; ++i)
      CHECK(got[i] == doctest::Approx(want[i]));
  }
  CHECK(launches == std::vector<int64_t>{0, 1, 1, 1});
  CHECK(calls[0] > 600); // a mark and a product a step
  // Copies of two arguments and a result, what is asked of the stream meanwhile, and the launch; waiting for
  // the end of the run asks again and again.
  const auto issued = [&] {
    runner.executable->set_hooks({});
    return driver.calls();
  }();
  CHECK(issued > 0);
  MESSAGE("issuing a run of 300 steps took ", queues_of(runner).issuing().count() / 1000, " us");
}

TEST_CASE("devices that move and share: graphs in drawn orders give what streams give") {
  const test::Double driver;
  for (const char *mesh : {"data=2,model=2"}) {
    runtime::Options without = on_gpu();
    without.without = {"record_runs"};
    Runner plain(step_program(), mesh, kStepSpec, std::move(without));
    REQUIRE(plain.run().has_value());
    for (uint64_t seed = 0; seed < 12; ++seed) {
      driver.delays(seed);
      Runner runner(step_program(), mesh, kStepSpec, on_gpu());
      for (int run = 0; run < 4; ++run) {
        for (auto &t : runner.outputs)
          std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
        REQUIRE(runner.run().has_value());
        CHECK(runner.bytes() == plain.bytes());
      }
      CHECK(queues_of(runner).num_recordings() == 1);
    }
    driver.delays(0);
  }
}

TEST_CASE("a loop is a graph a turn and a decision") {
  const test::Double driver;
  Runner host(looping_program(20), "d=2,m=3", "tile(arg=w, dim=0, axis=\"m\"); infer-propagate");
  Runner runner(looping_program(20), "d=2,m=3", "tile(arg=w, dim=0, axis=\"m\"); infer-propagate", on_gpu());
  REQUIRE(host.run().has_value());
  for (int run = 0; run < 3; ++run) {
    const int64_t before = driver.graph_launches();
    REQUIRE(runner.run().has_value());
    const int64_t launches = driver.graph_launches() - before;
    CHECK(launches >= 18);
    CHECK(launches <= 21);
  }
  const auto *want = host.outputs[0].as<float>(), *got = runner.outputs[0].as<float>();
  for (int i = 0; i < 96; ++i)
    CHECK(got[i] == doctest::Approx(want[i]));
}

TEST_CASE("what cannot be captured is issued, and nobody notices") {
  const test::Double driver;
  runtime::Options options = on_gpu();
  options.first_kernel = allocating;
  Runner runner(products_in_line(20), "", "", std::move(options));
  const int64_t before = driver.graph_launches();
  for (int run = 0; run < 4; ++run) {
    std::memset(runner.outputs[0].data(), 0, 64);
    Allocating::calls = 0;
    REQUIRE(runner.run().has_value());
    for (int i = 0; i < 16; ++i)
      CHECK(runner.outputs[0].as<float>()[i] == 3);
    CHECK(Allocating::calls == (run == 1 ? 40 : 20)); // once it was tried
  }
  CHECK(driver.graph_launches() == before);
  CHECK(queues_of(runner).num_recordings() == 0);
}

TEST_CASE("recordings and what they were made of are given back") {
  const test::Double driver;
  { const Runner first(step_program(), "data=2,model=2", kStepSpec, on_gpu()); } // contexts stay
  const int64_t before = driver.alive();
  for (int i = 0; i < 3; ++i) {
    Runner runner(step_program(), "data=2,model=2", kStepSpec, on_gpu());
    for (int run = 0; run < 3; ++run)
      REQUIRE(runner.run().has_value());
    CHECK(driver.alive() > before);
  }
  CHECK(driver.alive() == before);
}

TEST_CASE("a queue that is not in a recording cannot be waited for in it") {
  const auto queue = cuda().make_queue(0), other = cuda().make_queue(0);
  REQUIRE(queue);
  REQUIRE(other);
  const auto event = cuda().make_event(0), own = cuda().make_event(0);
  (*other)->record(*event);
  (*queue)->record(*own);
  while (!event->is_reached() || !own->is_reached())
    std::this_thread::yield();
  device::Queue *const queues[] = {queue->get()};
  for (const bool is_foreign : {false, true}) {
    const auto recording = cuda().make_recording(queues);
    REQUIRE(recording->begin().has_value());
    (*queue)->wait(is_foreign ? *event : *own);
    CHECK(recording->end().has_value() != is_foreign);
    CHECK_FALSE((*queue)->has_failed());
  }
}

// The last: the context stays lost in this process.
TEST_CASE("a GPU that is lost inside a graph names the op, and others go on") {
  const test::Double driver;
  const auto on = [](int32_t gpu) {
    runtime::Options options = on_gpu();
    options.units = {gpu};
    return options;
  };
  const auto graph = products_in_line(40);
  Runner runner(graph, "", "", on(0)), neighbour(graph, "", "", on(0)), other(graph, "", "", on(1)),
      host(graph, "", "");
  for (Runner *each : {&runner, &neighbour, &other, &host})
    for (int run = 0; run < 2; ++run)
      REQUIRE(each->run().has_value());
  REQUIRE(queues_of(runner).num_recordings() == 1);
  std::memset(runner.outputs[0].data(), 0xa5, 64);
  const std::string untouched = runner.bytes();
  // Two arguments come by a function and a copy each; then a mark and a product a step: that of step 24.
  driver.fail_command(4 + 2 * 24 + 2, 700);
  const std::string op = ", " + runner.executable->step_name(24) + ": ";
  for (int again = 0; again < 3; ++again) {
    const Status status = runner.run();
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().code() == Code::device_lost);
    CHECK(status.error().message().find(op) != std::string::npos);
    CHECK(runner.bytes() == untouched);
  }
  const Status beside = neighbour.run();
  REQUIRE_FALSE(beside.has_value());
  CHECK(beside.error().code() == Code::device_lost);
  for (Runner *each : {&other, &host})
    for (int run = 0; run < 2; ++run) {
      const std::string good = each->bytes();
      REQUIRE(each->run().has_value());
      CHECK(each->bytes() == good);
    }
}

} // namespace tw::test_cuda_recording
