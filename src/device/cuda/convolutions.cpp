// SPDX-License-Identifier: Apache-2.0
// convolution by cuDNN, behind a pass that packs the taps where they do not lie as the library takes them.
#include <utility>

#include "device/cuda/compiled.hpp"
#include "device/cuda/convolution_form.hpp"
#include "device/cuda/generated.hpp"
#include "device/cuda/library_kernel.hpp"

namespace tw::device::cuda {
namespace {

// The packed taps lie in front of the library's workspace.
class PackedConvolution final : public GpuKernel {
public:
  PackedConvolution(std::unique_ptr<CompiledKernel> packing, int64_t taps_bytes,
                    std::unique_ptr<LibraryKernel> kernel)
      : packing_(std::move(packing)), kernel_(std::move(kernel)),
        taps_bytes_(static_cast<size_t>(kernels::aligned(taps_bytes))),
        claim_(kernel_->gpu().claim(taps_bytes_ + kernel_->workspace())) {}

  const char *name() const override { return kernel_->name(); }
  const CompiledKernel *compiled() const override { return packing_.get(); }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override {
    TW_ASSIGN(std::byte *const memory, queue.scratch(taps_bytes_ + kernel_->workspace()));
    const void *const taps[] = {operands[1]};
    void *const packed[] = {memory};
    TW_TRY(packing_->enqueue(queue, taps, packed));
    const void *const here[] = {operands[0], memory};
    return kernel_->enqueue(queue, here, results, memory + taps_bytes_);
  }

private:
  std::unique_ptr<CompiledKernel> packing_;
  std::unique_ptr<LibraryKernel> kernel_;
  size_t taps_bytes_;
  Gpu::Claim claim_;
};

std::unique_ptr<kernels::Kernel> bind_convolution(const kernels::Request &request) {
  const auto made = convolution_form(request);
  if (!made)
    return nullptr;
  auto kernel = bind_library(request, made->form, &tw_cuda_plugin::plan_convolution);
  if (kernel == nullptr || !made->packing)
    return kernel;
  KernelPlan plan{"cuda:move", {}};
  const auto size = static_cast<int64_t>(graph::byte_size(request.operands[1].dtype));
  for (auto [parts, alignment] : {std::pair(&plan.parts, int64_t{16}), std::pair(&plan.anywhere, size)})
    parts->push_back(
        box_part(plan, {*made->packing}, operand_places(1), {Place::Where::result, 0}, size, alignment));
  auto packing = CompiledKernel::make(std::move(plan));
  if (!packing)
    return nullptr;
  return std::make_unique<PackedConvolution>(std::move(*packing), request.operands[1].bytes(),
                                             std::move(kernel));
}

} // namespace

kernels::Entry convolution_entry() {
  static constexpr ops::OpKind kinds[] = {ops::OpKind::convolution};
  return {"cudnn", kinds, bind_convolution};
}

} // namespace tw::device::cuda
