// SPDX-License-Identifier: Apache-2.0
// A thousand schedules of each of a few programs, drawn at random, on 1, 2, 4 and 8 workers: the bits are always the same.
#include "import/stablehlo.hpp"
#include "unit/runtime/step_program.hpp"

using namespace tw;
using namespace tw::test;

namespace {

// A loop whose body sums over devices, and lanes and steps around it.
std::shared_ptr<const graph::Graph> looping_program() {
  const auto imported = import::import_text(R"(
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
    stablehlo.return %s, %j : tensor<8x12xf32>, tensor<i32>
  }
  return %0#0 : tensor<8x12xf32>
})");
  REQUIRE(imported.has_value());
  return imported->graph;
}

void check_orders(const std::shared_ptr<const graph::Graph> &graph, const char *mesh, const char *spec) {
  std::string first;
  int wrong = 0;
  for (const unsigned workers : {1u, 2u, 4u, 8u}) {
    runtime::Options options;
    options.workers = workers;
    Runner runner(graph, mesh, spec, std::move(options));
    for (uint64_t seed = 1; seed <= 250; ++seed) {
      runner.executable->set_hooks({{}, seed * 0x9e3779b97f4a7c15u, nullptr, nullptr});
      for (auto &t : runner.outputs)
        std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
      REQUIRE(runner.run().has_value());
      if (first.empty())
        first = runner.bytes();
      wrong += runner.bytes() != first ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("a thousand schedules of a training step") {
  check_orders(step_program(), "data=2,model=4", kStepSpec);
}

TEST_CASE("a thousand schedules of a large step, in parts") {
  check_orders(step_program(210, 130), "data=2,model=2", kStepSpec);
}

TEST_CASE("a thousand schedules of a loop with collectives") {
  check_orders(looping_program(), "d=2,m=3", "tile(arg=w, dim=0, axis=\"m\"); infer-propagate");
}
