// SPDX-License-Identifier: Apache-2.0
// What goes wrong on one device ends the run on all, says where, leaves the caller's arrays alone and the
// executable usable; a device that never comes to a collective is found without waiting for time to pass.
#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <thread>

#include "unit/runtime/step_program.hpp"

namespace tw::test_faults {

using namespace tw::test;

namespace {

bool untouched(const Runner &runner) {
  const std::string bytes = runner.bytes();
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) == 0xa5; });
}

void forget(Runner &runner) {
  for (auto &t : runner.outputs)
    std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
}

// Takes every tanh; fails when told to.
std::atomic<bool> tanh_fails{false};
class Tanh final : public kernels::Kernel {
public:
  const char *name() const override { return "test:tanh"; }
  Status run(int64_t, std::span<const void *const>, std::span<void *const>, void *) const override {
    if (tanh_fails)
      return fail(Code::internal, "TW-000", "the tanh broke");
    return {};
  }
};
std::unique_ptr<kernels::Kernel> dot_that_fails(const kernels::Request &request) {
  if (std::string_view(request.def.name) == "stablehlo.dot_general" &&
      request.operands[0].global.back() == 40)
    return std::make_unique<Tanh>();
  return nullptr;
}

} // namespace

namespace {

size_t entries(const char *folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(folder))
    ++count;
  return count;
}

// Counts the steps that a device begins although the run has failed: one may be on its way.
struct Late {
  std::array<std::atomic<int>, 8> begun{};
  static void at_step(void *user, sharding::Position position, uint32_t, bool over) {
    static_cast<Late *>(user)->begun[static_cast<size_t>(position)] += over ? 1 : 0;
  }
  int most() const {
    return std::max_element(begun.begin(), begun.end(), [](const auto &a, const auto &b) { return a < b; })
        ->load();
  }
};

using Kind = runtime::Fault::Kind;

} // namespace

TEST_CASE("an error on any device at any step ends the run everywhere") {
  int cases = 0;
  std::thread([] {}).join(); // with the first thread a sanitizer starts one of its own
  const size_t threads = entries("/proc/self/task"), files = entries("/proc/self/fd");
  for (const auto &layout : {std::pair{"data=2", 2}, {"data=2,model=2", 4}, {"data=2,model=4", 8}}) {
    const char *mesh = layout.first;
    const int devices = layout.second;
    for (const unsigned workers : {1u, 2u, 4u}) {
      runtime::Options options;
      options.workers = workers;
      const bool flat = devices == 2;
      Runner runner(step_program(), mesh,
                    flat ? "tile(arg=x, dim=0, axis=\"data\"); infer-propagate" : kStepSpec,
                    std::move(options));
      REQUIRE(runner.run().has_value());
      const std::string good = runner.bytes();
      const auto steps = static_cast<uint32_t>(runner.executable->num_steps());
      REQUIRE(steps > 5);
      for (uint32_t step = 0; step < steps; ++step)
        for (sharding::Position position; position < devices; ++position)
          for (const Kind kind : {Kind::error, Kind::absent, Kind::delay}) {
            CAPTURE(mesh);
            CAPTURE(workers);
            CAPTURE(step);
            CAPTURE(position);
            CAPTURE(static_cast<int>(kind));
            ++cases;
            forget(runner);
            Late late;
            runtime::Hooks hooks{
                {{kind, position, step, std::chrono::microseconds(100)}}, 0, Late::at_step, &late};
            // Another that comes later or never: the first one counts.
            if (kind == Kind::error && step + 1 < steps)
              hooks.faults.push_back({Kind::error, position, step + 1});
            runner.executable->set_hooks(std::move(hooks));
            const Status status = runner.run();
            CHECK(late.most() <= 1);
            if (kind == Kind::delay) {
              REQUIRE(status.has_value());
              CHECK(runner.bytes() == good);
              continue;
            }
            REQUIRE(!status.has_value());
            const ErrorInfo &info = status.error().info();
            CHECK(info.message.starts_with("device " + std::to_string(position) + " (data="));
            CHECK(info.message.find(runner.executable->step_name(step)) != std::string::npos);
            CHECK(info.id == std::string(kind == Kind::error ? "TW-621" : "TW-620"));
            CHECK(untouched(runner));
            runner.executable->set_hooks({});
            REQUIRE(runner.run().has_value());
            CHECK(runner.bytes() == good);
          }
    }
  }
  CHECK(cases >= 1000);
  MESSAGE(cases << " cases");
  // A joined thread is listed a moment longer.
  for (int i = 0; i < 1000 && entries("/proc/self/task") > threads; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(entries("/proc/self/task") == threads);
  CHECK(entries("/proc/self/fd") == files);
}

TEST_CASE("where a device never comes, the error lists where all are") {
  runtime::Options options;
  options.workers = 1;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
  const auto &steps = runner.executable->executor().steps();
  const auto collective = static_cast<uint32_t>(
      std::ranges::find_if(steps,
                           [](const auto &s) { return s.collective != nullptr || !s.leaders.empty(); }) -
      steps.begin());
  REQUIRE(collective + 1 < steps.size());
  runner.executable->set_hooks({{{Kind::absent, sharding::Position(3), 0}}});
  const Status status = runner.run();
  REQUIRE(!status.has_value());
  const auto &notes = status.error().info().notes;
  REQUIRE(notes.size() >= 2);
  CHECK(notes[0] == "device 3 stopped before step 0 of " + std::to_string(steps.size()) + ", " +
                        runner.executable->step_name(0));
  std::string rest;
  for (size_t i = 1; i < notes.size(); ++i)
    rest += notes[i];
  CHECK(rest.find("at step " + std::to_string(collective)) != std::string::npos);
  CHECK(rest.find(runner.executable->step_name(collective)) != std::string::npos);
}

TEST_CASE("the flight recorder tells what each device did last") {
  runtime::Options options;
  options.workers = 2;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
  const auto &executor = runner.executable->executor();
  const auto end = static_cast<uint32_t>(runner.executable->num_steps());
  REQUIRE(runner.run().has_value());
  using Record = runtime::FlightRecord;
  std::vector<Record> combined; // by whoever came last, for all who came
  for (sharding::Position position; position < 4; ++position)
    for (const Record &r : executor.flight().records(position))
      if (r.kind == Record::Kind::combined)
        combined.push_back(r);
  for (sharding::Position position; position < 4; ++position) {
    const auto records = executor.flight().records(position);
    REQUIRE(!records.empty());
    CHECK(records.back().kind == Record::Kind::finished);
    CHECK(records.back().last == end);
    uint32_t next = 0; // no step is missing, and none is told twice
    for (const Record &r : records) {
      CHECK(r.begin <= r.end);
      CHECK(r.worker < 2);
      if (r.kind == Record::Kind::combined)
        CHECK(r.first == next);
      else
        CHECK((r.first <= next + 1 || std::ranges::any_of(combined, [&](const Record &c) {
                 return c.first == next && c.last + 1 == r.first;
               })));
      next = r.last;
    }
  }
  runner.executable->set_hooks({{{Kind::error, sharding::Position(2), 3}}});
  REQUIRE(!runner.run().has_value());
  CHECK(executor.flight().records(sharding::Position(2)).back().kind == Record::Kind::stopped);
  CHECK(executor.flight().records(sharding::Position(2)).back().last == 3);
}

TEST_CASE("the error of a kernel comes with device, op and cause") {
  runtime::Options options;
  options.workers = 2;
  options.first_kernel = dot_that_fails;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
  tanh_fails = true;
  const Status status = runner.run();
  tanh_fails = false;
  REQUIRE(!status.has_value());
  const std::string &message = status.error().message();
  CHECK(message.starts_with("device "));
  CHECK(message.find("stablehlo.dot_general") != std::string::npos);
  CHECK(message.ends_with(": the tanh broke"));
  CHECK(untouched(runner));
  CHECK(runner.run().has_value());
}

} // namespace tw::test_faults
