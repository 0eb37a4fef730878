// SPDX-License-Identifier: Apache-2.0
// Devices with queues in several processes, which are threads here: each writes its part with the bits of one
// process, and what fails in one ends the run on all, with outputs as they were.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "comm/remote/remote.hpp"
#include "support/machine_pace.hpp"
#include "support/thread_transport.hpp"
#include "unit/runtime/detached.hpp"
#include "unit/runtime/written.hpp"

namespace tw::test_queue_processes {

using namespace tw::test;
using runtime::Fault;

namespace {

struct Told {
  bool succeeded = false;
  std::string error, bytes;
  std::vector<runtime::OnHost> on_host;
  double ms = 0;
};

// A run of the step program in so many processes; `prepare` may arm what goes wrong in one.
std::vector<Told> run_in(int64_t processes, uint64_t delays, std::chrono::milliseconds deadline,
                         const std::function<void(int64_t, runtime::Executable &)> &prepare = {}) {
  const auto all = thread_processes(processes, deadline);
  std::vector<Told> told(all.size());
  std::vector<std::thread> threads;
  for (size_t p = 0; p < all.size(); ++p)
    threads.emplace_back([&, p] {
      runtime::Options options = detached(delays);
      options.communicator = comm::make_remote(all[p]);
      Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
      give_integers(runner);
      if (prepare)
        prepare(static_cast<int64_t>(p), *runner.executable);
      const auto begin = std::chrono::steady_clock::now();
      const Status status = runner.run();
      told[p].ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      told[p].succeeded = status.has_value();
      if (!status)
        told[p].error = status.error().message();
      told[p].bytes = runner.bytes();
      told[p].on_host = runner.executable->on_host();
    });
  for (std::thread &t : threads)
    t.join();
  return told;
}

} // namespace

TEST_CASE("processes write the bits of one process, whatever queues are delayed by") {
  Runner alone(step_program(), "data=2,model=2", kStepSpec, detached());
  give_integers(alone);
  REQUIRE(alone.run().has_value());
  for (const int64_t processes : {2, 3, 4, 6}) // of six two have no device
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(processes);
      CAPTURE(seed);
      const auto told = run_in(processes, seed, std::chrono::seconds(30));
      for (const Told &of : told)
        CHECK_MESSAGE(of.succeeded, of.error);
      CHECK(together(told) == alone.bytes());
    }
}

TEST_CASE("what goes to other processes through memory of the host is told") {
  Runner alone(step_program(), "data=2,model=2", kStepSpec, detached());
  CHECK(alone.executable->on_host().empty());
  const auto told = run_in(2, 1, std::chrono::seconds(30));
  for (const Told &of : told) {
    REQUIRE(!of.on_host.empty());
    for (const runtime::OnHost &h : of.on_host) {
      CHECK(h.reason == "what goes to other processes goes through memory of the host");
      CHECK(h.steps > 0);
      CHECK(h.bytes > 0);
    }
  }
}

TEST_CASE("a step that fails in one process ends the run in all of them, and nobody writes") {
  constexpr auto kDeadline = std::chrono::seconds(20);
  uint32_t steps = 1;
  for (uint32_t step = 0; step < steps; ++step)
    for (const int64_t where : {0, 1}) {
      CAPTURE(step);
      CAPTURE(where);
      const auto told = run_in(2, step + 1, kDeadline, [&](int64_t process, runtime::Executable &executable) {
        if (process == 0)
          steps = static_cast<uint32_t>(executable.num_steps());
        if (process == where)
          executable.set_hooks({{{Fault::Kind::error, executable.local_positions()[0], step, {}}}});
      });
      for (size_t p = 0; p < told.size(); ++p) {
        CHECK_FALSE(told[p].succeeded);
        CHECK(told[p].error.find("an error provoked by a test") != std::string::npos);
        CHECK(untouched(told[p]));
        CHECK(told[p].ms < 1000.0 * 10); // told, not waited out
      }
    }
  CHECK(steps > 5);
}

TEST_CASE("a process that never comes is named when the deadline is over") {
  const auto deadline = std::chrono::milliseconds(400) * machine_pace();
  const auto late = 7 * deadline;
  const auto told = run_in(2, 3, deadline, [late](int64_t process, runtime::Executable &executable) {
    if (process == 1)
      executable.set_hooks({{{Fault::Kind::delay, executable.local_positions()[0], 0, late}}});
  });
  CHECK_FALSE(told[0].succeeded);
  CHECK_MESSAGE(told[0].error.find("process 1") != std::string::npos, told[0].error);
  CHECK(untouched(told[0]));
  CHECK(told[0].ms < static_cast<double>(late.count()) - 100);
  CHECK_FALSE(told[1].succeeded);
  CHECK(untouched(told[1]));
}

} // namespace tw::test_queue_processes
