// SPDX-License-Identifier: Apache-2.0
// oneDNN's fast implementation takes dense matrices only: a slice of the right one is packed as oneDNN would,
// while it is in the cache, or is dense, where it lies transposed; a slice of the result is made beside it
// and copied.
#include "kernels/onednn/column_slices.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/onednn/right_part.hpp"

namespace tw::kernels::onednn {

namespace {

constexpr int64_t kFloat = sizeof(float);
constexpr int64_t kBlock = 64;             // columns that oneDNN packs beside each other
constexpr int64_t kSliceBytes = 512 << 10; // of the right matrix, at most, if that is a block
constexpr double kFlopsEach = 4e6;         // at least

class ColumnSlices final : public Kernel {
public:
  ColumnSlices(const DotLayout &dot, bool packs) : dot_(dot), packs_(packs) {
    const int64_t most = kSliceBytes / (dot.k * kFloat),
                  least = static_cast<int64_t>(kFlopsEach / (2.0 * static_cast<double>(dot.m * dot.k)));
    width_ = (std::max({most, least, int64_t{1}}) + kBlock - 1) / kBlock * kBlock;
    if (parts() < 2)
      return;
    full_ = slice_of(width_);
    last_ = dot.n % width_ == 0 ? full_ : slice_of(dot.n % width_);
  }
  bool works() const { return full_.is_known() && last_.is_known(); }

  const char *name() const override { return "onednn:column_slices"; }
  int64_t parts() const override { return (dot_.n + width_ - 1) / width_; }
  int64_t scratch_bytes() const override {
    return result_bytes() + rhs_bytes() +
           std::max(full_.product->scratch_bytes(), last_.product->scratch_bytes());
  }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *const result = static_cast<float *>(scratch);
    std::byte *const copy = static_cast<std::byte *>(scratch) + result_bytes();
    const int64_t c = part * width_, columns = std::min(width_, dot_.n - c);
    const RightPart &slice = columns == width_ ? full_ : last_;
    const void *rhs = static_cast<const float *>(operands[1]) + (dot_.rhs.k_inner() ? c * dot_.k : c);
    if (slice.copy.blocks > 0) {
      slice.copy.run(rhs, copy);
      rhs = copy;
    }
    TW_TRY(slice.product->run(operands[0], rhs, result, copy + rhs_bytes()));
    for (int64_t r = 0; r < dot_.m; ++r)
      std::memcpy(static_cast<float *>(results[0]) + r * dot_.n + c, result + r * columns,
                  static_cast<size_t>(columns * kFloat));
    return {};
  }

private:
  RightPart slice_of(int64_t columns) const {
    const ProductShape shape{.batch = 1,
                             .m = dot_.m,
                             .n = columns,
                             .k = dot_.k,
                             .lhs_transposed = !dot_.lhs.k_inner(),
                             .rhs_transposed = dot_.rhs.k_inner(),
                             .operand = graph::DType::f32,
                             .result = graph::DType::f32};
    if (dot_.rhs.k_inner())
      return {Product::create(shape), {}};
    return RightPart::create(shape, dot_.n, packs_);
  }
  int64_t result_bytes() const { return aligned(dot_.m * width_ * kFloat); }
  int64_t rhs_bytes() const { return aligned(std::max(full_.copy.bytes(), last_.copy.bytes())); }

  DotLayout dot_;
  int64_t width_ = 0;
  bool packs_;
  RightPart full_, last_;
};

} // namespace

std::unique_ptr<Kernel> bind_column_slices(const DotLayout &dot, bool packs) {
  auto kernel = std::make_unique<ColumnSlices>(dot, packs);
  return kernel->works() ? std::move(kernel) : nullptr;
}

} // namespace tw::kernels::onednn
