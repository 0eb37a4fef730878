// SPDX-License-Identifier: Apache-2.0
// Each pass over steps may be left out by its name: results stay those of the reference evaluator, and each
// is worth something to some program of the tree.
#include <algorithm>
#include <map>
#include <thread>

#include "comm/remote/remote.hpp"
#include "kernels/ref/evaluate.hpp"
#include "runtime/fill.hpp"
#include "runtime/memory.hpp"
#include "support/compare.hpp"
#include "support/thread_transport.hpp"
#include "support/tree_programs.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_passes {

using namespace tw::test;
using runtime::Step;

namespace {

struct Subject {
  const char *file, *mesh, *spec;
  int64_t processes;
};
constexpr Subject kSubjects[] = {
    {"tests/golden/programs/attention.mlir", "", "", 1},
    {"tests/golden/programs/attention.mlir", "a=2", "tile(arg=0, dim=0, axis=\"a\"); infer-propagate", 1},
    {"tests/golden/programs/step.mlir", "data=2",
     "tile(arg=x, dim=0, axis=\"data\"); tile(arg=y, dim=0, axis=\"data\"); infer-propagate", 1},
    {"tests/golden/programs/step.mlir", "data=2",
     "tile(arg=x, dim=0, axis=\"data\"); tile(arg=y, dim=0, axis=\"data\"); infer-propagate", 2},
    {"tests/golden/programs/scan_layers.mlir", "data=2", "tile(arg=0, dim=0, axis=\"data\"); infer-propagate",
     1},
};

// Each subject's program, with all that a run of it needs.
struct Case {
  const Subject &subject;
  std::shared_ptr<const graph::Graph> graph;
  std::shared_ptr<const spmd::Program> program;
  std::vector<runtime::Tensor> inputs;
  std::vector<kernels::ref::Array> expected;

  explicit Case(const Subject &of) : subject(of), graph(programs_of(source_path(of.file))[0].imported.graph) {
    partition::Plan plan(graph, mesh(of.mesh));
    act(plan, of.spec);
    auto lowered = spmd::lower(plan);
    REQUIRE(lowered.has_value());
    program = *lowered;
    for (const graph::OpId op : graph->arguments()) {
      inputs.emplace_back(graph->type(graph->result(op)));
      REQUIRE(runtime::fill(inputs.back().view(), "randint(-2,3)", 1, inputs.size()).has_value());
    }
    auto evaluated = kernels::ref::evaluate(*graph, arrays_of(inputs));
    REQUIRE(evaluated.has_value());
    expected = std::move(*evaluated);
  }

  // Results of this process, or of all: each writes what its devices hold.
  void run(const std::vector<std::string> &without) const {
    std::vector<runtime::Tensor> outputs;
    std::vector<runtime::TensorView> in, out;
    for (const runtime::Tensor &t : inputs)
      in.push_back(t.view());
    for (const graph::OpId op : graph->results())
      outputs.emplace_back(graph->type(graph->operands(op)[0]));
    for (runtime::Tensor &t : outputs)
      out.push_back(t.view());
    const auto processes = thread_processes(subject.processes);
    std::vector<std::string> problems(processes.size());
    std::vector<std::thread> threads;
    for (size_t p = 0; p < processes.size(); ++p)
      threads.emplace_back([&, p] {
        runtime::Options options;
        options.workers = 2;
        options.without = without;
        options.whole_outputs = true;
        if (processes.size() > 1)
          options.communicator = comm::make_remote(processes[p]);
        const auto executable = runtime::Executable::create(program, std::move(options));
        if (!executable) {
          problems[p] = executable.error().message();
          return;
        }
        // Only the first process is given results.
        std::vector<runtime::Tensor> own;
        std::vector<runtime::TensorView> views = out;
        if (p > 0) {
          for (const runtime::Tensor &t : outputs)
            own.emplace_back(t.type());
          for (size_t i = 0; i < own.size(); ++i)
            views[i] = own[i].view();
        }
        if (const Status status = (*executable)->run(in, views); !status)
          problems[p] = status.error().message();
      });
    for (std::thread &t : threads)
      t.join();
    for (const std::string &problem : problems)
      REQUIRE(problem.empty());
    for (size_t i = 0; i < outputs.size(); ++i) {
      CAPTURE(i);
      CHECK(close_values(array_of(outputs[i]), expected[i], 1e-5));
    }
  }
};

// What a pass may improve.
struct Figures {
  size_t steps = 0, packable = 0;
  int64_t bytes = 0; // of the arenas
  bool operator==(const Figures &) const = default;
};

Figures figures(const spmd::Program &program, int64_t processes, std::vector<std::string> without) {
  const runtime::Layouts layouts(program);
  runtime::ScheduleOptions options{.donate = true, .without = std::move(without)};
  options.has_product = [](const Step &) { return true; }; // as some kinds of device do
  const int64_t positions = program.mesh().num_positions();
  for (sharding::Position p; p < positions && processes > 1; ++p)
    options.process.push_back(p * processes / positions);
  const runtime::Schedule schedule = runtime::schedule(program, layouts, options);
  const runtime::Memory memory(program, layouts, schedule, std::vector<bool>(schedule.steps.size(), false));
  Figures f{schedule.steps.size(), static_cast<size_t>(std::ranges::count(schedule.packable, true))};
  for (sharding::Position p; p < positions; ++p)
    if (program.mesh().without(p, program.mesh().loop_axes()) == p)
      f.bytes += memory.arena_bytes(p);
  return f;
}

} // namespace

TEST_CASE("programs give what the reference evaluator does, whichever pass is left out") {
  for (const Subject &subject : kSubjects) {
    CAPTURE(subject.file);
    CAPTURE(subject.mesh);
    CAPTURE(subject.processes);
    const Case given(subject);
    given.run({});
    std::vector<std::string> all;
    for (const std::string_view pass : runtime::step_passes()) {
      CAPTURE(pass);
      given.run({std::string(pass)});
      all.emplace_back(pass);
    }
    given.run(all);
  }
}

TEST_CASE("every pass saves steps, memory or the order of a matrix in some program") {
  std::map<std::string_view, int> helps;
  const auto look = [&](const spmd::Program &program, int64_t processes) {
    const Figures with = figures(program, processes, {});
    for (const std::string_view pass : runtime::step_passes())
      helps[pass] += figures(program, processes, {std::string(pass)}) == with ? 0 : 1;
  };
  for (const TreeProgram &program : tree_programs())
    look(**spmd::lower_unpartitioned(program.imported.graph), 1);
  for (const Subject &subject : kSubjects)
    look(*Case(subject).program, subject.processes);
  const auto step = programs_of(source_path("examples/models/gpt_step.mlir"));
  partition::Plan plan(step[0].imported.graph, mesh("data=8"));
  act(plan,
      R"(tile(arg=tokens, dim=0, axis="data"); tile(arg=targets, dim=0, axis="data"); infer-propagate)");
  look(**spmd::lower(plan), 1);
  for (const std::string_view pass : runtime::step_passes()) {
    INFO(pass);
    CHECK((helps[pass] > 0 || pass == "record_runs")); // which saves time alone
  }
}

TEST_CASE("a pass that does not exist cannot be left out") {
  runtime::Options options;
  options.without = {"form_chain"};
  const auto made =
      runtime::Executable::create(*spmd::lower_unpartitioned(step_program()), std::move(options));
  REQUIRE(!made.has_value());
  CHECK(made.error().info().id == std::string("TW-502"));
  CHECK(made.error().message().find("nearest: 'form_chains'") != std::string::npos);
}

} // namespace tw::test_passes
