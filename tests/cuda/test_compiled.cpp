// SPDX-License-Identifier: Apache-2.0
// Kernels of generated source in queues, on doubles of NVRTC and of the driver: what they compute, their
// scratch and tables, and what happens to a text that the compiler refuses.
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cuda/double.hpp"
#include "device/cuda/compiled.hpp"
#include "device/cuda/gpus.hpp"
#include "device/kind.hpp"
#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/group.hpp"
#include "kernels/generated/reduction.hpp"

namespace tw::test_cuda_compiled {

using namespace device::cuda;
using device::Origin;
using kernels::BoxMove;
using Where = Place::Where;
using Floats = std::vector<float>;

namespace {

const device::QueueKind &cuda() { return *device::cuda::kind().as_queues(); }

std::unique_ptr<device::Queue> make_queue() {
  auto queue = cuda().make_queue(0);
  REQUIRE(queue);
  return std::move(*queue);
}

// An array of the GPU, `shift` elements behind the beginning of its memory.
class Array {
public:
  explicit Array(size_t size, size_t shift = 0) : size_(size), shift_(shift) {
    auto memory = device::allocate(cuda(), 0, (size + shift + 1) * sizeof(float), {});
    REQUIRE(memory);
    memory_ = std::move(*memory);
  }
  Array(device::Queue &queue, const Floats &values, size_t shift = 0) : Array(values.size(), shift) {
    kept_ = values;
    queue.copy_in(at(), kept_.data(), size_ * sizeof(float));
  }
  void *at() const { return memory_.get() + shift_ * sizeof(float); }
  Floats read(device::Queue &queue) const {
    Floats host(size_);
    queue.copy_out(host.data(), at(), size_ * sizeof(float));
    const auto event = cuda().make_event(0);
    queue.record(*event);
    while (!event->is_reached())
      std::this_thread::yield();
    CHECK_FALSE(queue.has_failed());
    return host;
  }

private:
  size_t size_, shift_;
  device::Memory memory_;
  Floats kept_;
};

Floats rising(size_t n) {
  Floats values(n);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

// What operands 0 and 1 of `n` elements add up to.
Part sum_part(int64_t n) {
  kernels::generated::Group group{{n}, {{graph::DType::f32, {1}}, {graph::DType::f32, {1}}}, {}, {0}};
  group.nodes.push_back(
      {kernels::generated::combination(sharding::Reduction::sum, graph::DType::f32, 2), {0, 1}});
  auto source = kernels::generated::group_source(group, kEntry);
  REQUIRE(source);
  return {std::move(*source), {{Where::operand, 0}, {Where::operand, 1}}, {{Where::result, 0}}};
}

std::unique_ptr<CompiledKernel> made(KernelPlan plan) {
  auto kernel = CompiledKernel::make(std::move(plan));
  REQUIRE(kernel);
  return std::move(*kernel);
}

Floats sum_of(const CompiledKernel &kernel, size_t n, size_t shift) {
  const auto queue = make_queue();
  const Array a(*queue, rising(n), shift), b(*queue, rising(n), shift), c(n, shift);
  const void *operands[] = {a.at(), b.at()};
  void *results[] = {c.at()};
  queue->launch(kernel, operands, results, Origin());
  return c.read(*queue);
}

} // namespace

TEST_CASE("groups are computed wherever their arrays begin, and equal texts are one") {
  const test::Double driver;
  const auto gpu = find_gpu(0);
  REQUIRE(gpu);
  const int64_t before = driver.alive();
  {
    std::vector<std::unique_ptr<kernels::Kernel>> all;
    all.push_back(made({"sum", {sum_part(64)}}));
    all.push_back(made({"the same", {sum_part(64)}}));
    all.push_back(made({"another", {sum_part(60)}}));
    CHECK(*compile(all, {&*gpu, 1}));
    Floats want = rising(64);
    for (float &v : want)
      v *= 2;
    for (const size_t shift : {0, 1, 2, 3})
      for (const size_t i : {0, 1})
        CHECK(sum_of(static_cast<const CompiledKernel &>(*all[i]), 64, shift) == want);
    want.resize(60);
    CHECK(sum_of(static_cast<const CompiledKernel &>(*all[2]), 60, 0) == want);
  }
  CHECK(driver.alive() == before); // modules are unloaded
}

TEST_CASE("scratch belongs to a queue: several run one kernel at once") {
  const test::Double driver;
  const size_t rows = 3, columns = (32 << 10) * 2 + 5;
  KernelPlan plan{"reduce", {}};
  plan.parts.push_back(
      {kernels::generated::reduction_source({graph::DType::f32,
                                             sharding::Reduction::sum,
                                             {static_cast<int64_t>(rows), static_cast<int64_t>(columns)},
                                             {1},
                                             false},
                                            kEntry),
       {{Where::operand, 0}},
       {{Where::result, 0}}});
  CHECK(plan.parts[0].source.scratch_bytes > 0);
  const auto kernel = made(std::move(plan));
  for (const uint64_t seed : {1, 2, 3}) {
    driver.delays(seed);
    std::vector<std::unique_ptr<device::Queue>> queues;
    std::vector<Array> arrays;
    std::vector<Array> sums;
    for (int q = 0; q < 3; ++q) {
      queues.push_back(make_queue());
      arrays.emplace_back(*queues.back(), Floats(rows * columns, static_cast<float>(q + 1)));
      sums.emplace_back(rows);
    }
    for (size_t q = 0; q < 3; ++q) {
      const void *operands[] = {arrays[q].at()};
      void *results[] = {sums[q].at()};
      queues[q]->launch(*kernel, operands, results, Origin());
    }
    for (size_t q = 0; q < 3; ++q)
      CHECK(sums[q].read(*queues[q]) == Floats(rows, static_cast<float>((q + 1) * columns)));
  }
  driver.delays(0);
}

// Part 0 puts a sum into the scratch, part 1 moves that, transposed, by a table; another table where arrays
// begin anywhere.
TEST_CASE("parts hand on what lies in the scratch, and read tables") {
  const std::vector<BoxMove> moves = {{0, {4, 8}, 0, 0, {8, 1}, {1, 4}}};
  KernelPlan plan{"sum, transposed", {}};
  plan.scratch_bytes = 128;
  for (auto *parts : {&plan.parts, &plan.anywhere}) {
    auto boxes = kernels::generated::box_source(moves, 1, 4, kEntry, parts == &plan.parts ? 16 : 4);
    Part sum = sum_part(32);
    sum.results = {{Where::scratch, 0}};
    parts->push_back(std::move(sum));
    parts->push_back({std::move(boxes.source),
                      {{Where::scratch, 0}, {Where::table, std::ssize(plan.table)}},
                      {{Where::result, 0}}});
    plan.table.insert(plan.table.end(), boxes.table.begin(), boxes.table.end());
  }
  const auto kernel = made(std::move(plan));
  Floats want(32);
  for (size_t i = 0; i < 32; ++i)
    want[i % 8 * 4 + i / 8] = static_cast<float>(2 * (i + 1));
  for (const size_t shift : {0, 1})
    CHECK(sum_of(*kernel, 32, shift) == want);
}

TEST_CASE("a text that the compiler refuses keeps no other from running") {
  std::vector<std::unique_ptr<kernels::Kernel>> all;
  Part bad = sum_part(48);
  bad.source.text += "static int refused_by_a_test;\n";
  const auto bad_again = [&] {
    Part copy = sum_part(48);
    copy.source.text = bad.source.text;
    return KernelPlan{"bad", {std::move(copy)}};
  };
  all.push_back(made(bad_again()));
  all.push_back(made({"good", {sum_part(40)}}));
  setenv("TW_DOUBLE_REFUSES", "refused_by_a_test", 1);
  const auto gpu = find_gpu(0);
  REQUIRE(gpu);
  CHECK_FALSE(*compile(all, {&*gpu, 1}));
  unsetenv("TW_DOUBLE_REFUSES");
  CHECK(static_cast<const CompiledKernel &>(*all[0]).refusal()->find("refused_by_a_test") !=
        std::string::npos);
  CHECK_FALSE(static_cast<const CompiledKernel &>(*all[1]).refusal());
  Floats want = rising(40);
  for (float &v : want)
    v *= 2;
  CHECK(sum_of(static_cast<const CompiledKernel &>(*all[1]), 40, 0) == want);
  const auto again = CompiledKernel::make(bad_again());
  REQUIRE_FALSE(again);
  CHECK(std::string(again.error().info().id) == "TW-261");
}

} // namespace tw::test_cuda_compiled
