// SPDX-License-Identifier: Apache-2.0
// Running executables: the same bytes whatever the number of workers and however often, and arrays are
// checked.
#include <algorithm>

#include "comm/local/local.hpp"
#include "kernels/ref/evaluate.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_run {

using namespace tw::test;

namespace {

runtime::Options on(unsigned workers) {
  runtime::Options options;
  options.workers = workers;
  return options;
}

} // namespace

TEST_CASE("results do not depend on the number of workers, nor on what ran before") {
  const auto graph = step_program();
  for (const char *mesh_text : {"data=2,model=4", "data=3,model=2", "data=1,model=1", "data=5,model=7"}) {
    CAPTURE(mesh_text);
    std::string first;
    for (const unsigned workers : {1u, 2u, 4u, 8u}) {
      CAPTURE(workers);
      Runner runner(graph, mesh_text, kStepSpec, on(workers));
      for (int i = 0; i < 10; ++i) {
        REQUIRE(runner.run().has_value());
        if (first.empty())
          first = runner.bytes();
        CHECK(runner.bytes() == first);
      }
    }
  }
}

TEST_CASE("small steps are not handed from worker to worker unless that is asked for") {
  runtime::Options options = on(0);
  options.trace = true;
  Runner runner(step_program(), "data=2,model=4", kStepSpec, options);
  for (int i = 0; i < 10; ++i)
    REQUIRE(runner.run().has_value());
  const runtime::Executor &executor = runner.executable->executor();
  CHECK(!executor.traced(0).empty());
  for (unsigned w = 1; w < executor.workers(); ++w)
    CHECK(executor.traced(w).empty());
}

TEST_CASE("a thousand runs give the same bytes") {
  Runner runner(step_program(), "data=2,model=4", kStepSpec, on(4));
  REQUIRE(runner.run().has_value());
  const std::string first = runner.bytes();
  int64_t different = 0;
  for (int i = 0; i < 1000; ++i) {
    for (auto &t : runner.outputs)
      std::memset(t.data(), i, static_cast<size_t>(t.type().bytes()));
    REQUIRE(runner.run().has_value());
    different += runner.bytes() != first;
  }
  CHECK(different == 0);
}

TEST_CASE("the partitioned run is near the reference evaluator") {
  const auto graph = step_program();
  Runner runner(graph, "data=2,model=4", kStepSpec, on(2));
  REQUIRE(runner.run().has_value());
  const auto want = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
  REQUIRE(want.has_value());
  for (size_t i = 0; i < runner.outputs.size(); ++i) {
    const auto *expected = reinterpret_cast<const float *>((*want)[i].bytes.data());
    double worst = 0;
    for (int64_t k = 0; k < runner.outputs[i].type().elements(); ++k)
      worst = std::max<double>(worst, std::abs(runner.outputs[i].as<float>()[k] - expected[k]));
    CHECK(worst < 1e-4);
  }
  int64_t reductions = 0;
  for (const auto &c : runner.program->collectives())
    reductions += c.summary.kind == redistribute::Kind::all_reduce;
  CHECK(reductions > 0);
}

TEST_CASE("inputs are only read, and may have strides") {
  const auto graph = step_program();
  Runner plain(graph, "data=2,model=4", kStepSpec, on(1));
  std::vector<std::string> before;
  for (const auto &t : plain.inputs)
    before.emplace_back(reinterpret_cast<const char *>(t.data()), static_cast<size_t>(t.type().bytes()));
  REQUIRE(plain.run().has_value());
  for (size_t i = 0; i < before.size(); ++i)
    CHECK(std::memcmp(before[i].data(), plain.inputs[i].data(), before[i].size()) == 0);

  // The first argument again, stored column by column.
  const auto dims = plain.inputs[0].type().dims;
  std::vector<float> columns(static_cast<size_t>(dims[0] * dims[1]));
  for (int64_t r = 0; r < dims[0]; ++r)
    for (int64_t c = 0; c < dims[1]; ++c)
      columns[static_cast<size_t>(c * dims[0] + r)] = plain.inputs[0].as<float>()[r * dims[1] + c];
  const std::string wanted = plain.bytes();
  const std::vector<int64_t> strides = {1, dims[0]};
  plain.input_views[0].data = columns.data();
  plain.input_views[0].strides = strides;
  REQUIRE(plain.run().has_value());
  CHECK(plain.bytes() == wanted);
}

TEST_CASE("an argument that is returned may be given the other's memory") {
  ProgramBuilder p;
  const ValueId a = p.arg("a", {6, 5}), b = p.arg("b", {6, 5});
  p.result(b);
  p.result(a);
  const auto graph = p.finish();
  Runner runner(graph, "x=2", "tile(arg=a, dim=0, axis=\"x\")\npropagate", on(2));
  const std::vector<float> first(runner.inputs[0].as<float>(), runner.inputs[0].as<float>() + 30);
  const std::vector<float> second(runner.inputs[1].as<float>(), runner.inputs[1].as<float>() + 30);
  runner.output_views = runner.input_views; // swapped in place
  REQUIRE(runner.run().has_value());
  CHECK(std::equal(second.begin(), second.end(), runner.inputs[0].as<float>()));
  CHECK(std::equal(first.begin(), first.end(), runner.inputs[1].as<float>()));
}

TEST_CASE("arrays are checked against the program") {
  Runner runner(step_program(), "data=2,model=4", kStepSpec, on(1));
  auto fewer = runner.input_views;
  fewer.pop_back();
  auto status = runner.executable->run(fewer, runner.output_views);
  REQUIRE(!status.has_value());
  CHECK(status.error().message() == "4 inputs given, the program has 5");

  auto wrong = runner.input_views;
  const std::vector<int64_t> dims = {22, 25};
  wrong[0].dims = dims;
  status = runner.executable->run(wrong, runner.output_views);
  REQUIRE(!status.has_value());
  CHECK(status.error().message().find("is f32[22,25], the program wants f32[22,24]") != std::string::npos);
}

TEST_CASE("a limit of memory is kept before anything is allocated") {
  const auto graph = step_program();
  partition::Plan plan(graph, mesh("data=2"));
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  runtime::Options options = on(1);
  options.max_bytes = 1000;
  const auto made = runtime::Executable::create(*program, std::move(options));
  REQUIRE(!made.has_value());
  CHECK(made.error().code() == Code::resource_exhausted);
  // Where most is needed, and by what: the largest five, the largest first.
  const ErrorInfo &info = made.error().info();
  CHECK(info.message.find("; device 0 (data=0) holds most, ") != std::string::npos);
  CHECK(info.message.find(" bytes, at stablehlo.") != std::string::npos);
  REQUIRE(info.notes.size() == 5);
  int64_t before = INT64_MAX;
  for (const std::string &note : info.notes) {
    const int64_t bytes = std::stoll(note);
    CHECK(bytes > 0);
    CHECK(bytes <= before);
    before = bytes;
    CHECK(note.find(" f32[") != std::string::npos);
  }
}

TEST_CASE("what a device holds at once fits into what it has, and most of that is needed") {
  for (const auto &[on, spec] : kStepPlans) {
    Runner runner(step_program(), on, spec);
    const runtime::Layouts layouts(*runner.program);
    const runtime::Schedule schedule = runtime::schedule(*runner.program, layouts);
    const runtime::Memory memory(*runner.program, layouts, schedule,
                                 std::vector<bool>(schedule.steps.size(), false));
    for (sharding::Position d; d < layouts.num_positions(); ++d) {
      const auto peak = memory.find_peak(d);
      int64_t held = 0;
      for (const auto &h : peak.held)
        held += h.bytes;
      CHECK(held == peak.bytes);
      CHECK(peak.bytes <= memory.used_bytes(d));
      CHECK(peak.bytes * 2 > memory.used_bytes(d));
    }
  }
}

} // namespace tw::test_run
