// SPDX-License-Identifier: Apache-2.0
// Programs on devices that are reached by queues alone: whatever the queues do, one result.
#include <cstring>
#include <map>
#include <thread>

#include "unit/runtime/detached.hpp"
#include "unit/runtime/products_in_line.hpp"

namespace tw::test_queue_executor {

using namespace tw::test;

namespace {

// Runs under so many drawn schedules, in each way in which devices may share memory; answers how many results
// differ from the first.
int differing(const std::shared_ptr<const graph::Graph> &graph, const char *mesh, const char *spec,
              int schedules) {
  std::string first;
  int wrong = 0;
  for (uint64_t shares = 0; shares < 3; ++shares) {
    Runner runner(graph, mesh, spec, detached(3 + shares));
    for (int i = 0; i < schedules; ++i) {
      runner.executable->set_hooks(
          {{}, static_cast<uint64_t>(i + 1) * 0x9e3779b97f4a7c15u, nullptr, nullptr});
      for (auto &t : runner.outputs)
        std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
      REQUIRE(runner.run().has_value());
      if (first.empty())
        first = runner.bytes();
      wrong += runner.bytes() != first ? 1 : 0;
    }
  }
  return wrong;
}

} // namespace

TEST_CASE("hundreds of schedules of a training step, one result") {
  CHECK(differing(step_program(), "data=2,model=4", kStepSpec, 100) == 0);
}

TEST_CASE("hundreds of schedules of a loop with collectives, one result") {
  CHECK(differing(looping_program(3), "d=2,m=3", kLoopSpec, 100) == 0);
}

TEST_CASE("loops and decisions give what the evaluator gives") {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const auto graph = looping_program(5);
    Runner runner(graph, "d=2,m=3", kLoopSpec, detached(seed));
    give_integers(runner);
    for (int repeat = 0; repeat < 2; ++repeat)
      REQUIRE(runner.run().has_value());
    CHECK(runner.bytes() == evaluated(*graph, runner));
  }
}

TEST_CASE("long loops do not fill the queues without end") {
  const auto graph = looping_program(400);
  Runner runner(graph, "d=2,m=3", kLoopSpec, detached());
  for (auto &t : runner.inputs)
    std::memset(t.data(), 0, static_cast<size_t>(t.type().bytes()));
  REQUIRE(runner.run().has_value());
  CHECK(runner.bytes() == evaluated(*graph, runner));
}

TEST_CASE("several executables run at once") {
  const auto graph = step_program();
  std::vector<std::unique_ptr<Runner>> runners;
  for (uint64_t seed = 0; seed < 4; ++seed)
    runners.push_back(std::make_unique<Runner>(graph, "data=2,model=2", kStepSpec, detached(seed * 3)));
  std::vector<std::thread> threads;
  std::atomic<int> failed{0};
  for (auto &runner : runners)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        failed += runner->run().has_value() ? 0 : 1;
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(failed == 0);
  for (auto &runner : runners)
    CHECK(runner->bytes() == runners[0]->bytes());
}

TEST_CASE("runs go on behind the caller's back") {
  Runner runner(step_program(), "data=2,model=2", kStepSpec, detached(3));
  REQUIRE(runner.run().has_value());
  const std::string good = runner.bytes();
  for (auto &t : runner.outputs)
    std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
  REQUIRE(runner.executable->start(runner.input_views, runner.output_views).has_value());
  CHECK(!runner.executable->start(runner.input_views, runner.output_views).has_value());
  while (!runner.executable->test())
    std::this_thread::yield();
  REQUIRE(runner.executable->wait().has_value());
  CHECK(runner.bytes() == good);
}

TEST_CASE("an output may be the memory of its argument") {
  runtime::Options options = detached();
  options.donate = true;
  const auto graph = descent(kFirst, kSecond);
  Runner apart(graph, "d=2", "tile(arg=x, dim=0, axis=\"d\"); infer-propagate", detached());
  Runner runner(graph, "d=2", "tile(arg=x, dim=0, axis=\"d\"); infer-propagate", std::move(options));
  give_integers(apart);
  give_integers(runner);
  REQUIRE(apart.run().has_value());
  for (size_t i = 0; i < 2; ++i)
    runner.output_views[i] = runner.input_views[i];
  REQUIRE(runner.run().has_value());
  for (size_t i = 0; i < 2; ++i)
    CHECK(array_of(runner.inputs[i]).bytes == array_of(apart.outputs[i]).bytes);
}

TEST_CASE("what steps take is noted by events, on every device") {
  for (const uint64_t seed : {3, 4, 5}) { // each way in which devices may share memory
    runtime::Options options = detached(seed);
    options.profile = options.trace = true;
    Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
    const int64_t begin = ticks();
    for (int run = 0; run < 3; ++run)
      REQUIRE(runner.run().has_value());
    const int64_t end = ticks();
    Runner other(step_program(), "data=2,model=2", kStepSpec, detached(seed));
    REQUIRE(other.run().has_value());
    CHECK(runner.bytes() == other.bytes());

    const auto &executor = runner.executable->executor();
    int64_t calls = 0;
    for (const runtime::StepProfile &step : runner.executable->profile()) {
      CAPTURE(step.kind);
      CHECK(step.calls > 0);
      CHECK(step.calls % 3 == 0);
      CHECK(step.nanoseconds > 0);
      calls += step.calls;
    }
    const auto traced = executor.traced(0);
    CHECK(std::ssize(traced) >= calls); // of a move of several rounds each
    CHECK_FALSE(executor.trace_is_full());
    std::map<int64_t, int64_t> last; // by device: it does one thing at a time
    for (const auto &record : traced) {
      CHECK(record.begin <= record.end);
      // The scale of ticks is measured, so it is a little off.
      CHECK(record.begin >= begin - (end - begin) / 10);
      CHECK(record.end <= end + (end - begin) / 10);
      CHECK(record.begin >= last[record.place] - (end - begin) / 1000);
      last[record.place] = record.end;
    }
    CHECK(last.size() == 4);
  }
}

TEST_CASE("more is noted than there are events for") {
  runtime::Options options = detached(3);
  options.profile = true;
  Runner runner(products_in_line(300), "", "", std::move(options));
  Runner loop(looping_program(1500), "d=2,m=3", kLoopSpec, [] {
    runtime::Options noted = detached(3);
    noted.profile = true;
    return noted;
  }());
  REQUIRE(runner.run().has_value());
  REQUIRE(loop.run().has_value());
  for (const runtime::StepProfile &step : runner.executable->profile())
    CHECK(step.calls == 1);
  int64_t products = 0;
  for (const runtime::StepProfile &step : loop.executable->profile())
    products += step.kind.find("dot_general") != std::string::npos ? step.calls : 0;
  CHECK(products == 1500 * 3); // along d they are shared
}

} // namespace tw::test_queue_executor
