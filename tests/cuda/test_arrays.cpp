// SPDX-License-Identifier: Apache-2.0
// Arrays of the program on GPUs, on a double of the driver: streams and events of the program, its allocator,
// limits of memory, GPUs that are the wrong ones, and one that is lost.
#include <cstring>
#include <map>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "cuda/double.hpp"
#include "device/cuda/gpus.hpp"
#include "device/kind.hpp"
#include "unit/runtime/device_arrays.hpp"

namespace tw::test_cuda_arrays {

using namespace tw::test;

namespace {

runtime::Options on_gpu(int32_t gpu, bool in_place) {
  runtime::Options options;
  options.device = &device::cuda::kind();
  options.units = {gpu};
  options.in_place = in_place;
  options.workers = 1;
  return options;
}

constexpr const char *kMesh = "data=2,model=2";

// On the host, of the same kernels.
std::string expected(const Runner &like) {
  std::string all;
  const auto made = kernels::ref::evaluate(like.program->graph(), arrays_of(like.inputs));
  REQUIRE(made.has_value());
  for (const kernels::ref::Array &a : *made)
    all.append(reinterpret_cast<const char *>(a.bytes.data()), a.bytes.size());
  return all;
}

void give_integers(Runner &runner) {
  for (auto &t : runner.inputs)
    for (int64_t i = 0; i < t.type().elements(); ++i)
      t.as<float>()[i] = static_cast<float>((i * 7 + 3) % 5 - 2);
}

// x + w, and the sums of its rows: nothing rounds.
std::shared_ptr<const graph::Graph> exact_program() {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {16, 24}), w = p.arg("w", {24, 8}), b = p.arg("b", {16, 8});
  const ValueId y = p.matmul(x, w);
  p.result(p.add(y, b), "y");
  p.result(p.transpose(p.op("multiply", {x, x}), {1, 0}), "z");
  return p.finish();
}
constexpr const char *kSpec =
    "tile(arg=x, dim=0, axis=\"data\"); tile(arg=w, dim=1, axis=\"model\"); infer-propagate";

// Counts what it gave.
struct Counting {
  const device::cuda::Gpu &gpu;
  std::map<void *, size_t> blocks;
  int given = 0, wrong = 0;
  void *last_stream = nullptr;

  static void *alloc(size_t size, int32_t number, void *stream, void *user) {
    auto &self = *static_cast<Counting *>(user);
    char why[TW_CUDA_WHY] = "";
    void *memory = nullptr;
    self.wrong += number != self.gpu.index() || stream == nullptr ? 1 : 0;
    if (self.gpu.table().allocate(self.gpu.handle(), size, &memory, why) != TW_CUDA_OK)
      return nullptr;
    self.blocks[memory] = size;
    self.last_stream = stream;
    ++self.given;
    return memory;
  }
  static void free(void *memory, size_t size, int32_t number, void *stream, void *user) {
    auto &self = *static_cast<Counting *>(user);
    self.wrong +=
        number != self.gpu.index() || stream != self.last_stream || self.blocks[memory] != size ? 1 : 0;
    self.blocks.erase(memory);
    self.gpu.table().free(self.gpu.handle(), memory);
  }
};

} // namespace

TEST_CASE("arrays on a GPU give what the evaluator gives, however they lie") {
  for (const bool place : {false, true})
    for (const Lie lie : {Lie::dense, Lie::shifted, Lie::strided}) {
      Runner runner(exact_program(), kMesh, kSpec, on_gpu(0, place));
      give_integers(runner);
      const std::string good = expected(runner);
      OnDevices arrays(runner, lie);
      CHECK(arrays.results() == good);
    }
}

TEST_CASE("dense arrays are read where they lie: the GPU's memory stays as it is") {
  const auto gpu = device::cuda::find_gpu(0);
  REQUIRE(gpu.has_value());
  Runner runner(exact_program(), "", "", on_gpu(0, true));
  give_integers(runner);
  OnDevices dense(runner, Lie::dense), shifted(runner, Lie::shifted);
  dense.put();
  shifted.put();
  dense.finish();
  shifted.finish();
  const int64_t before = (*gpu)->memory().used();
  REQUIRE(dense.run().has_value());
  CHECK((*gpu)->memory().used() == before);
  REQUIRE(shifted.run().has_value());
  CHECK((*gpu)->memory().used() > before);
}

TEST_CASE("a run joins a stream of the program, whatever that is delayed by") {
  const test::Double driver;
  const auto gpu = device::cuda::find_gpu(0);
  REQUIRE(gpu.has_value());
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    driver.delays(seed);
    // The queue of the arrays is one that the program has, known by its CUstream.
    const auto own = device::cuda::kind().as_queues()->make_stream(0, nullptr);
    REQUIRE(own.has_value());
    Runner runner(exact_program(), kMesh, kSpec, on_gpu(0, seed % 2 == 0));
    give_integers(runner);
    const std::string good = expected(runner);
    OnDevices arrays(runner, Lie::dense);
    auto wrapped = arrays.kind.make_stream(0, (*own)->native());
    REQUIRE(wrapped.has_value());
    CHECK((*wrapped)->native() == (*own)->native());
    arrays.queues[0] = std::move(*wrapped);
    arrays.forget();
    arrays.put();
    runtime::RunOrder order;
    order.stream = arrays.queues[0].get();
    REQUIRE(arrays.start(std::move(order)).has_value());
    arrays.get();
    arrays.finish();
    CHECK(runner.bytes() == good);
    REQUIRE(runner.executable->wait().has_value());
  }
  driver.delays(0);
}

TEST_CASE("events of the program are waited for, and recorded") {
  const test::Double driver;
  driver.delays(5);
  const auto &kind = *device::cuda::kind().as_queues();
  auto first = kind.make_stream(0, nullptr), second = kind.make_stream(0, nullptr);
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  const auto own = kind.make_event(0);
  (*first)->record(*own);
  REQUIRE(own->native() != nullptr);
  const auto wrapped = kind.wrap_event(0, own->native());
  REQUIRE(wrapped.has_value());
  const graph::TensorType type{graph::DType::f32, {64, 64}};
  for (int round = 0; round < 20; ++round) {
    runtime::Tensor host(type), got(type);
    for (int64_t i = 0; i < type.elements(); ++i)
      host.as<float>()[i] = static_cast<float>(i + round);
    DeviceArray array(type, {&kind, 0}, Lie::dense);
    array.put(**first, host);
    (*first)->record(**wrapped);
    (*second)->wait(**wrapped);
    array.get(**second, got);
    REQUIRE(runtime::finish(**second, {&kind, 0}).has_value());
    CHECK(std::memcmp(got.data(), host.data(), static_cast<size_t>(type.bytes())) == 0);
  }
  driver.delays(0);
}

TEST_CASE("arrays of one GPU go to devices on another, and arrays of a GPU without devices are refused") {
  runtime::Options both = on_gpu(0, true);
  both.units = {0, 1};
  Runner runner(exact_program(), kMesh, kSpec, std::move(both));
  give_integers(runner);
  const std::string good = expected(runner);
  for (const Lie lie : {Lie::dense, Lie::strided}) {
    OnDevices arrays(runner, lie, 2);
    CHECK(arrays.results() == good);
  }
  Runner single(exact_program(), kMesh, kSpec, on_gpu(0, false));
  OnDevices arrays(single, Lie::dense, 2);
  const Status refused = arrays.run();
  REQUIRE(!refused.has_value());
  CHECK(refused.error().info().id == std::string("TW-629"));
  CHECK(refused.error().message().find("cuda:1") != std::string::npos);
}

TEST_CASE("memory comes from the program's allocator, and all of it goes back") {
  const auto gpu = device::cuda::find_gpu(0);
  REQUIRE(gpu.has_value());
  Counting counting{**gpu, {}};
  (*gpu)->memory().set_allocator(std::make_shared<device::cuda::GpuAllocator>(
      device::cuda::GpuAllocator{Counting::alloc, Counting::free, &counting}));
  {
    Runner runner(exact_program(), kMesh, kSpec, on_gpu(0, true));
    give_integers(runner);
    OnDevices arrays(runner, Lie::shifted);
    CHECK(counting.given > 8);
    (*gpu)->memory().set_allocator(nullptr); // what it gave goes back to it even so
    CHECK(arrays.results() == expected(runner));
  }
  CHECK(counting.blocks.empty());
  CHECK(counting.wrong == 0);
}

TEST_CASE("no more memory is taken than the program allows") {
  const auto gpu = device::cuda::find_gpu(0);
  REQUIRE(gpu.has_value());
  const int64_t used = (*gpu)->memory().used();
  (*gpu)->memory().set_limit(used + 4096);
  const auto fits = device::allocate(device::cuda::kind(), 0, 4096, {});
  CHECK(fits.has_value());
  const auto beyond = device::allocate(device::cuda::kind(), 0, 1, {});
  REQUIRE(!beyond.has_value());
  CHECK(beyond.error().code() == Code::resource_exhausted);
  CHECK(beyond.error().message().find("the program allows") != std::string::npos);
  (*gpu)->memory().set_limit(0);
  CHECK(device::allocate(device::cuda::kind(), 0, 1, {}).has_value());
  const auto state = device::cuda::describe(**gpu);
  REQUIRE(state.has_value());
  CHECK(state->used_bytes == used + 4096);
  CHECK(state->free_bytes > 0);
  CHECK(state->facts->major == 9);
}

// The last: the context stays lost in this process.
TEST_CASE("a GPU that is lost ends a run with its stream, and says so") {
  const test::Double driver;
  Runner runner(exact_program(), kMesh, kSpec, on_gpu(0, true));
  OnDevices arrays(runner, Lie::dense);
  arrays.put();
  arrays.finish();
  driver.fail_command(12, 700);
  runtime::RunOrder order;
  order.stream = arrays.queues[0].get();
  const auto begun = arrays.start(std::move(order));
  const Status status = begun ? runner.executable->wait() : fail(Code::device_lost, "TW-682", "at once");
  REQUIRE(!status.has_value());
  CHECK(status.error().code() == Code::device_lost);
  const Status again = arrays.run();
  REQUIRE(!again.has_value());
  CHECK(again.error().code() == Code::device_lost);
}

} // namespace tw::test_cuda_arrays
