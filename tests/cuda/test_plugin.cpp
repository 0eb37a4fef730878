// SPDX-License-Identifier: Apache-2.0
// The table of the plug-in on a double of the driver: memory, queues that run later, events, captured
// commands, kernels, peers, and contexts that are lost.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/dynlib.hpp"
#include "cuda/double.hpp"
#include "device/cuda/cuda.hpp"

namespace tw::test_cuda_plugin {

using device::cuda::Gpu;
using test::Double;

namespace {

// A queue of a GPU with some of its memory, and pinned memory of the host beside it.
struct Place {
  explicit Place(std::shared_ptr<Gpu> on, size_t bytes)
      : gpu(std::move(on)), table(gpu->table()), size(bytes) {
    REQUIRE(table.make_queue(gpu->handle(), nullptr, &queue, why) == TW_CUDA_OK);
    auto made = gpu->allocate(bytes);
    REQUIRE(made);
    memory = *made;
    void *host = nullptr;
    REQUIRE(table.allocate_pinned(gpu->handle(), bytes, &host, why) == TW_CUDA_OK);
    pinned = static_cast<std::byte *>(host);
  }
  Place(const Place &) = delete;
  Place &operator=(const Place &) = delete;
  ~Place() {
    table.release_queue(queue, 1);
    gpu->free(memory);
    table.free_pinned(gpu->handle(), pinned);
  }
  void copy(void *to, const void *from) { REQUIRE(table.copy(queue, to, from, size, why) == TW_CUDA_OK); }
  std::vector<std::byte> read() {
    copy(pinned, memory);
    REQUIRE(table.drain(queue, why) == TW_CUDA_OK);
    return {pinned, pinned + size};
  }

  std::shared_ptr<Gpu> gpu;
  const tw_cuda_plugin &table;
  size_t size;
  tw_cuda_queue *queue = nullptr;
  std::byte *memory = nullptr, *pinned = nullptr;
  char why[TW_CUDA_WHY] = "";
};

std::shared_ptr<Gpu> gpu_of(int32_t index) {
  auto gpu = Gpu::open(index);
  REQUIRE(gpu);
  return *gpu;
}

std::vector<std::byte> numbered(size_t bytes, int first) {
  std::vector<std::byte> all(bytes);
  for (size_t i = 0; i < bytes; ++i)
    all[i] = static_cast<std::byte>(static_cast<size_t>(first) + i);
  return all;
}

} // namespace

TEST_CASE("GPUs are found, and numbers that are none refused") {
  const auto all = device::cuda::all_facts();
  REQUIRE(all.size() == 2);
  CHECK(std::string(all[0].name) == "a double of a GPU");
  CHECK(all[1].bytes == 256 << 20);
  CHECK(all[1].bytes_per_second == 16'000'000'000);
  CHECK(std::string(all[1].bus) == "0000:02:00.0");
  for (const int32_t index : {-1, 2}) {
    const auto gpu = Gpu::open(index);
    REQUIRE_FALSE(gpu);
    CHECK(gpu.error().code() == Code::not_found);
    CHECK(gpu.error().message().find("this machine has GPUs 0 to 1") != std::string::npos);
  }
}

TEST_CASE("memory that a GPU does not have is refused with what is free") {
  const auto gpu = gpu_of(0);
  const auto made = gpu->allocate(size_t{300} << 20);
  REQUIRE_FALSE(made);
  CHECK(made.error().code() == Code::resource_exhausted);
  CHECK(made.error().message() ==
        "no memory for the devices' 314572800 bytes: GPU 0 has 268435456 of 268435456 bytes free");
  const Double driver;
  driver.fail_allocation(1);
  CHECK_FALSE(gpu->allocate(64));
  const auto again = gpu->allocate(64);
  REQUIRE(again);
  gpu->free(*again);
}

TEST_CASE("what is put into a queue runs in order, and events order queues") {
  const Double driver;
  const int64_t alive = driver.alive();
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    driver.delays(seed);
    Place a(gpu_of(0), 4096), b(gpu_of(0), 4096);
    tw_cuda_event *written = nullptr, *read = nullptr;
    REQUIRE(a.table.make_event(a.gpu->handle(), 0, &written, a.why) == TW_CUDA_OK);
    REQUIRE(a.table.make_event(a.gpu->handle(), 0, &read, a.why) == TW_CUDA_OK);
    for (int round = 0; round < 5; ++round) {
      // a writes, b copies, and a may write again only then.
      REQUIRE(a.table.wait(a.queue, read, a.why) == TW_CUDA_OK);
      REQUIRE(a.table.fill(a.queue, a.memory, static_cast<uint32_t>(round + 1), 4, 1024, a.why) ==
              TW_CUDA_OK);
      REQUIRE(a.table.record(written, a.queue, a.why) == TW_CUDA_OK);
      REQUIRE(b.table.wait(b.queue, written, b.why) == TW_CUDA_OK);
      b.copy(b.memory, a.memory);
      REQUIRE(b.table.record(read, b.queue, b.why) == TW_CUDA_OK);
    }
    std::vector<uint32_t> expected(1024, 5);
    const auto got = b.read();
    CHECK(std::memcmp(got.data(), expected.data(), got.size()) == 0);
    CHECK(a.table.drain(a.queue, a.why) == TW_CUDA_OK);
    CHECK(a.table.reached(read, a.why) == TW_CUDA_OK);
    CHECK(a.table.poll(a.queue, a.why) == TW_CUDA_OK);
    a.table.release_event(written);
    a.table.release_event(read);
  }
  driver.delays(0);
  CHECK(driver.alive() == alive);
}

TEST_CASE("fills take elements of 1, 2 and 4 bytes, and no others") {
  Place place(gpu_of(0), 64);
  for (const int32_t bytes : {1, 2, 4}) {
    CHECK(place.table.fill(place.queue, place.memory, 0x04030201, bytes, 64 / static_cast<size_t>(bytes),
                           place.why) == TW_CUDA_OK);
    const auto got = place.read();
    for (size_t i = 0; i < 64; ++i)
      CHECK(static_cast<size_t>(got[i]) == i % static_cast<size_t>(bytes) + 1);
  }
  CHECK(place.table.fill(place.queue, place.memory, 1, 3, 1, place.why) == TW_CUDA_FAILED);
  CHECK(place.table.fill(place.queue, place.memory, 1, 4, 0, place.why) == TW_CUDA_OK);
}

TEST_CASE("functions of the host run in order with copies") {
  Place place(gpu_of(1), 16);
  const auto value = numbered(16, 7);
  struct Given {
    std::byte *to;
    const std::byte *from;
  } given{place.pinned, value.data()};
  std::memset(place.pinned, 0, 16);
  CHECK(place.table.call(
            place.queue,
            [](void *user) {
              const auto &g = *static_cast<Given *>(user);
              std::memcpy(g.to, g.from, 16);
            },
            &given, place.why) == TW_CUDA_OK);
  place.copy(place.memory, place.pinned);
  CHECK(place.read() == value);
}

TEST_CASE("captured commands run when they are replayed, as often as one likes") {
  Place place(gpu_of(0), 256);
  tw_cuda_graph *graph = nullptr;
  REQUIRE(place.table.fill(place.queue, place.memory, 1, 1, 256, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.begin_capture(place.queue, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.fill(place.queue, place.memory, 2, 1, 128, place.why) == TW_CUDA_OK);
  place.copy(place.pinned, place.memory);
  REQUIRE(place.table.end_capture(place.queue, &graph, place.why) == TW_CUDA_OK);
  CHECK(place.read() == std::vector<std::byte>(256, std::byte{1})); // not run yet
  for (int again = 0; again < 3; ++again) {
    REQUIRE(place.table.fill(place.queue, place.memory, 3, 1, 256, place.why) == TW_CUDA_OK);
    REQUIRE(place.table.replay(place.queue, graph, place.why) == TW_CUDA_OK);
    REQUIRE(place.table.drain(place.queue, place.why) == TW_CUDA_OK);
    CHECK(place.pinned[0] == std::byte{2});
    CHECK(place.pinned[255] == std::byte{3});
  }
  place.table.release_graph(graph);
}

TEST_CASE("kernels are found by name and get their arguments as they were") {
  const Double driver;
  const size_t sizes[] = {sizeof(void *), sizeof(int32_t)};
  driver.add_kernel(
      "add",
      [](const uint32_t *blocks, const uint32_t *threads, void **arguments) {
        auto *at = static_cast<int32_t *>(test::alias_of(*static_cast<void **>(arguments[0])));
        for (uint32_t i = 0; i < blocks[0] * threads[0]; ++i)
          at[i] += *static_cast<int32_t *>(arguments[1]);
      },
      sizes, 2);
  Place place(gpu_of(0), 256);
  tw_cuda_code *code = nullptr;
  void *function = nullptr;
  REQUIRE(place.table.load(place.gpu->handle(), "double", &code, place.why) == TW_CUDA_OK);
  CHECK(place.table.find(code, "sub", &function, place.why) == TW_CUDA_FAILED);
  CHECK(std::string(place.why).find("cuModuleGetFunction") != std::string::npos);
  REQUIRE(place.table.find(code, "add", &function, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.fill(place.queue, place.memory, 10, 4, 64, place.why) == TW_CUDA_OK);
  for (int32_t i = 1; i <= 4; ++i) {
    void *memory = place.memory;
    int32_t added = i;
    void *arguments[] = {&memory, &added};
    const tw_cuda_grid grid = {{2, 1, 1}, {32, 1, 1}, 0};
    REQUIRE(place.table.launch(place.queue, function, &grid, arguments, place.why) == TW_CUDA_OK);
    added = -1000, memory = nullptr; // taken at once
  }
  const auto got = place.read();
  const std::vector<int32_t> expected(64, 20);
  CHECK(std::memcmp(got.data(), expected.data(), got.size()) == 0);
  place.table.unload(code);
}

TEST_CASE("GPUs reach each other's memory once they were asked to") {
  Place a(gpu_of(0), 512), b(gpu_of(1), 512);
  REQUIRE(a.table.fill(a.queue, a.memory, 9, 1, 512, a.why) == TW_CUDA_OK);
  REQUIRE(a.table.drain(a.queue, a.why) == TW_CUDA_OK);
  REQUIRE(b.table.copy_peer(b.queue, b.memory, b.gpu->handle(), a.memory, a.gpu->handle(), 512, b.why) ==
          TW_CUDA_OK);
  CHECK(b.read() == std::vector<std::byte>(512, std::byte{9}));
  CHECK(b.table.copy(b.queue, b.memory, a.memory, 512, b.why) == TW_CUDA_FAILED);
  CHECK(b.table.reach(b.gpu->handle(), a.gpu->handle()) == 1);
  CHECK(b.table.reach(b.gpu->handle(), a.gpu->handle()) == 1); // again is no error
  CHECK(b.table.copy(b.queue, b.memory, a.memory, 512, b.why) == TW_CUDA_OK);
}

TEST_CASE("events measure times where they are made to") {
  Place place(gpu_of(0), 16);
  tw_cuda_event *from = nullptr, *to = nullptr;
  double seconds = -1;
  REQUIRE(place.table.make_event(place.gpu->handle(), 1, &from, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.make_event(place.gpu->handle(), 1, &to, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.record(from, place.queue, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.fill(place.queue, place.memory, 9, 1, 16, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.record(to, place.queue, place.why) == TW_CUDA_OK);
  REQUIRE(place.table.drain(place.queue, place.why) == TW_CUDA_OK);
  CHECK(place.table.elapsed(from, to, &seconds, place.why) == TW_CUDA_OK);
  CHECK(seconds >= 0);
  CHECK(seconds < 60);
  place.table.release_event(from);
  place.table.release_event(to);
}

// The last: the context stays lost in this process.
TEST_CASE("a context that is lost says so from then on, and the other GPU works") {
  const Double driver;
  Place lost(gpu_of(1), 64), other(gpu_of(0), 64);
  driver.fail_command(1, 700);
  REQUIRE(lost.table.fill(lost.queue, lost.memory, 1, 1, 64, lost.why) == TW_CUDA_OK);
  CHECK(lost.table.drain(lost.queue, lost.why) == TW_CUDA_LOST);
  CHECK(std::string(lost.why) ==
        "cuStreamSynchronize: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  CHECK(lost.table.fill(lost.queue, lost.memory, 1, 1, 64, lost.why) == TW_CUDA_LOST);
  const auto made = lost.gpu->allocate(64);
  REQUIRE_FALSE(made);
  CHECK(made.error().code() == Code::device_lost);
  CHECK(std::string(made.error().info().id) == "TW-682");
  CHECK(other.table.fill(other.queue, other.memory, 5, 1, 64, other.why) == TW_CUDA_OK);
  CHECK(other.read() == std::vector<std::byte>(64, std::byte{5}));
}

} // namespace tw::test_cuda_plugin
