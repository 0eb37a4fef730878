// SPDX-License-Identifier: Apache-2.0
// Steps that queues record and replay: what runs give is what they give without, a run that is one stretch of
// steps is one replay, and what fails in a replay says where.
#include <atomic>

#include "runtime/queue_executor.hpp"
#include "unit/runtime/detached.hpp"
#include "unit/runtime/products_in_line.hpp"

namespace tw::test_record_runs {

using namespace tw::test;

namespace {

runtime::Options plain(uint64_t delays = 0) {
  runtime::Options options = detached(delays);
  options.without = {"record_runs"};
  return options;
}

size_t recordings(const Runner &runner) {
  return dynamic_cast<const runtime::QueueExecutor &>(runner.executable->executor()).num_recordings();
}

void give(Runner &runner, int repeat) {
  for (auto &t : runner.inputs)
    for (int64_t i = 0; i < t.type().elements(); ++i)
      t.as<float>()[i] = static_cast<float>((i * 7 + repeat * 3) % 5 - 2) * 0.25f;
}

// Runs again and again with other inputs, in other arrays; answers how many runs differ from those without.
int differing(const std::shared_ptr<const graph::Graph> &graph, const char *mesh, const char *spec,
              uint64_t delays, size_t least) {
  Runner kept(graph, mesh, spec, detached(delays)), other(graph, mesh, spec, plain(delays));
  int wrong = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {
    std::vector<runtime::Tensor> elsewhere;
    for (Runner *runner : {&kept, &other}) {
      give(*runner, repeat);
      runner->executable->set_hooks({{}, delays + static_cast<uint64_t>(repeat), nullptr, nullptr});
    }
    for (size_t i = 0; i < kept.inputs.size(); ++i) {
      elsewhere.emplace_back(kept.inputs[i].type());
      std::memcpy(elsewhere.back().data(), kept.inputs[i].data(),
                  static_cast<size_t>(kept.inputs[i].type().bytes()));
      kept.input_views[i] = elsewhere.back().view();
    }
    REQUIRE(kept.run().has_value());
    REQUIRE(other.run().has_value());
    wrong += kept.bytes() != other.bytes() ? 1 : 0;
  }
  CHECK(recordings(kept) >= least);
  CHECK(recordings(other) == 0);
  return wrong;
}

// Calls of products, of which one fails.
std::atomic<int> calls{0}, fails_at{-1};

class Product final : public kernels::Kernel {
public:
  explicit Product(std::unique_ptr<kernels::Kernel> made) : made_(std::move(made)) {}
  const char *name() const override { return "test:product"; }
  int64_t scratch_bytes() const override { return made_->scratch_bytes(); }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    if (calls++ == fails_at)
      return fail(Code::internal, "TW-000", "the product broke");
    return made_->run(part, operands, results, scratch);
  }

private:
  std::unique_ptr<kernels::Kernel> made_;
};

std::unique_ptr<kernels::Kernel> product_of_tests(const kernels::Request &request) {
  if (std::string_view(request.def.name) != "stablehlo.dot_general")
    return nullptr;
  auto made = kernels::bind(request, nullptr, (*device::find_kind("detached"))->kernels());
  return made ? std::make_unique<Product>(std::move(*made)) : nullptr;
}

} // namespace

TEST_CASE("three hundred steps in line are one recording") {
  const auto graph = products_in_line(300);
  Runner runner(graph, "", "", detached());
  REQUIRE(runner.executable->num_steps() == 300);
  for (int run = 0; run < 4; ++run) {
    give(runner, run);
    REQUIRE(runner.run().has_value());
    CHECK(runner.bytes() == evaluated(*graph, runner));
    CHECK(recordings(runner) == (run == 0 ? 0u : 1u)); // the first run is issued step by step
  }
}

TEST_CASE("replays give what steps give, whatever the queues do") {
  for (uint64_t delays = 3; delays < 9; ++delays) {
    CHECK(differing(step_program(), "data=2,model=4", kStepSpec, delays, 1) == 0);
    CHECK(differing(looping_program(7), "d=2,m=3", kLoopSpec, delays, 1) == 0);
  }
}

TEST_CASE("the body of a loop is recorded once, and a long line in parts") {
  Runner loop(looping_program(50), "d=2,m=3", kLoopSpec, detached());
  REQUIRE(loop.run().has_value());
  CHECK(recordings(loop) <= 2); // from the body to the next decision, and what stands in front of the first
  CHECK(recordings(loop) >= 1);
  Runner line(products_in_line(1100), "", "", detached());
  REQUIRE(line.run().has_value());
  REQUIRE(line.run().has_value());
  CHECK(recordings(line) == 3);
}

TEST_CASE("a failure in a replay says at which step, and later runs are whole") {
  runtime::Options options = detached(4);
  options.first_kernel = product_of_tests;
  const auto graph = products_in_line(40);
  Runner runner(graph, "", "", std::move(options));
  for (int run = 0; run < 3; ++run)
    REQUIRE(runner.run().has_value());
  REQUIRE(recordings(runner) == 1);
  const std::string good = runner.bytes();
  for (int step = 0; step < 40; ++step) {
    CAPTURE(step);
    for (auto &t : runner.outputs)
      std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
    const std::string untouched = runner.bytes();
    calls = 0;
    fails_at = step;
    const Status status = runner.run();
    fails_at = -1;
    REQUIRE(!status.has_value());
    const std::string where = runner.executable->step_name(static_cast<uint32_t>(step));
    CHECK(where != runner.executable->step_name(static_cast<uint32_t>((step + 1) % 40)));
    CHECK(status.error().message().find(", " + where + ": ") != std::string::npos);
    CHECK(status.error().message().ends_with(": the product broke"));
    CHECK(runner.bytes() == untouched);
    REQUIRE(runner.run().has_value());
    CHECK(runner.bytes() == good);
  }
}

} // namespace tw::test_record_runs
