// SPDX-License-Identifier: Apache-2.0
// Loops and branches as steps: where what they carry lies, what is copied and what is not, errors from inside
// a body.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>

#include "comm/local/local.hpp"
#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::runtime_test_control_flow {

using namespace tw::test;
using runtime::Step;

namespace {

std::shared_ptr<const graph::Graph> import_graph(std::string_view text) {
  const auto imported = import::import_text(text);
  if (!imported)
    FAIL(imported.error().message());
  return imported->graph;
}

// x and y trade places (and y grows) as often as n says; z only grows.
std::shared_ptr<const graph::Graph> swap_program() {
  return import_graph(R"(
func.func @main(%a: tensor<12xf32>, %b: tensor<12xf32>, %n: tensor<f32>) -> (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>) {
  %0:4 = stablehlo.while(%x = %a, %y = %b, %z = %a, %i = %n) : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>
  cond {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.compare GT, %i, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %j = stablehlo.subtract %i, %one : tensor<f32>
    %s = stablehlo.add %x, %b : tensor<12xf32>
    %t = stablehlo.tanh %s : tensor<12xf32>
    %u = stablehlo.add %z, %t : tensor<12xf32>
    stablehlo.return %y, %t, %u, %j : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>
})");
}

// Row i of x becomes a function of itself, for every i. `sum` adds the whole of %y (the new x) or %x (the old
// one) up in another variable.
std::shared_ptr<const graph::Graph> update_program(std::string_view sum) {
  return import_graph(fmt::format(R"(
func.func @main(%a: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {{
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%x = %a, %z = %a, %i = %n) : tensor<6x4xf32>, tensor<6x4xf32>, tensor<i32>
  cond {{
    %most = stablehlo.constant dense<6> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4] : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %t = stablehlo.tanh %row : tensor<1x4xf32>
    %y = stablehlo.dynamic_update_slice %x, %t, %i, %zero : (tensor<6x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
    %u = stablehlo.add %z, {} : tensor<6x4xf32>
    stablehlo.return %y, %u, %j : tensor<6x4xf32>, tensor<6x4xf32>, tensor<i32>
  }}
  return %0#0, %0#1 : tensor<6x4xf32>, tensor<6x4xf32>
}})",
                                  sum));
}

// Products and sums over `m` in the body, and a branch on what they give.
std::shared_ptr<const graph::Graph> scan_program() {
  return import_graph(R"(
func.func @main(%a: tensor<8x12xf32>, %w: tensor<12x12xf32>) -> tensor<8x12xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<8x12xf32>, tensor<i32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x12xf32>) -> tensor<8x12xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<f32>
    %q = stablehlo.compare GT, %r, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y = "stablehlo.if"(%q) ({
      %t = stablehlo.tanh %s : tensor<8x12xf32>
      stablehlo.return %t : tensor<8x12xf32>
    }, {
      stablehlo.return %x : tensor<8x12xf32>
    }) : (tensor<i1>) -> tensor<8x12xf32>
    stablehlo.return %y, %j : tensor<8x12xf32>, tensor<i32>
  }
  return %0#0 : tensor<8x12xf32>
})");
}

constexpr const char *kRows =
    "tile(arg=a, dim=0, axis=\"d\"); tile(arg=w, dim=0, axis=\"m\"); infer-propagate";

} // namespace

TEST_CASE("what trades places is copied, the rest is made where it belongs") {
  Runner runner(swap_program(), "d=2", "tile(arg=a, dim=0, axis=\"d\"); infer-propagate");
  const runtime::Layouts layouts(*runner.program);
  const runtime::Schedule schedule = runtime::schedule(*runner.program, layouts);
  REQUIRE(schedule.loops.size() == 1);
  const runtime::Loop loop = schedule.loops[0];
  // y goes to x and x to y by way of its sum, so y alone is kept apart: copied before the body.
  REQUIRE(schedule.steps[loop.body - 1].kind == Step::Kind::assign);
  CHECK(schedule.steps[loop.body - 1].operands.size() == 1);
  // x takes the copy of y; the other three may be made in place.
  REQUIRE(schedule.steps[loop.last - 1].kind == Step::Kind::assign);
  const Step &end = schedule.steps[loop.last - 1];
  const runtime::Memory memory(*runner.program, layouts, schedule,
                               std::vector<bool>(schedule.steps.size(), false));
  size_t moved = 0;
  for (size_t v = 0; v < end.operands.size(); ++v)
    moved += memory.locate(end.operands[v], {}).offset != memory.locate(end.results[v], {}).offset;
  CHECK(moved == 1);
}

TEST_CASE("an update writes where the variable lies, unless the old value is read afterwards") {
  for (const auto &[sum, copies] : {std::pair{"%y", 0}, std::pair{"%x", 1}}) {
    const auto graph = update_program(sum);
    Runner runner(graph, "d=3", "tile(arg=a, dim=1, axis=\"d\"); infer-propagate");
    const runtime::Layouts layouts(*runner.program);
    const runtime::Schedule schedule = runtime::schedule(*runner.program, layouts);
    REQUIRE(schedule.loops.size() == 1);
    const runtime::Memory memory(*runner.program, layouts, schedule,
                                 std::vector<bool>(schedule.steps.size(), false));
    const Step &end = schedule.steps[schedule.loops[0].last - 1];
    REQUIRE(end.kind == Step::Kind::assign);
    int moved = 0;
    for (size_t v = 0; v < end.operands.size(); ++v)
      moved += memory.locate(end.operands[v], {}).offset != memory.locate(end.results[v], {}).offset;
    CHECK(moved == copies);
    for (int repeat = 0; repeat < 2; ++repeat)
      REQUIRE(runner.run().has_value());
    const auto expected = kernels::ref::evaluate(*graph, std::vector{array_of(runner.inputs[0])});
    REQUIRE(expected.has_value());
    for (size_t i = 0; i < runner.outputs.size(); ++i)
      CHECK(array_of(runner.outputs[i]).bytes == (*expected)[i].bytes);
  }
}

TEST_CASE("a variable is read by each thread before it gets its new value") {
  // One result of the branch is tiled over the threads, the other is what the loop carries.
  const auto graph = import_of(R"(
func.func @main(%x: tensor<4x6xf32>, %z: tensor<4x8xf32> loc("z"), %k: tensor<i32>) -> (tensor<4x6xf32>, tensor<4x8xf32>) {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%v = %x, %i = %n) : tensor<4x6xf32>, tensor<i32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s:2 = "stablehlo.case"(%k) ({
      %a = stablehlo.negate %z : tensor<4x8xf32>
      %b = stablehlo.add %v, %x : tensor<4x6xf32>
      stablehlo.return %a, %b : tensor<4x8xf32>, tensor<4x6xf32>
    }, {
      %a = stablehlo.abs %z : tensor<4x8xf32>
      %b = stablehlo.abs %x : tensor<4x6xf32>
      stablehlo.return %a, %b : tensor<4x8xf32>, tensor<4x6xf32>
    }) : (tensor<i32>) -> (tensor<4x8xf32>, tensor<4x6xf32>)
    stablehlo.return %s#1, %j : tensor<4x6xf32>, tensor<i32>
  }
  %y = stablehlo.negate %z : tensor<4x8xf32>
  return %0#0, %y : tensor<4x6xf32>, tensor<4x8xf32>
})");
  for (const char *kind : {"serial", "threads"})
    for (const unsigned workers : {1U, 2U}) {
      runtime::Options options;
      options.workers = workers;
      Runner runner(graph, "",
                    fmt::format("{}(axis=s, size=2); tile(arg=z, dim=1, axis=s); infer-propagate", kind),
                    std::move(options));
      runner.inputs[2].as<int32_t>()[0] = 0; // the branch that reads the variable
      const auto expected = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
      REQUIRE(expected.has_value());
      REQUIRE(runner.run().has_value());
      CHECK(array_of(runner.outputs[0]).bytes == (*expected)[0].bytes);
    }
}

TEST_CASE("loops turn as often as they say, also never") {
  for (const float n : {0.0f, 1.0f, 2.0f, 5.0f, -3.0f})
    for (const unsigned workers : {1u, 2u, 4u}) {
      runtime::Options options;
      options.workers = workers;
      const auto graph = swap_program();
      Runner runner(graph, "d=5", "tile(arg=a, dim=0, axis=\"d\"); infer-propagate", std::move(options));
      runner.inputs[2].as<float>()[0] = n;
      for (int repeat = 0; repeat < 2; ++repeat)
        REQUIRE(runner.run().has_value());
      const auto expected = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
      REQUIRE(expected.has_value());
      for (size_t i = 0; i < runner.outputs.size(); ++i)
        CHECK(array_of(runner.outputs[i]).bytes == (*expected)[i].bytes);
    }
}

TEST_CASE("an error in a body ends the run everywhere, and a device that stays away is found") {
  for (const unsigned workers : {1u, 3u}) {
    runtime::Options options;
    options.workers = workers;
    Runner runner(scan_program(), "d=2,m=2", kRows, std::move(options));
    REQUIRE(runner.run().has_value());
    const std::string good = runner.bytes();
    int found = 0;
    for (uint32_t step = 0; step < runner.executable->num_steps(); ++step)
      for (sharding::Position device; device < 4; ++device)
        for (const auto kind : {runtime::Fault::Kind::error, runtime::Fault::Kind::absent}) {
          runner.executable->set_hooks({{{kind, device, step}}});
          const Status status = runner.run();
          if (!status) // the other branch is not run
            ++found;
          if (!status)
            CHECK(status.error().message().starts_with("device " + std::to_string(device)));
          runner.executable->set_hooks({});
          REQUIRE(runner.run().has_value());
          CHECK(runner.bytes() == good);
        }
    CHECK(found >= 4 * 2 * 8);
  }
}

} // namespace tw::runtime_test_control_flow
