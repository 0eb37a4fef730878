// SPDX-License-Identifier: Apache-2.0
// Products through the plug-in on doubles of the driver and of cuBLASLt: the whole way from an op to calls of
// the library, against the reference kernel.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/random_dot.hpp"
#include "cuda/on_queue.hpp"
#include "device/cuda/cuda.hpp"
#include "device/cuda/product_form.hpp"
#include "support/run_random.hpp"
#include "support/unit.hpp"

namespace tw::test_cuda_library {

using device::cuda::Gpu;
using device::cuda::ProductForm;
using graph::DType;
using test::random_sizes;
using test::uniform;

namespace {

constexpr size_t kWorkspace = 4096;

std::shared_ptr<Gpu> the_gpu() {
  auto gpu = Gpu::open(0);
  REQUIRE(gpu);
  return *gpu;
}

// Copies operands to the GPU, multiplies there, and copies the result back.
class OnGpu final : public kernels::Kernel {
public:
  OnGpu(ProductForm product, const kernels::Request &r)
      : product_(std::move(product)), gpu_(the_gpu()), table_(gpu_->table()) {
    for (const auto tiles : {r.operands, r.results})
      for (const kernels::Tile &tile : tiles)
        bytes_.push_back(static_cast<size_t>(tile.bytes()));
    char algorithm[TW_CUDA_NAME] = "", why[TW_CUDA_WHY] = "";
    const auto result = table_.plan_product(gpu_->handle(), &product_.form, product_.alignment(), kWorkspace,
                                            &planned_, algorithm, why);
    REQUIRE_MESSAGE(result == TW_CUDA_OK, why);
    CHECK(std::string(algorithm).starts_with("cublaslt:"));
  }
  ~OnGpu() override { table_.release_product(planned_); }
  const char *name() const override { return "on a double"; }

  Status run(int64_t, std::span<const void *const> in, std::span<void *const> out, void *) const override {
    tw_cuda_queue *queue = nullptr;
    char why[TW_CUDA_WHY] = "";
    REQUIRE(table_.make_queue(gpu_->handle(), nullptr, &queue, why) == TW_CUDA_OK);
    std::byte *memory[4], *pinned[3];
    for (size_t i = 0; i < 4; ++i)
      memory[i] = *gpu_->allocate(i < 3 ? bytes_[i] : kWorkspace);
    for (size_t i = 0; i < 3; ++i) {
      void *host = nullptr;
      REQUIRE(table_.allocate_pinned(gpu_->handle(), bytes_[i], &host, why) == TW_CUDA_OK);
      pinned[i] = static_cast<std::byte *>(host);
      std::memcpy(pinned[i], i < 2 ? in[i] : out[0], bytes_[i]);
      REQUIRE(table_.copy(queue, memory[i], pinned[i], bytes_[i], why) == TW_CUDA_OK);
    }
    multiply(queue, memory, 0, {});
    REQUIRE(table_.copy(queue, pinned[2], memory[2], bytes_[2], why) == TW_CUDA_OK);
    REQUIRE(table_.drain(queue, why) == TW_CUDA_OK);
    std::memcpy(out[0], pinned[2], bytes_[2]);
    table_.release_queue(queue, 1);
    for (std::byte *m : memory)
      gpu_->free(m);
    for (std::byte *p : pinned)
      table_.free_pinned(gpu_->handle(), p);
    return {};
  }

private:
  void multiply(tw_cuda_queue *queue, std::byte *const *memory, size_t loop, ProductForm::Loop at) const {
    if (loop < product_.loops.size()) {
      const ProductForm::Loop &l = product_.loops[loop];
      for (int64_t i = 0; i < l.count; ++i)
        multiply(queue, memory, loop + 1, {0, at.a + i * l.a, at.b + i * l.b, at.c + i * l.c});
      return;
    }
    const auto bytes = [](int64_t elements, const tw_cuda_matrix &m) {
      return elements * static_cast<int64_t>(device::cuda::byte_size(m.type));
    };
    const tw_cuda_product_form &f = product_.form;
    char why[TW_CUDA_WHY] = "";
    const auto result =
        table_.multiply(queue, planned_, memory[0] + bytes(at.a, f.a), memory[1] + bytes(at.b, f.b), nullptr,
                        memory[2] + bytes(at.c, f.c), memory[3], kWorkspace, why);
    REQUIRE_MESSAGE(result == TW_CUDA_OK, why);
  }

  ProductForm product_;
  std::shared_ptr<Gpu> gpu_;
  const tw_cuda_plugin &table_;
  tw_cuda_product *planned_ = nullptr;
  std::vector<size_t> bytes_;
};

} // namespace

TEST_CASE("products through the plug-in are those of the reference") {
  if (!test::has_gpu())
    return;
  struct Types {
    DType operand, result;
  };
  constexpr Types kTypes[] = {
      {DType::f64, DType::f64}, {DType::f32, DType::f32},   {DType::bf16, DType::f32},
      {DType::f16, DType::f32}, {DType::bf16, DType::bf16}, {DType::f16, DType::f16},
      {DType::c64, DType::c64}, {DType::s8, DType::s32},    {DType::f8e4m3fn, DType::f32}};
  test::Rng rng(41);
  int taken[std::size(kTypes)] = {};
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const size_t which = static_cast<size_t>(round) % std::size(kTypes);
    const bool small = kTypes[which].operand == DType::s8 || kTypes[which].operand == DType::f8e4m3fn;
    const std::vector<int64_t> batch = random_sizes(rng, uniform(rng, 0, 2), {1, 2, 3});
    const test::Sizes sizes = small ? test::Sizes{batch, {16}, {16}, {32}}
                                    : test::Sizes{batch, random_sizes(rng, uniform(rng, 0, 2), {1, 2, 7, 16}),
                                                  random_sizes(rng, uniform(rng, 0, 2), {1, 3, 8, 16}),
                                                  random_sizes(rng, uniform(rng, 0, 1), {1, 5, 16, 32})};
    const auto dot = test::make_dot(rng, sizes, kTypes[which].operand, kTypes[which].result, true, true);
    const auto kernel = dot.call.bind_as([](const kernels::Request &r) -> std::unique_ptr<kernels::Kernel> {
      auto product = device::cuda::product_form(r);
      return product ? std::make_unique<OnGpu>(std::move(*product), r) : nullptr;
    });
    if (kernel == nullptr)
      continue;
    ++taken[which];
    const auto got = dot.call.run(*kernel, rng), want = dot.call.run(*dot.call.bind_reference(), rng);
    if (kTypes[which].operand == DType::f16 && kTypes[which].result == DType::f16)
      REQUIRE(test::relative_difference(DType::f16, got[0], want[0]) <= 1e-3);
    else // a sum of one product has its zero, of either sign
      REQUIRE(test::equal_but_for_zeros(dot.call.results[0].type, want[0], got[0]));
  }
  for (const int count : taken)
    CHECK(count > 0);
}

TEST_CASE("what cuBLASLt does not take is an error that says so") {
  if (!test::is_double()) {
    test::skip("libraries take it, on some GPUs");
    return;
  }
  const auto gpu = the_gpu();
  tw_cuda_product_form form = {{TW_CUDA_S8, 0, 4, 4, 4, 0},
                               {TW_CUDA_S8, 1, 4, 4, 4, 0},
                               {TW_CUDA_S32, 1, 4, 4, 4, 0},
                               1,
                               TW_CUDA_IN_S32}; // not as tensor cores want their factors
  tw_cuda_product *product = nullptr;
  char algorithm[TW_CUDA_NAME] = "", why[TW_CUDA_WHY] = "";
  CHECK(gpu->table().plan_product(gpu->handle(), &form, 16, 0, &product, algorithm, why) == TW_CUDA_FAILED);
  CHECK(std::string(why) == "cuBLASLt has no algorithm for this product");
}

} // namespace tw::test_cuda_library
