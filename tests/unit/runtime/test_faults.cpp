// SPDX-License-Identifier: Apache-2.0
// What goes wrong on one device ends the run on all, says where, leaves the caller's arrays alone and the executable
// usable; a device that never comes to a collective is found without waiting for time to pass.
#include <atomic>

#include "unit/runtime/step_program.hpp"

using namespace tw;
using namespace tw::test;

namespace {

bool untouched(const Runner &runner) {
  const std::string bytes = runner.bytes();
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) == 0xa5; });
}

void forget(Runner &runner) {
  for (auto &t : runner.outputs)
    std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
}

// Takes every tanh; fails when told to.
std::atomic<bool> tanh_fails{false};
class Tanh final : public kernels::Kernel {
public:
  const char *name() const override { return "test:tanh"; }
  Status run(int64_t, std::span<const void *const>, std::span<void *const>, void *) const override {
    if (tanh_fails)
      return fail(Code::internal, "TW-000", "the tanh broke");
    return {};
  }
};
std::unique_ptr<kernels::Kernel> dot_that_fails(const kernels::Request &request) {
  if (std::string_view(request.def.name) == "stablehlo.dot_general" &&
      request.operands[0].global.back() == 40)
    return std::make_unique<Tanh>();
  return nullptr;
}

} // namespace

TEST_CASE("an error on any device at any step ends the run everywhere") {
  for (const unsigned workers : {1u, 2u, 4u}) {
    runtime::Options options;
    options.workers = workers;
    Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
    REQUIRE(runner.run().has_value());
    const std::string good = runner.bytes();
    const auto steps = static_cast<uint32_t>(runner.executable->num_steps());
    REQUIRE(steps > 5);
    for (uint32_t step = 0; step < steps; ++step)
      for (int64_t device = 0; device < 4; ++device)
        for (const auto kind : {runtime::Fault::Kind::error, runtime::Fault::Kind::absent}) {
          CAPTURE(workers);
          CAPTURE(step);
          CAPTURE(device);
          forget(runner);
          runner.executable->set_hooks({{{kind, device, step}}});
          const Status status = runner.run();
          REQUIRE(!status.has_value());
          const std::string where = "device " + std::to_string(device) +
                                    " (data=" + std::to_string(device / 2) +
                                    ",model=" + std::to_string(device % 2) + "), ";
          CHECK(status.error().message().starts_with(where));
          CHECK(status.error().info().id ==
                std::string(kind == runtime::Fault::Kind::error ? "TW-621" : "TW-620"));
          CHECK(untouched(runner));
          runner.executable->set_hooks({});
          REQUIRE(runner.run().has_value());
          CHECK(runner.bytes() == good);
        }
  }
}

TEST_CASE("the error of a kernel comes with device, op and cause") {
  runtime::Options options;
  options.workers = 2;
  options.first_kernel = dot_that_fails;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
  tanh_fails = true;
  const Status status = runner.run();
  tanh_fails = false;
  REQUIRE(!status.has_value());
  const std::string &message = status.error().message();
  CHECK(message.starts_with("device "));
  CHECK(message.find("stablehlo.dot_general") != std::string::npos);
  CHECK(message.ends_with(": the tanh broke"));
  CHECK(untouched(runner));
  CHECK(runner.run().has_value());
}
