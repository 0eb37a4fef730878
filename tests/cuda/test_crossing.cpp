// SPDX-License-Identifier: Apache-2.0
// GPUs of several processes, on the doubles of the driver and of NCCL; processes are threads here. Which way
// they exchange, that results are those of one process, and that all of them are told when one fails.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "comm/remote/remote.hpp"
#include "cuda/double.hpp"
#include "device/kind.hpp"
#include "support/machine_pace.hpp"
#include "support/nccl_double/control.hpp"
#include "support/thread_transport.hpp"
#include "unit/runtime/detached.hpp"
#include "unit/runtime/written.hpp"

namespace tw::test_cuda_crossing {

using namespace tw::test;
using nccl_double::control;
using runtime::Fault;
using Exchange = runtime::Options::Exchange;

namespace {

// Of the environment of this process, and back again.
class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name))
      old_ = old;
    setenv(name, value, 1);
  }
  ~Variable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  const char *name_;
  std::string old_;
};

struct Told {
  bool succeeded = false;
  std::string error, bytes, exchange;
  double ms = 0;
};

struct How {
  std::shared_ptr<const graph::Graph> graph = step_program();
  const char *mesh = "data=2,model=2", *spec = kStepSpec;
  Exchange exchange = Exchange::direct;
  std::vector<int32_t> units = {};
  std::chrono::milliseconds deadline{20000}, of_a_run{0}; // of a wait for another process; 0: none
  int runs = 1;
  bool profile = false;
  std::function<void(int64_t, runtime::Options &)> adjust = {}; // of a process
  // What goes wrong in a process, and what is asked of it at the end.
  std::function<void(int64_t, runtime::Executable &)> prepare = {}, look = {};
};

std::shared_ptr<const spmd::Program> program_of(const How &how) {
  partition::Plan plan(how.graph, mesh(how.mesh));
  act(plan, how.spec);
  auto lowered = spmd::lower(plan, {});
  REQUIRE(lowered.has_value());
  return *lowered;
}

runtime::Options on_gpus(const How &how) {
  runtime::Options options;
  options.device = &device::cuda::kind();
  options.workers = 1;
  options.exchange = how.exchange;
  options.units = how.units;
  options.profile = how.profile;
  options.deadline = how.of_a_run;
  return options;
}

std::vector<Told> run_in(int64_t processes, const How &how) {
  const auto all = thread_processes(processes, how.deadline);
  std::vector<Told> told(all.size());
  const auto program = program_of(how);
  Runner arrays(how.graph, "", "");
  give_integers(arrays);
  std::vector<std::thread> threads;
  for (size_t p = 0; p < all.size(); ++p)
    threads.emplace_back([&, p] {
      runtime::Options options = on_gpus(how);
      options.communicator = comm::make_remote(all[p]);
      if (how.adjust)
        how.adjust(static_cast<int64_t>(p), options);
      auto executable = runtime::Executable::create(program, std::move(options));
      const auto fails_with = [&](const Error &error) {
        told[p].error = std::string(error.info().id) + " " + error.message();
      };
      if (!executable)
        return fails_with(executable.error());
      told[p].exchange = (*executable)->exchange();
      if (how.prepare)
        how.prepare(static_cast<int64_t>(p), **executable);
      std::vector<std::string> outputs;
      std::vector<runtime::TensorView> views;
      for (const auto &t : arrays.outputs)
        outputs.emplace_back(static_cast<size_t>(t.type().bytes()), kUnwritten);
      for (size_t i = 0; i < outputs.size(); ++i) {
        views.push_back(arrays.output_views[i]);
        views.back().data = reinterpret_cast<std::byte *>(outputs[i].data());
      }
      const auto begin = std::chrono::steady_clock::now();
      for (int run = 0; run < how.runs; ++run) {
        const Status status = (*executable)->run(arrays.input_views, views);
        told[p].succeeded = status.has_value();
        if (!status)
          fails_with(status.error());
      }
      told[p].ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      if (how.look)
        how.look(static_cast<int64_t>(p), **executable);
      for (const std::string &output : outputs)
        told[p].bytes += output;
    });
  for (std::thread &t : threads)
    t.join();
  return told;
}

std::string alone(const How &how) {
  Runner runner(how.graph, how.mesh, how.spec, on_gpus(how));
  give_integers(runner);
  REQUIRE(runner.run().has_value());
  return runner.bytes();
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

void check_nothing_stays() {
  CHECK(control().reports() == "");
  CHECK(control().live() == 0);
}

} // namespace

TEST_CASE("processes with a GPU each exchange over NCCL, with the bits of one process") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  for (const bool profile : {false, true})
    for (const int64_t processes : {1, 2, 3, 4, 6}) { // of six two have no device
      CAPTURE(processes);
      control().reset(static_cast<uint64_t>(processes));
      How how;
      how.runs = 3; // what lies between is recorded in the second
      how.profile = profile;
      double ns = 0;
      how.look = [&](int64_t process, runtime::Executable &executable) {
        const auto steps = executable.executor().step_nanoseconds();
        for (size_t i = 0; process == 0 && i < steps.size(); ++i)
          if (executable.executor().steps()[i].collective != nullptr)
            ns += static_cast<double>(steps[i]);
      };
      const auto told = run_in(processes, how);
      for (const Told &of : told) {
        CHECK_MESSAGE(of.succeeded, of.error);
        CHECK(of.exchange == "NCCL 2.28.9");
      }
      how.profile = false;
      CHECK(together(told) == alone(how));
      CHECK((processes == 1 || control().launched(0) > 0));
      CHECK((ns > 0) == (profile && processes > 1));
      check_nothing_stays();
    }
}

TEST_CASE("whatever the queues are delayed by, what crosses waits for the members and they for it") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  How how;
  how.runs = 2;
  const std::string want = alone(how);
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    control().reset(seed);
    Double().delays(seed);
    const auto told = run_in(seed % 2 == 0 ? 2 : 4, how);
    for (const Told &of : told)
      CHECK_MESSAGE(of.succeeded, of.error);
    CHECK(together(told) == want);
    check_nothing_stays();
  }
  Double().delays(0);
}

TEST_CASE("a collective in a loop crosses in each turn") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(7);
  How how;
  how.graph = looping_program(5);
  how.mesh = "m=4";
  how.spec = kLoopSpec;
  how.runs = 3;
  const auto told = run_in(2, how);
  for (const Told &of : told)
    CHECK_MESSAGE(of.succeeded, of.error);
  CHECK(together(told) == alone(how));
  CHECK(control().launched(0) >= 15);
  check_nothing_stays();
}

TEST_CASE("two processes on one GPU exchange through memory of the host, or are refused") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(8);
  How how;
  how.units = {1};
  how.exchange = Exchange::automatic;
  const auto told = run_in(2, how);
  for (const Told &of : told) {
    CHECK_MESSAGE(of.succeeded, of.error);
    CHECK_MESSAGE(has(of.exchange, "memory of the host: processes 0 and 1 are on one device"), of.exchange);
    CHECK(has(of.exchange, "0000:02:00.0)"));
  }
  CHECK(together(told) == alone(how));
  CHECK(control().made(0) == 0);
  how.exchange = Exchange::direct;
  for (const Told &of : run_in(3, how)) {
    CHECK_FALSE(of.succeeded);
    CHECK_MESSAGE(has(of.error, "are on one device"), of.error);
  }
  check_nothing_stays();
}

TEST_CASE("without NCCL processes exchange through memory of the host, and say why") {
  control().reset(9);
  const Variable gpus("TW_DOUBLE_GPUS", "8"), none("TW_NCCL", "libno_nccl.so");
  How how;
  how.exchange = Exchange::automatic;
  const auto told = run_in(2, how);
  for (const Told &of : told) {
    CHECK_MESSAGE(of.succeeded, of.error);
    CHECK_MESSAGE(has(of.exchange, "memory of the host: none: NCCL: cannot open libno_nccl.so"), of.exchange);
  }
  CHECK(together(told) == alone(how));
  how.exchange = Exchange::direct;
  for (const Told &of : run_in(2, how))
    CHECK_MESSAGE(has(of.error, "TW-654"), of.error);
}

TEST_CASE("memory of the host can be asked for, by all alike") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(10);
  How how;
  how.exchange = Exchange::host;
  for (const Told &of : run_in(2, how)) {
    CHECK_MESSAGE(of.succeeded, of.error);
    CHECK(of.exchange == "memory of the host, as asked for");
  }
  CHECK(control().made(0) == 0);
}

TEST_CASE("sums of floats are NCCL's own where any order is allowed, and only there") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  How how;
  how.mesh = "data=2";
  how.spec = "tile(arg=x, dim=0, axis=\"data\"); tile(arg=t, dim=0, axis=\"data\"); infer-propagate";
  std::vector<int64_t> own;
  for (const bool fast : {false, true}) {
    control().reset(11);
    how.adjust = [fast](int64_t, runtime::Options &options) { options.fast_sums = fast; };
    const auto told = run_in(2, how);
    for (const Told &of : told)
      CHECK_MESSAGE(of.succeeded, of.error);
    CHECK(together(told) == alone(how)); // of small integers, whose sums are exact
    own.push_back(control().collectives());
    check_nothing_stays();
  }
  CHECK(own[0] == 0);
  CHECK(own[1] > 0);
}

TEST_CASE("processes that were asked for different things do not run") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(16);
  How how;
  how.adjust = [](int64_t process, runtime::Options &options) { options.fast_sums = process == 0; };
  for (const Told &of : run_in(2, how))
    CHECK_MESSAGE(has(of.error, "the order of sums"), of.error);
  how.adjust = [](int64_t process, runtime::Options &options) {
    options.exchange = process == 0 ? Exchange::host : Exchange::automatic;
  };
  for (const Told &of : run_in(2, how))
    CHECK_MESSAGE(has(of.error, "way between processes"), of.error);
  check_nothing_stays();
}

TEST_CASE("a step that fails in one process ends the run in all, and nobody writes") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  uint32_t steps = 1;
  for (uint32_t step = 0; step < steps; ++step) {
    CAPTURE(step);
    control().reset(step + 1);
    How how;
    how.prepare = [&](int64_t process, runtime::Executable &executable) {
      if (process == 0)
        steps = static_cast<uint32_t>(executable.num_steps());
      if (process == static_cast<int64_t>(step % 2))
        executable.set_hooks({{{Fault::Kind::error, executable.local_positions()[0], step, {}}}});
    };
    for (const Told &of : run_in(2, how)) {
      CHECK_FALSE(of.succeeded);
      CHECK_MESSAGE(has(of.error, "an error provoked by a test"), of.error);
      CHECK(untouched(of));
      CHECK(of.ms < 10000); // told, not waited out
    }
    check_nothing_stays();
  }
  CHECK(steps > 5);
}

TEST_CASE("who waits on its GPU for a process that does not come names it when the deadline is over") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(12);
  How how;
  how.deadline = std::chrono::milliseconds(600) * machine_pace();
  const auto late = 5 * how.deadline;
  how.prepare = [late](int64_t process, runtime::Executable &executable) {
    if (process == 1)
      executable.set_hooks({{{Fault::Kind::delay, executable.local_positions()[0], 0, late}}});
  };
  const auto told = run_in(2, how);
  CHECK_FALSE(told[0].succeeded);
  CHECK_MESSAGE(has(told[0].error, "process 1"), told[0].error);
  CHECK(told[0].ms < static_cast<double>(late.count()) - 100);
  for (const Told &of : told) {
    CHECK_FALSE(of.succeeded);
    CHECK(untouched(of));
  }
  check_nothing_stays();
}

TEST_CASE(
    "a run that misses its deadline on a GPU that waits for another process ends, and the other is told") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(15);
  How how;
  how.of_a_run = std::chrono::milliseconds(500) * machine_pace();
  how.deadline = 8 * how.of_a_run; // the run's own comes first
  const auto late = 4 * how.of_a_run;
  how.prepare = [late](int64_t process, runtime::Executable &executable) {
    if (process == 1)
      executable.set_hooks({{{Fault::Kind::delay, executable.local_positions()[0], 0, late}}});
  };
  const auto told = run_in(2, how);
  CHECK_MESSAGE(has(told[0].error, "TW-673"), told[0].error);
  CHECK(told[0].ms < static_cast<double>(late.count()) - 100);
  for (const Told &of : told) {
    CHECK_FALSE(of.succeeded);
    CHECK(untouched(of));
  }
  check_nothing_stays();
}

TEST_CASE("a run that is cancelled while its GPU waits for another process ends, and the other is told") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(13);
  How how;
  std::thread canceller;
  how.prepare = [&](int64_t process, runtime::Executable &executable) {
    if (process == 1)
      executable.set_hooks(
          {{{Fault::Kind::delay, executable.local_positions()[0], 0, std::chrono::seconds(1)}}});
    else
      canceller = std::thread([&executable] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        executable.cancel(1);
      });
  };
  const auto told = run_in(2, how);
  canceller.join();
  CHECK_MESSAGE(has(told[0].error, "TW-627"), told[0].error);
  CHECK(told[0].ms < 900); // it does not wait for the other
  CHECK_FALSE(told[1].succeeded);
  for (const Told &of : told)
    CHECK(untouched(of));
  check_nothing_stays();
}

// The last: the context of that GPU is lost for good.
TEST_CASE("a GPU that is lost in one process ends the run in all") {
  const Variable gpus("TW_DOUBLE_GPUS", "8");
  control().reset(14);
  How how;
  how.units = {6, 7};
  how.runs = 1;
  how.prepare = [](int64_t process, runtime::Executable &) {
    if (process == 0)
      Double().fail_command(20, 700);
  };
  const auto told = run_in(2, how);
  for (const Told &of : told) {
    CHECK_FALSE(of.succeeded);
    CHECK(untouched(of));
    CHECK(of.ms < 10000);
  }
  CHECK((has(told[0].error, "TW-68") || has(told[1].error, "TW-68")));
  CHECK(control().live() == 0);
}

} // namespace tw::test_cuda_crossing
