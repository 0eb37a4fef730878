// SPDX-License-Identifier: Apache-2.0
// What is made again instead of stored, what is not, and that the results stay the same to the bit.
#include "unit/runtime/float_program.hpp"

namespace tw::test_recompute {

using namespace tw::test;
using runtime::Step;

namespace {

// What the fused steps store, in order.
std::vector<size_t> stored(const Scheduled &s) {
  std::vector<size_t> counts;
  for (const Step &step : s.schedule.steps)
    if (step.kind == Step::Kind::fused)
      counts.push_back(step.results.size());
  return counts;
}
size_t made_again(const Scheduled &s) {
  size_t count = 0;
  for (const Step &step : s.schedule.steps)
    count += step.again.size();
  return count;
}

constexpr int64_t kRows = 32;

// An activation a = x + x * x and what its gradient needs of it, on both sides of two products.
std::shared_ptr<const graph::Graph> activation(const char *link) {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {kRows, kRows}), w = p.arg("w", {kRows, kRows});
  const ValueId h = p.matmul(x, w);
  const ValueId link_1 = p.op(link, {h}), link_2 = p.op("multiply", {link_1, h});
  const ValueId y = p.matmul(p.op("add", {h, link_2}), w);
  p.result(p.op("multiply", {p.op("add", {y, link_1}), link_2}), "y");
  return p.finish();
}

} // namespace

TEST_CASE("links of a chain are made again from what it began with") {
  const auto graph = activation("negate");
  const Scheduled s(graph);
  CHECK(stored(s) == std::vector<size_t>{1, 1}); // what the product reads, and the result
  CHECK(made_again(s) == 2);
  const Step &last = s.schedule.steps.back();
  CHECK(last.instrs.size() == 4);
  CHECK(last.reads.size() == 2); // h and y
}

TEST_CASE("what is dear is stored, and what follows from it is not") {
  const Scheduled s(activation("tanh"));
  CHECK(stored(s) == std::vector<size_t>{2, 1}); // tanh besides
  CHECK(made_again(s) == 1);
}

// y = (-h w) * link(-h), where -h is an array for the product's sake.
size_t made_again_of_link(bool with_h) {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {kRows, kRows}), w = p.arg("w", {kRows, kRows});
  const ValueId h = p.matmul(x, w), minus = p.op("negate", {h}), y = p.matmul(minus, w);
  const ValueId link = p.op("multiply", {minus, with_h ? h : minus});
  p.result(p.op("multiply", {p.transpose(y, {1, 0}), link}), "y");
  return made_again(Scheduled(p.finish()));
}

TEST_CASE("an array that is there anyway is made nothing of, and something is made of it") {
  CHECK(made_again_of_link(false) == 1);
}

TEST_CASE("nothing is made again where two arrays would live longer for it") {
  CHECK(made_again_of_link(true) == 0);
}

TEST_CASE("nothing is made again in another turn or branch") {
  const auto imported = import::import_text(R"(
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %h = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = stablehlo.negate %h : tensor<8x8xf32>
  %m2 = stablehlo.multiply %m, %h : tensor<8x8xf32>
  %0:2 = stablehlo.while(%x = %m2, %i = %n) : tensor<8x8xf32>, tensor<i32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %x, %m : tensor<8x8xf32>
    %t = stablehlo.multiply %s, %h : tensor<8x8xf32>
    stablehlo.return %t, %j : tensor<8x8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8x8xf32>
})");
  REQUIRE(imported.has_value());
  CHECK(made_again(Scheduled(imported->graph)) == 0);
}

TEST_CASE("results are near the reference's, and the same to the bit partitioned and not") {
  const auto graph = activation("negate");
  for (const auto &[mesh, spec] : {std::pair{"", ""},
                                   {"d=2", "tile(arg=x, dim=0, axis=\"d\"); infer-propagate"},
                                   {"d=3", "tile(arg=x, dim=0, axis=\"d\"); infer-propagate"}}) {
    Runner runner(graph, mesh, spec), other(graph, "", "");
    REQUIRE(runner.run().has_value());
    REQUIRE(other.run().has_value());
    CHECK(runner.bytes() == other.bytes());
    const auto expected = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
    REQUIRE(expected.has_value());
    const auto *a = reinterpret_cast<const float *>((*expected)[0].bytes.data());
    for (int64_t i = 0; i < kRows * kRows; ++i)
      REQUIRE(runner.outputs[0].as<float>()[i] == doctest::Approx(a[i]));
  }
}

} // namespace tw::test_recompute
