// SPDX-License-Identifier: Apache-2.0
// dot_general by cuBLASLt, and what it can do before it stores a product. The algorithm is chosen when the
// kernel is bound: one for tiles that begin where the products' batches allow, one for tiles that begin
// anywhere.
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "device/cuda/gpus.hpp"
#include "device/cuda/kernel.hpp"
#include "device/cuda/product_form.hpp"

namespace tw::device::cuda {
namespace {

struct ReleaseProduct {
  std::shared_ptr<Gpu> gpu;
  void operator()(tw_cuda_product *product) const { gpu->table().release_product(product); }
};
using Planned = std::unique_ptr<tw_cuda_product, ReleaseProduct>;

class Product final : public GpuKernel {
public:
  Product(ProductForm form, uint32_t alignment, Planned aligned, Planned anywhere, std::string name)
      : form_(std::move(form)), alignment_(alignment), aligned_(std::move(aligned)),
        anywhere_(std::move(anywhere)), name_(std::move(name)) {}
  const char *name() const override { return name_.c_str(); }
  // Another number of rows may be another algorithm.
  bool split_invariant() const override { return false; }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override {
    const auto *a = static_cast<const std::byte *>(operands[0]),
               *b = static_cast<const std::byte *>(operands[1]);
    const auto *added = operands.size() > 2 ? static_cast<const std::byte *>(operands[2]) : nullptr;
    auto *c = static_cast<std::byte *>(results[0]);
    const auto address = reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b) |
                         reinterpret_cast<uintptr_t>(added) | reinterpret_cast<uintptr_t>(c);
    const tw_cuda_product *product = address % alignment_ == 0 ? aligned_.get() : anywhere_.get();
    return multiply(queue, *product, 0, a, b, added, c);
  }

private:
  Status multiply(CudaQueue &queue, const tw_cuda_product &product, size_t loop, const std::byte *a,
                  const std::byte *b, const std::byte *added, std::byte *c) const {
    if (loop == form_.loops.size())
      return queue.multiply(&product, a, b, added, c);
    const ProductForm::Loop &l = form_.loops[loop];
    const auto bytes = [](int64_t elements, const tw_cuda_matrix &m) {
      return elements * static_cast<int64_t>(byte_size(m.type));
    };
    for (int64_t i = 0; i < l.count; ++i) {
      const int64_t at = bytes(i * l.c, form_.form.c);
      TW_TRY(multiply(queue, product, loop + 1, a + bytes(i * l.a, form_.form.a),
                      b + bytes(i * l.b, form_.form.b),
                      form_.form.after == TW_CUDA_PLUS_MATRIX ? added + at : added, c + at));
    }
    return {};
  }

  ProductForm form_;
  uint32_t alignment_;
  Planned aligned_, anywhere_;
  std::string name_;
};

std::unique_ptr<kernels::Kernel> plan(int32_t unit, std::optional<ProductForm> form) {
  const auto gpu = find_gpu(unit);
  if (!gpu || !form)
    return nullptr;
  const uint32_t alignment = form->alignment();
  const auto element = static_cast<uint32_t>(byte_size(form->form.a.type));
  char name[TW_CUDA_NAME] = "", why[TW_CUDA_WHY] = "";
  std::array<Planned, 2> planned;
  for (size_t i = 0; i < 2; ++i) {
    tw_cuda_product *product = nullptr;
    const uint32_t wanted = i == 1 ? alignment : std::min(alignment, element);
    if ((*gpu)->table().plan_product((*gpu)->handle(), &form->form, wanted, CudaQueue::kWorkspace, &product,
                                     name, why) != TW_CUDA_OK)
      return nullptr; // another kernel takes it
    planned[i] = Planned(product, ReleaseProduct{*gpu});
  }
  return std::make_unique<Product>(std::move(*form), alignment, std::move(planned[1]), std::move(planned[0]),
                                   name);
}

std::unique_ptr<kernels::Kernel> bind_alone(const kernels::Request &request) {
  return plan(request.unit, product_form(request));
}

} // namespace

std::unique_ptr<kernels::Kernel> bind_product(const kernels::Request &product,
                                              const kernels::FusedRequest &group, uint32_t made) {
  return plan(product.unit, product_form(product, group, made));
}

kernels::Entry product_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::dot};
  return {"cublaslt", kinds, bind_alone};
}

} // namespace tw::device::cuda
