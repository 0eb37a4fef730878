// SPDX-License-Identifier: Apache-2.0
// Failures on devices with queues: of kernels, of the caller's patience, of time. The run ends and says
// where, outputs keep their bytes, nothing is lost, and the next run is whole.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "support/machine_pace.hpp"
#include "unit/runtime/detached.hpp"

namespace tw::test_queue_failures {

using namespace tw::test;

namespace {

bool untouched(const Runner &runner) {
  const std::string bytes = runner.bytes();
  return std::ranges::all_of(bytes, [](char c) { return static_cast<unsigned char>(c) == 0xa5; });
}

void forget(Runner &runner) {
  for (auto &t : runner.outputs)
    std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
}

size_t entries(const char *folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(folder))
    ++count;
  return count;
}

// Calls of products since it was set, of which one fails and one waits until it may go on.
std::atomic<int> calls{0}, fails_at{-1}, waits_at{-1};
std::atomic<bool> held{false};

// A product, as the reference makes it.
class Product final : public kernels::Kernel {
public:
  explicit Product(std::unique_ptr<kernels::Kernel> made) : made_(std::move(made)) {}
  const char *name() const override { return "test:product"; }
  int64_t parts() const override { return made_->parts(); }
  int64_t scratch_bytes() const override { return made_->scratch_bytes(); }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const int call = calls++;
    if (call == fails_at)
      return fail(Code::internal, "TW-000", "the product broke");
    while (call == waits_at && held)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    return made_->run(part, operands, results, scratch);
  }

private:
  std::unique_ptr<kernels::Kernel> made_;
};

std::unique_ptr<kernels::Kernel> product_of_tests(const kernels::Request &request) {
  if (std::string_view(request.def.name) != "stablehlo.dot_general")
    return nullptr;
  auto made = kernels::bind(request, nullptr, (*device::find_kind("detached"))->kernels());
  return made ? std::make_unique<Product>(std::move(*made)) : nullptr;
}

runtime::Options with_products(uint64_t delays = 0) {
  runtime::Options options = detached(delays);
  options.first_kernel = product_of_tests;
  calls = 0;
  fails_at = waits_at = -1;
  return options;
}

} // namespace

TEST_CASE("hundreds of kernels that fail: each run ends, says where, and leaves nothing behind") {
  std::thread([] {}).join(); // with the first thread a sanitizer starts one of its own
  int cases = 0;
  const size_t threads = entries("/proc/self/task"), files = entries("/proc/self/fd");
  for (const char *mesh : {"data=2", "data=2,model=2", "data=2,model=4"})
    for (uint64_t seed = 3; seed < 6; ++seed) { // each way in which devices may share memory
      const bool flat = std::string_view(mesh) == "data=2";
      Runner runner(step_program(), mesh,
                    flat ? "tile(arg=x, dim=0, axis=\"data\"); infer-propagate" : kStepSpec,
                    with_products(seed));
      REQUIRE(runner.run().has_value());
      const std::string good = runner.bytes();
      const int all = calls;
      REQUIRE(all > 4);
      for (int i = 0; i < 60; ++i) {
        CAPTURE(mesh);
        CAPTURE(seed);
        CAPTURE(i);
        ++cases;
        forget(runner);
        runner.executable->set_hooks(
            {{}, static_cast<uint64_t>(i + 1) * 0x9e3779b97f4a7c15u, nullptr, nullptr});
        calls = 0;
        fails_at = i % all;
        const Status status = runner.run();
        fails_at = -1;
        REQUIRE(!status.has_value());
        const std::string &message = status.error().message();
        CHECK(message.starts_with("device "));
        CHECK(message.find("stablehlo.dot_general") != std::string::npos);
        CHECK(message.ends_with(": the product broke"));
        CHECK(untouched(runner));
        REQUIRE(runner.run().has_value());
        CHECK(runner.bytes() == good);
      }
    }
  CHECK(cases >= 500);
  // A joined thread is listed a moment longer.
  for (int i = 0; i < 1000 && entries("/proc/self/task") > threads; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(entries("/proc/self/task") == threads);
  CHECK(entries("/proc/self/fd") == files);
}

TEST_CASE("an error where a step is issued ends the run everywhere") {
  using Kind = runtime::Fault::Kind;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, detached(3));
  REQUIRE(runner.run().has_value());
  const std::string good = runner.bytes();
  for (uint32_t step = 0; step < runner.executable->num_steps(); ++step)
    for (const Kind kind : {Kind::error, Kind::absent, Kind::delay}) {
      forget(runner);
      runner.executable->set_hooks({{{kind, sharding::Position(2), step, std::chrono::microseconds(100)}}});
      const Status status = runner.run();
      runner.executable->set_hooks({});
      CHECK(status.has_value() == (kind == Kind::delay));
      if (!status) {
        CHECK(untouched(runner));
        CHECK(status.error().message().starts_with("device 2 (data=1,model=0), "));
        REQUIRE(runner.run().has_value());
      }
      CHECK(runner.bytes() == good);
    }
}

TEST_CASE("a run that is cancelled ends, and what has not begun is dropped") {
  Runner runner(looping_program(5), "d=2,m=3", kLoopSpec, with_products());
  REQUIRE(runner.run().has_value());
  const std::string good = runner.bytes();
  forget(runner);
  calls = 0;
  waits_at = 3;
  held = true;
  const auto run = runner.executable->start(runner.input_views, runner.output_views);
  REQUIRE(run.has_value());
  while (calls <= 3)
    std::this_thread::yield();
  runner.executable->cancel(*run);
  held = false;
  const Status status = runner.executable->wait();
  waits_at = -1;
  REQUIRE(!status.has_value());
  CHECK(status.error().code() == Code::cancelled);
  CHECK(untouched(runner));
  REQUIRE(runner.run().has_value());
  CHECK(runner.bytes() == good);
}

TEST_CASE("a run that misses its deadline says where, and the next waits for nobody") {
  runtime::Options options = with_products();
  const auto deadline = std::chrono::milliseconds(200) * machine_pace();
  options.deadline = deadline;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
  REQUIRE(runner.run().has_value());
  const std::string good = runner.bytes();
  forget(runner);
  calls = 0;
  waits_at = 2;
  held = true;
  const auto begin = std::chrono::steady_clock::now();
  const Status status = runner.run();
  const auto took = std::chrono::steady_clock::now() - begin;
  REQUIRE(!status.has_value());
  CHECK(status.error().code() == Code::deadline_exceeded);
  CHECK(status.error().message().find("stablehlo.dot_general") != std::string::npos);
  CHECK(status.error().message().find(fmt::format("deadline of {} ms", deadline.count())) !=
        std::string::npos);
  CHECK(took >= deadline);
  CHECK(took < 100 * deadline);
  CHECK(untouched(runner));
  const Status again = runner.run(); // the device still runs that kernel
  REQUIRE(!again.has_value());
  CHECK(again.error().code() == Code::unavailable);
  waits_at = -1;
  held = false;
  Status whole = runner.run();
  for (int i = 0; i < 1000 && !whole; ++i) { // it comes back a moment later
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    whole = runner.run();
  }
  REQUIRE(whole.has_value());
  CHECK(runner.bytes() == good);
}

} // namespace tw::test_queue_failures
