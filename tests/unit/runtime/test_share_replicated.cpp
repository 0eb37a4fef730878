// SPDX-License-Identifier: Apache-2.0
// Devices of one process compute once, and hold once, what is the same for all of them; and nobody can tell
// from the results.
#include <atomic>
#include <thread>

#include "comm/local/local.hpp"
#include "comm/remote/remote.hpp"
#include "runtime/sharing.hpp"
#include "support/thread_transport.hpp"
#include "unit/kernels/lapack_run.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_share_replicated {

using namespace tw::test;
using runtime::Step;

namespace {

// In-process, but as if each device were alone with its memory.
class Materialised final : public comm::Communicator {
public:
  const char *name() const override { return "test:apart"; }
  bool is_shared() const override { return true; }
  int64_t process_of(sharding::DeviceIndex device, int64_t) const override { return device.index(); }
  Result<std::unique_ptr<comm::Collective>> prepare(std::span<const comm::Transfer> transfers) override {
    return inner_->prepare(transfers);
  }
  Result<std::unique_ptr<comm::Collective>> prepare(const comm::RegionReduce &fold) override {
    return inner_->prepare(fold);
  }
  Result<std::unique_ptr<comm::Collective>> prepare_alone(std::span<const comm::Transfer> moved) override {
    return inner_->prepare_alone(moved);
  }
  Result<std::unique_ptr<comm::Collective>> prepare(const sharding::Mesh &on,
                                                    std::span<const comm::ArrayStep> moves) override {
    return inner_->prepare(on, moves);
  }

private:
  std::unique_ptr<comm::Communicator> inner_ = comm::make_local();
};

runtime::Options apart() {
  runtime::Options options;
  options.communicator = std::make_shared<Materialised>();
  return options;
}

// Runs what the library would, and counts how often.
std::atomic<int> products{0};
class Counted final : public kernels::Kernel {
public:
  explicit Counted(std::unique_ptr<kernels::Kernel> inner) : inner_(std::move(inner)) {}
  const char *name() const override { return "test:counted"; }
  int64_t parts() const override { return inner_->parts(); }
  int64_t scratch_bytes() const override { return inner_->scratch_bytes(); }
  int64_t prepare_parts() const override { return inner_->prepare_parts(); }
  int64_t shared_bytes() const override { return inner_->shared_bytes(); }
  Status prepare(int64_t part, std::span<const void *const> operands, void *shared) const override {
    return inner_->prepare(part, operands, shared);
  }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    products += part == 0;
    return inner_->run(part, operands, results, scratch);
  }

private:
  std::unique_ptr<kernels::Kernel> inner_;
};
std::unique_ptr<kernels::Kernel> count_products(const kernels::Request &request) {
  const std::string_view name = request.def.name;
  if (name != "stablehlo.dot_general" && name != "stablehlo.custom_call")
    return nullptr;
  auto bound = kernels::bind(request);
  return bound ? std::make_unique<Counted>(std::move(*bound)) : nullptr;
}

// x, tiled over `data`, times the square of w, which is whole.
std::shared_ptr<const graph::Graph> squared_weights() {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {16, 12}), w = p.arg("w", {12, 12});
  p.result(p.matmul(x, p.matmul(w, w)), "y");
  return p.finish();
}

} // namespace

TEST_CASE("what is whole along an axis is computed once along it") {
  for (const auto &[mesh, runs] :
       {std::pair{"data=8", 1 + 8}, {"data=2,model=4", 1 + 2}, {"data=1,model=4", 1 + 1}}) {
    runtime::Options options;
    options.first_kernel = count_products;
    Runner runner(squared_weights(), mesh, "tile(arg=x, dim=0, axis=\"data\"); infer-propagate",
                  std::move(options));
    products = 0;
    REQUIRE(runner.run().has_value());
    CHECK(products == runs);
  }
}

TEST_CASE("a call of LAPACK is made once where devices have the same matrices, if that is all that it does") {
  if (!test::lapack::has_lapack())
    return;
  const test::lapack::LapackText text{graph::DType::f32, ""};
  for (const char *effect :
       {"", "has_side_effect = false, ", "has_side_effect = true, ", "has_side_effect = true, tw.once, "}) {
    std::string program = text.program("lapack_sgeqrf_ffi", "", {"5x3xT"}, {"5x3xT", "3xT"});
    program.insert(program.find("mhlo.backend_config"), effect);
    runtime::Options options;
    options.first_kernel = count_products;
    Runner runner(import_of(program), "data=4", "", std::move(options));
    products = 0;
    REQUIRE(runner.run().has_value());
    CHECK(products == (std::string_view(effect) == "has_side_effect = true, " ? 4 : 1));
  }
}

TEST_CASE("results have the bits of devices that share nothing, in less memory") {
  for (const auto &[mesh, spec] :
       {std::pair{"data=2,model=4", kStepSpec},
        {"data=8,model=1", kStepSpec},
        {"data=5", "tile(arg=x, dim=0, axis=\"data\"); tile(arg=t, dim=0, axis=\"data\"); infer-propagate"},
        {"data=4",
         "tile(arg=w1, dim=0, axis=\"data\"); tile(arg=w2, dim=1, axis=\"data\"); infer-propagate"}}) {
    Runner together(step_program(), mesh, spec), alone(step_program(), mesh, spec, apart());
    for (int repeat = 0; repeat < 3; ++repeat) {
      REQUIRE(together.run().has_value());
      REQUIRE(alone.run().has_value());
      CHECK(together.bytes() == alone.bytes());
    }
    CHECK(together.executable->arena_bytes() < alone.executable->arena_bytes());
  }
}

TEST_CASE("a place belongs to those who share it, and to nobody else") {
  Runner runner(step_program(), "data=2,model=4", kStepSpec);
  const spmd::Program &program = *runner.program;
  const runtime::Layouts layouts(program);
  const runtime::Schedule schedule = runtime::schedule(program, layouts);
  const runtime::Sharing &sharing = schedule.sharing;
  const runtime::Memory memory(program, layouts, schedule, std::vector<bool>(schedule.steps.size(), false));
  size_t shared = 0;
  for (const Step &step : schedule.steps)
    for (const spmd::ValueRef v : step.results) {
      shared += sharing.of(v).empty() ? 0 : 1;
      for (sharding::Position d; d < 8; ++d) {
        const sharding::Position leader = sharing.leader(sharing.of(v), d);
        const runtime::Location at = memory.locate(v, d), of_leader = memory.locate(v, leader);
        CHECK(at.arena == leader);
        CHECK(at.offset == of_leader.offset);
        CHECK(at.offset + layouts.elements(layouts.of(v), d) * 4 <= memory.arena_bytes(leader));
      }
    }
  CHECK(shared > 0);
}

TEST_CASE("devices of one of several processes share what is whole, in the bits and less memory") {
  struct Case {
    const char *mesh;
    int processes, products; // of the square, and of the tiles
  };
  for (const Case &c : {Case{"data=8", 2, 2 + 8},
                        {"data=2,model=4", 2, 2 + 2},
                        {"data=5", 2, 2 + 5},
                        {"model=4,data=2", 2, 2 + 4},
                        {"data=4", 4, 4 + 4}}) {
    const char *const spec = "tile(arg=x, dim=0, axis=\"data\"); infer-propagate";
    Runner alone(squared_weights(), c.mesh, spec, apart());
    REQUIRE(alone.run().has_value());
    products = 0;
    const auto processes = thread_processes(c.processes);
    std::vector<std::string> held(processes.size());
    std::atomic<int64_t> arenas{0};
    std::vector<std::thread> threads;
    for (size_t p = 0; p < processes.size(); ++p)
      threads.emplace_back([&, p] {
        runtime::Options options;
        options.first_kernel = count_products;
        options.whole_outputs = true;
        options.communicator = comm::make_remote(processes[p]);
        Runner runner(squared_weights(), c.mesh, spec, std::move(options));
        REQUIRE(runner.run().has_value());
        arenas += runner.executable->arena_bytes();
        held[p] = runner.bytes();
      });
    for (std::thread &t : threads)
      t.join();
    CHECK(products == c.products);
    CHECK(held[0] == alone.bytes());
    if (c.processes < 4)
      CHECK(arenas < alone.executable->arena_bytes());
  }
}

TEST_CASE("nothing is shared by devices that are alone in their processes, nor where a device has steps") {
  Runner runner(step_program(), "data=2,model=4", kStepSpec);
  const runtime::Schedule schedule = runtime::schedule(*runner.program, runtime::Layouts(*runner.program),
                                                       {.process = {0, 1, 2, 3, 4, 5, 6, 7}});
  for (const Step &step : schedule.steps)
    CHECK(schedule.sharing.of(step).empty());
  Runner micro(step_program(), "data=2",
               "serial(axis=\"micro\", size=2)\n"
               "tile(arg=x, dim=0, axis=\"micro\"); tile(arg=t, dim=0, axis=\"micro\")\n"
               "infer-propagate\n");
  const runtime::Schedule steps = runtime::schedule(*micro.program, runtime::Layouts(*micro.program));
  for (const Step &step : steps.steps)
    CHECK(steps.sharing.of(step).empty());
  CHECK(micro.run().has_value());
}

} // namespace tw::test_share_replicated
