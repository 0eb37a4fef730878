// SPDX-License-Identifier: Apache-2.0
// While messages of a collective are under way devices run steps that do not need them, and wait where one
// does.
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "comm/remote/remote.hpp"
#include "support/thread_transport.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_overlap_messages {

using namespace tw::test;
using runtime::Step;

namespace {

// %s is a sum over the devices that w's rows are on; %p, behind it, needs nothing of it.
std::shared_ptr<const graph::Graph> sum_and_products() {
  return import_of(R"(
func.func @main(%x: tensor<6x16xf32>, %w: tensor<16x6xf32>, %y: tensor<64x64xf32>) -> (tensor<6x6xf32>, tensor<64x64xf32>) {
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x16xf32>, tensor<16x6xf32>) -> tensor<6x6xf32>
  %t = stablehlo.tanh %s : tensor<6x6xf32>
  %p = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = stablehlo.dot_general %p, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %t, %q : tensor<6x6xf32>, tensor<64x64xf32>
})");
}
constexpr const char *kRows = "tile(arg=w, dim=0, axis=\"a\"); infer-propagate";

struct Ordered {
  std::shared_ptr<const spmd::Program> program;
  runtime::Schedule schedule;

  Ordered(std::shared_ptr<const graph::Graph> graph, const char *mesh_text, const char *spec,
          int64_t processes) {
    partition::Plan plan(std::move(graph), mesh(mesh_text));
    act(plan, spec);
    program = *spmd::lower(plan);
    const int64_t positions = program->mesh().num_positions();
    std::vector<int64_t> process;
    for (sharding::Position p; p < positions; ++p)
      process.push_back(p * processes / positions);
    const runtime::Layouts layouts(*program);
    schedule = runtime::schedule(*program, layouts, {.donate = true, .process = process});
  }
  size_t number_of(Step::Kind kind) const {
    return static_cast<size_t>(std::ranges::count(schedule.steps, kind, &Step::kind));
  }
};

} // namespace

TEST_CASE("products that need nothing of a sum run while it is under way") {
  const Ordered o(sum_and_products(), "a=2", kRows, 2);
  const auto &steps = o.schedule.steps;
  const auto sum = std::ranges::find(steps, Step::Kind::collective, &Step::kind);
  const auto wait = std::ranges::find(steps, Step::Kind::await, &Step::kind);
  REQUIRE(wait != steps.end());
  CHECK(wait - sum == 3); // two products stand between
  CHECK(sum->awaited == static_cast<uint32_t>(wait - steps.begin()));
  CHECK(wait->awaited == static_cast<uint32_t>(sum - steps.begin()));
}

TEST_CASE("in one process, or between devices of one, nobody waits for messages") {
  CHECK(Ordered(sum_and_products(), "a=2", kRows, 1).number_of(Step::Kind::await) == 0);
  CHECK(Ordered(sum_and_products(), "b=2,a=2", kRows, 2).number_of(Step::Kind::await) == 0);
  CHECK(Ordered(sum_and_products(), "a=2,b=2", kRows, 2).number_of(Step::Kind::await) == 1);
}

TEST_CASE("nothing that a collective makes is read, and nothing that it reads goes, before it is over") {
  for (const auto &[mesh, spec] : kStepPlans)
    for (const int64_t processes : {2, 5, 8}) {
      const Ordered o(step_program(), mesh, spec, processes);
      std::set<spmd::ValueRef> made, under_way;
      const auto root = [&](spmd::ValueRef v) { return o.schedule.views[v].root; };
      for (uint32_t s = 0; s < o.schedule.steps.size(); ++s) {
        const Step &step = o.schedule.steps[s];
        if (step.kind == Step::Kind::await) {
          const Step &collective = o.schedule.steps[step.awaited];
          CHECK(collective.awaited == s);
          for (const spmd::ValueRef v : collective.results)
            CHECK(under_way.erase(root(v)) == 1);
        }
        step.each_read([&](spmd::ValueRef v) {
          const spmd::ValueRef r = root(v);
          CHECK(under_way.count(r) == 0);
          CHECK((made.count(r) != 0 || o.schedule.is_static[r] ||
                 o.program->instrs()[o.program->values()[r].def].kind == spmd::InstrKind::argument));
        });
        for (const spmd::ValueRef v : step.results) {
          made.insert(root(v));
          if (step.kind == Step::Kind::collective && step.awaited != graph::kNone)
            under_way.insert(root(v));
        }
      }
      CHECK(under_way.empty());
    }
}

namespace {

// Of two processes one comes to the sum only when the other has gone past it.
struct Late {
  uint32_t sum = 0;
  std::atomic<bool> passed{false};
  static void at_step(void *user, sharding::Position device, uint32_t step, bool over) {
    auto &late = *static_cast<Late *>(user);
    if (device == 0 && step == late.sum + 2)
      late.passed = true;
    const auto begin = std::chrono::steady_clock::now();
    while (device == 1 && step == late.sum && !late.passed && !over &&
           std::chrono::steady_clock::now() - begin < std::chrono::seconds(10))
      std::this_thread::yield();
  }
};

} // namespace

TEST_CASE("a device goes on while another has not come to the collective that it began") {
  Runner alone(sum_and_products(), "a=2", kRows);
  REQUIRE(alone.run().has_value());
  const Ordered o(sum_and_products(), "a=2", kRows, 2);
  const auto &steps = o.schedule.steps;
  Late late;
  late.sum =
      static_cast<uint32_t>(std::ranges::find(steps, Step::Kind::collective, &Step::kind) - steps.begin());
  const auto processes = thread_processes(2);
  std::vector<std::string> made(2);
  std::vector<std::thread> threads;
  for (size_t p = 0; p < 2; ++p)
    threads.emplace_back([&, p] {
      runtime::Options options;
      options.whole_outputs = true;
      options.communicator = comm::make_remote(processes[p]);
      Runner runner(sum_and_products(), "a=2", kRows, std::move(options));
      runtime::Hooks hooks;
      hooks.at_step = Late::at_step;
      hooks.user = &late;
      runner.executable->set_hooks(hooks);
      const Status status = runner.run();
      if (!status)
        FAIL(status.error().message());
      made[p] = runner.bytes();
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(late.passed);
  CHECK(made[0] == alone.bytes());
}

} // namespace tw::test_overlap_messages
