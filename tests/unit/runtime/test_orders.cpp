// SPDX-License-Identifier: Apache-2.0
// A thousand schedules of each of a few programs, drawn at random, on 1, 2, 4 and 8 workers: the bits are
// always the same.
#include "unit/runtime/step_program.hpp"

namespace tw::test_orders {

using namespace tw::test;

namespace {

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
  check_orders(looping_program(3), "d=2,m=3", "tile(arg=w, dim=0, axis=\"m\"); infer-propagate");
}

} // namespace tw::test_orders
