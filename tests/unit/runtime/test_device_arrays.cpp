// SPDX-License-Identifier: Apache-2.0
// Runs whose arrays lie on devices: they give what arrays of the host give, read in place what can be, and
// join the queues of the program. Detached devices are late, and fault where the host reads.
#include <atomic>
#include <string>

#include "device/detached/memory.hpp"
#include "unit/runtime/detached.hpp"
#include "unit/runtime/device_arrays.hpp"

namespace tw::test_device_arrays {

using namespace tw::test;

namespace {

constexpr const char *kRowsSpec = "tile(arg=x, dim=0, axis=\"d\"); infer-propagate";

// Of a runner with host arrays.
std::string expected(const std::shared_ptr<const graph::Graph> &graph, const char *mesh, const char *spec,
                     uint64_t delays) {
  Runner runner(graph, mesh, spec, detached(delays));
  REQUIRE(runner.run().has_value());
  return runner.bytes();
}

runtime::Options in_place(uint64_t delays = 0, bool donate = false) {
  runtime::Options options = detached(delays);
  options.in_place = true;
  options.donate = donate;
  return options;
}

std::atomic<bool> fails{false};

// A reference kernel that fails when it runs, if a test says so.
class Breaking final : public kernels::Kernel {
public:
  explicit Breaking(std::unique_ptr<kernels::Kernel> made) : made_(std::move(made)) {}
  const char *name() const override { return "test:breaking"; }
  int64_t parts() const override { return made_->parts(); }
  int64_t scratch_bytes() const override { return made_->scratch_bytes(); }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    if (fails)
      return fail(Code::internal, "TW-621", "the product broke");
    return made_->run(part, operands, results, scratch);
  }

private:
  std::unique_ptr<kernels::Kernel> made_;
};

std::unique_ptr<kernels::Kernel> breaking_product(const kernels::Request &request) {
  if (std::string_view(request.def.name) != "stablehlo.dot_general")
    return nullptr;
  auto made = kernels::bind(request, nullptr, (*device::find_kind("detached"))->kernels());
  return made ? std::make_unique<Breaking>(std::move(*made)) : nullptr;
}

} // namespace

TEST_CASE("arrays on devices give what arrays of the host give, however they lie") {
  const auto graph = step_program();
  for (const auto &[mesh, spec] : kStepPlans)
    for (const Lie lie : {Lie::dense, Lie::shifted, Lie::strided})
      for (const uint64_t delays : {3, 4, 5}) { // each way in which devices share memory
        const std::string good = expected(graph, mesh, spec, delays);
        const std::string on(mesh); // clang 14 captures no binding
        CAPTURE(on);
        CAPTURE(delays);
        const bool has_two = std::string_view(mesh) != "" && delays != 3; // units 0 and 1
        for (const bool place : {false, true}) {
          Runner runner(graph, mesh, spec, place ? in_place(delays) : detached(delays));
          OnDevices arrays(runner, lie, has_two ? 2 : 1);
          CHECK(arrays.results() == good);
          CHECK(arrays.results() == good); // and again
        }
      }
}

TEST_CASE("what lies right is read where it lies: nothing is allocated, neither before nor in a run") {
  const auto graph = step_program();
  Runner copied(graph, "", "", detached());
  Runner runner(graph, "", "", in_place());
  int64_t taken = 0; // by what is read in place
  for (const auto &t : runner.inputs)
    taken += t.type().bytes();
  CHECK(runner.executable->arena_bytes() < copied.executable->arena_bytes());
  CHECK(runner.executable->peak_bytes({}) >= taken);
  OnDevices dense(runner, Lie::dense), shifted(runner, Lie::shifted);
  const std::string good = expected(graph, "", "", 0);
  dense.forget();
  dense.put();
  shifted.put();
  dense.finish();
  shifted.finish();
  const size_t before = device::detached::memory().free_bytes();
  REQUIRE(dense.run().has_value());
  CHECK(device::detached::memory().free_bytes() == before);
  REQUIRE(shifted.run().has_value()); // has copies from now on
  const size_t after = device::detached::memory().free_bytes();
  CHECK(before - after >= static_cast<size_t>(taken));
  REQUIRE(shifted.run().has_value());
  CHECK(device::detached::memory().free_bytes() == after);
  shifted.get();
  shifted.finish();
  CHECK(runner.bytes() == good);
  // The host's arrays work as well, through the same copies.
  dense.forget();
  REQUIRE(runner.run().has_value());
  CHECK(runner.bytes() == good);
}

TEST_CASE("results are made in what is given away, on the device") {
  const auto graph = descent(kFirst, kSecond);
  for (const uint64_t delays : {0, 1, 3, 4}) {
    Runner apart(graph, "d=2", kRowsSpec, detached(delays));
    give_integers(apart);
    REQUIRE(apart.run().has_value());
    Runner runner(graph, "d=2", kRowsSpec, in_place(delays, true));
    give_integers(runner);
    const bool one_memory = delays % 3 == 0; // else two devices have a copy of it each
    CHECK((runner.executable->donated_to(0) == 0) == one_memory);
    for (const Lie lie : {Lie::dense, Lie::shifted, Lie::strided}) {
      OnDevices arrays(runner, lie);
      arrays.put();
      arrays.finish();
      auto outputs = arrays.views(arrays.outputs);
      const auto inputs = arrays.views(arrays.inputs);
      outputs[0] = inputs[0];
      outputs[1] = inputs[1];
      const Status status = runner.executable->run(inputs, outputs);
      if (!status)
        FAIL(status.error().message());
      for (size_t i = 0; i < 2; ++i)
        arrays.inputs[i].get(arrays.queue_of(arrays.inputs[i]), runner.outputs[i]);
      arrays.outputs[2].get(arrays.queue_of(arrays.outputs[2]), runner.outputs[2]);
      arrays.finish();
      CHECK(runner.bytes() == apart.bytes());
      if (!one_memory)
        continue;
      outputs[1] = inputs[0]; // what is given away has one result
      const Status refused = runner.executable->run(inputs, outputs);
      REQUIRE(!refused.has_value());
      CHECK(refused.error().info().id == std::string("TW-628"));
    }
  }
}

TEST_CASE("a run joins the program's queue: behind what makes its inputs, before what reads its outputs") {
  const auto graph = step_program();
  int runs = 0;
  for (uint64_t delays = 1; delays < 60; ++delays) {
    const std::string good = expected(graph, "data=2,model=4", kStepSpec, delays);
    Runner runner(graph, "data=2,model=4", kStepSpec, delays % 2 == 0 ? in_place(delays) : detached(delays));
    OnDevices arrays(runner, delays % 3 == 0 ? Lie::strided : Lie::dense);
    device::Queue &queue = *arrays.queues[0];
    queue.draw_delays(delays * 77);
    for (int repeat = 0; repeat < 3; ++repeat) {
      arrays.forget();
      arrays.put(); // late
      runtime::RunOrder order;
      order.stream = &queue;
      REQUIRE(arrays.start(std::move(order)).has_value());
      arrays.get(); // behind the run, which nobody has waited for
      arrays.finish();
      CHECK(runner.bytes() == good);
      const Status status = runner.executable->wait();
      REQUIRE(status.has_value());
      ++runs;
    }
  }
  CHECK(runs == 59 * 3);
}

TEST_CASE("a run waits for the event behind which an array is there") {
  const auto graph = step_program();
  const std::string good = expected(graph, "", "", 0);
  Runner runner(graph, "", "", in_place());
  for (uint64_t delays = 1; delays < 30; ++delays) {
    OnDevices arrays(runner, Lie::dense);
    arrays.queues[0]->draw_delays(delays);
    arrays.forget();
    arrays.put();
    runtime::RunOrder order;
    order.after.emplace_back(arrays.kind.make_event(0));
    arrays.queues[0]->record(*order.after[0]);
    REQUIRE(arrays.run(std::move(order)).has_value());
    arrays.get();
    arrays.finish();
    CHECK(runner.bytes() == good);
  }
}

TEST_CASE("decisions and loops run in the order of a queue") {
  const auto graph = looping_program(5);
  const char *spec = "tile(arg=w, dim=0, axis=\"m\"); infer-propagate";
  for (uint64_t delays = 0; delays < 6; ++delays) {
    Runner runner(graph, "d=2,m=3", spec, in_place(delays));
    give_integers(runner);
    const std::string good = evaluated(*graph, runner);
    OnDevices arrays(runner, Lie::dense);
    arrays.forget();
    arrays.put();
    runtime::RunOrder order;
    order.stream = arrays.queues[0].get();
    REQUIRE(arrays.start(std::move(order)).has_value());
    arrays.get();
    arrays.finish();
    REQUIRE(runner.executable->wait().has_value());
    CHECK(runner.bytes() == good);
  }
}

TEST_CASE("a kernel that fails leaves outputs on devices as they were") {
  runtime::Options options = in_place(3);
  options.first_kernel = breaking_product;
  Runner runner(step_program(), "data=2,model=2", kStepSpec, std::move(options));
  fails = false;
  for (const bool joins : {false, true})
    for (uint64_t delays = 1; delays < 20; ++delays) {
      OnDevices arrays(runner, Lie::dense);
      device::Queue &queue = *arrays.queues[0];
      queue.draw_delays(delays);
      arrays.forget();
      arrays.put();
      arrays.finish();
      fails = true;
      runtime::RunOrder order;
      order.stream = joins ? &queue : nullptr;
      REQUIRE(arrays.start(std::move(order)).has_value());
      if (joins) {
        arrays.get(); // as a program does that knows of nothing
        arrays.finish();
        CHECK(is_untouched(runner.bytes()));
      }
      const Status status = runner.executable->wait();
      REQUIRE(!status.has_value());
      CHECK(status.error().message().find("the product broke") != std::string::npos);
      fails = false;
      arrays.get();
      arrays.finish();
      CHECK(is_untouched(runner.bytes()));
      REQUIRE(arrays.run().has_value());
    }
}

TEST_CASE("a run that is issued is not cancelled, and one that is not leaves outputs as they were") {
  Runner runner(step_program(), "data=2", "tile(arg=x, dim=0, axis=\"data\"); infer-propagate", in_place(3));
  const std::string good =
      expected(step_program(), "data=2", "tile(arg=x, dim=0, axis=\"data\"); infer-propagate", 3);
  OnDevices arrays(runner, Lie::dense);
  arrays.forget();
  arrays.put();
  runtime::RunOrder order;
  order.stream = arrays.queues[0].get();
  const auto number = arrays.start(std::move(order));
  REQUIRE(number.has_value());
  runner.executable->cancel(*number);
  CHECK(runner.executable->wait().has_value());
  arrays.get();
  arrays.finish();
  CHECK(runner.bytes() == good);
}

TEST_CASE("tiles are taken and given on devices") {
  const auto graph = step_program();
  Runner whole(graph, "data=2", "tile(arg=x, dim=0, axis=\"data\"); infer-propagate", detached(4));
  REQUIRE(whole.run().has_value());
  for (const bool place : {false, true}) {
    runtime::Options options = place ? in_place(4) : detached(4);
    options.tiles = true;
    Runner runner(graph, "data=2", "tile(arg=x, dim=0, axis=\"data\"); infer-propagate", std::move(options));
    const auto &executable = *runner.executable;
    const device::QueueKind &kind = *executable.device().as_queues();
    std::vector<std::unique_ptr<device::Queue>> queues;
    for (int32_t u = 0; u < 2; ++u)
      queues.push_back(std::move(*kind.make_stream(u, nullptr)));
    const auto tile_of = [](const runtime::Tensor &array, const sharding::Box &box) {
      runtime::Tensor tile({array.type().dtype, box.extent});
      const auto strides = ops::dense_strides(array.type().dims);
      int64_t offset = 0;
      for (size_t d = 0; d < box.rank(); ++d)
        offset += box.offset[d] * strides[d];
      kernels::cpu::CopyPlan(box.extent, strides, ops::dense_strides(box.extent), 4)
          .run(array.data() + offset * 4, tile.data());
      return tile;
    };
    std::vector<DeviceArray> in, out;
    std::vector<runtime::Tensor> wanted;
    std::vector<runtime::TensorView> inputs, outputs;
    for (size_t i = 0; i < executable.argument_tiles().size(); ++i) {
      const runtime::Tensor tile = tile_of(whole.inputs[i / 2], executable.argument_tiles()[i]);
      const auto unit = static_cast<int32_t>(i % 2);
      in.emplace_back(tile.type(), device::Where{&kind, unit}, Lie::dense);
      in.back().put(*queues[i % 2], tile);
      REQUIRE(runtime::finish(*queues[i % 2], {&kind, unit}).has_value());
    }
    for (size_t i = 0; i < executable.result_tiles().size(); ++i) {
      wanted.push_back(tile_of(whole.outputs[i / 2], executable.result_tiles()[i]));
      out.emplace_back(wanted.back().type(), device::Where{&kind, static_cast<int32_t>(i % 2)}, Lie::dense);
    }
    for (const DeviceArray &a : in)
      inputs.push_back(a.view());
    for (const DeviceArray &a : out)
      outputs.push_back(a.view());
    const Status status = runner.executable->run(inputs, outputs);
    if (!status)
      FAIL(status.error().message());
    for (size_t i = 0; i < out.size(); ++i) {
      runtime::Tensor got(wanted[i].type());
      out[i].get(*queues[i % 2], got);
      REQUIRE(runtime::finish(*queues[i % 2], {&kind, static_cast<int32_t>(i % 2)}).has_value());
      CHECK(std::memcmp(got.data(), wanted[i].data(), static_cast<size_t>(got.type().bytes())) == 0);
    }
  }
}

TEST_CASE("arrays of a device that the executable does not have are refused") {
  Runner runner(step_program(), "data=2", "tile(arg=x, dim=0, axis=\"data\"); infer-propagate", detached(3));
  OnDevices arrays(runner, Lie::dense);
  auto inputs = arrays.views(arrays.inputs);
  inputs[1].where.unit = 7;
  const Status elsewhere = runner.executable->run(inputs, arrays.views(arrays.outputs));
  REQUIRE(!elsewhere.has_value());
  CHECK(elsewhere.error().info().id == std::string("TW-629"));
  CHECK(elsewhere.error().message() ==
        "t lies on detached:7, and the devices of this executable are detached:0");
  Runner host(step_program(), "", "");
  const Status unreached = host.executable->run(arrays.views(arrays.inputs), host.output_views);
  REQUIRE(!unreached.has_value());
  CHECK(unreached.error().message() ==
        "x lies on detached:0, and the devices of this executable are the host");
  auto outputs = arrays.views(arrays.outputs);
  const std::vector<int64_t> none(outputs[0].dims.size(), 0);
  outputs[0].strides = none;
  const Status over = runner.executable->run(arrays.views(arrays.inputs), outputs);
  REQUIRE(!over.has_value());
  CHECK(over.error().info().id == std::string("TW-625"));
  CHECK(runner.executable->check_stream({arrays.kind.as_queues(), 5}).error().info().id ==
        std::string("TW-629"));
  runtime::RunOrder order;
  order.stream = arrays.queues[0].get();
  CHECK(host.executable->start(host.input_views, host.output_views, std::move(order)).error().info().id ==
        std::string("TW-671"));
  REQUIRE(host.run().has_value());
}

} // namespace tw::test_device_arrays
