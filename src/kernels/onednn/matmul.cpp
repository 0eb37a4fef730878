// SPDX-License-Identifier: Apache-2.0
// dot_general of f32 and bf16 by oneDNN, as far as it has been proven that results are the same however an
// array is tiled. Operands whose matrices do not lie densely, and left ones of deep products that lie
// transposed, are packed part by part, while they are in cache: oneDNN's fast implementation takes dense
// matrices only, and sums in one order only where it is told of no transposed ones there.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "kernels/dot_layout.hpp"
#include "kernels/entry.hpp"
#include "kernels/onednn/blocks.hpp"
#include "kernels/onednn/column_slices.hpp"
#include "kernels/onednn/few_rows.hpp"
#include "kernels/onednn/product.hpp"
#include "kernels/onednn/proven.hpp"

namespace tw::kernels::onednn::matmul_kernel {

namespace {

using graph::DType;

class MatMul final : public Kernel {
public:
  static std::unique_ptr<MatMul> create(const DotLayout &dot, DType operand, DType result, bool packs) {
    auto kernel = std::unique_ptr<MatMul>(new MatMul(dot, operand, result, packs));
    return kernel->make_products(operand, result) ? std::move(kernel) : nullptr;
  }

  const char *name() const override { return name_.c_str(); }
  int64_t parts() const override { return parts_.count(); }
  bool packs() const override { return packs_; }
  void pack(const void *operand, void *packed) const override { full_->packing().run(operand, packed); }
  int64_t scratch_bytes() const override { return lhs_.bytes + rhs_.bytes + product_scratch_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const auto batches = parts_.batches(part), rows = parts_.rows(part);
    auto *space = static_cast<std::byte *>(scratch);
    const void *lhs = lhs_.fetch(operands[0], batches, rows, space);
    const void *rhs = rhs_.fetch(operands[1], batches, {0, dot_.n}, space + lhs_.bytes);
    auto *result =
        static_cast<std::byte *>(results[0]) + (batches.begin * dot_.m + rows.begin) * dot_.n * result_size_;
    const bool full = batches.size() == parts_.batch_each && rows.size() == parts_.rows_each;
    return (full ? full_ : last_)->run(lhs, rhs, result, space + lhs_.bytes + rhs_.bytes);
  }

private:
  // How a part gets one operand's matrices: in place, or packed into scratch.
  struct Source {
    const DotOperand *operand;
    int64_t element_size;
    int64_t bytes = 0; // scratch, 0 = in place
    int64_t full_rows = 0, k = 0;
    cpu::CopyPlan full, last;

    void pack(int64_t batches, int64_t free_full, int64_t free_last, int64_t k_extent, bool k_inner) {
      full_rows = free_full;
      k = k_extent;
      bytes = aligned(batches * free_full * k * element_size);
      full = operand->pack(free_full, element_size, k_inner);
      last = operand->pack(free_last, element_size, k_inner);
    }
    const void *fetch(const void *storage, DotParts::Range batches, DotParts::Range rows,
                      std::byte *space) const {
      const auto at = [&](int64_t batch) {
        return static_cast<const std::byte *>(storage) + operand->offset(batch, rows.begin) * element_size;
      };
      if (bytes == 0)
        return at(batches.begin);
      const cpu::CopyPlan &plan = rows.size() == full_rows ? full : last;
      for (int64_t b = batches.begin; b < batches.end; ++b)
        plan.run(at(b), space + (b - batches.begin) * rows.size() * k * element_size);
      return space;
    }
  };

  MatMul(const DotLayout &dot, DType operand, DType result, bool packs)
      : dot_(dot), parts_(dot, kFlopsEach, kMostParts,
                          std::clamp(dot.m / 2, packs ? kFewestPacked : kFewestRows, kGoodRows)),
        lhs_{&dot_.lhs, static_cast<int64_t>(graph::byte_size(operand)), 0, 0, 0, {}, {}},
        rhs_{&dot_.rhs, static_cast<int64_t>(graph::byte_size(operand)), 0, 0, 0, {}, {}},
        result_size_(static_cast<int64_t>(graph::byte_size(result))), packs_(packs) {
    const int64_t last_rows = parts_.rows(parts_.count() - 1).size();
    const bool rows_are_strided = !dot_.lhs.k_inner() && parts_.row_parts > 1;
    const bool turns = !dot_.lhs.k_inner() && !is_transposed();
    if (!dot_.lhs.is_dense() || rows_are_strided || turns)
      lhs_.pack(parts_.batch_each, parts_.rows_each, last_rows, dot_.k, !is_transposed());
    if (!dot_.rhs.is_dense())
      rhs_.pack(parts_.batch_each, dot_.n, dot_.n, dot_.k, dot_.rhs.k_inner());
  }

  // How oneDNN sees the left matrix, see Product::chain.
  bool is_transposed() const { return !dot_.lhs.k_inner() && dot_.k <= Product::kMostTransposed; }

  bool make_products(DType operand, DType result) {
    const int64_t last = parts_.count() - 1;
    ProductShape shape{parts_.batch_each,  parts_.rows_each, dot_.n, dot_.k, is_transposed(),
                       dot_.rhs.k_inner(), operand,          result, packs_};
    full_ = Product::create(shape);
    if (!full_ || !full_->is_known())
      return false;
    last_ = full_;
    if (parts_.batches(last).size() != shape.batch || parts_.rows(last).size() != shape.m) {
      shape.batch = parts_.batches(last).size();
      shape.m = parts_.rows(last).size();
      last_ = Product::create(shape);
      if (!last_ || !last_->is_known())
        return false;
    }
    name_ = "onednn:matmul " + full_->implementation() + (packs_ ? " packed" : "");
    product_scratch_ = std::max(full_->scratch_bytes(), last_->scratch_bytes());
    return true;
  }

  static constexpr double kFlopsEach = 1e7; // a part takes some 50 us
  // oneDNN brings the right matrix into its own layout for each part, where it is not there yet: of a small
  // matter to many rows.
  static constexpr int64_t kMostParts = 8, kFewestRows = 128, kFewestPacked = 8, kGoodRows = 256;

  DotLayout dot_;
  DotParts parts_;
  Source lhs_, rhs_;
  int64_t result_size_;
  int64_t product_scratch_ = 0;
  bool packs_;
  std::shared_ptr<const Product> full_, last_;
  std::string name_;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  const DType operand = r.operands[0].dtype, result = r.results[0].dtype;
  const Proven &known = proven(operand, result), &blocks = proven(operand, DType::f32);
  if (r.operands[1].dtype != operand || known.depth == 0 || blocks.depth == 0)
    return nullptr; // our own loops sum in one order on every machine
  const DotLayout dot(r);
  if (auto empty = bind_empty_dot(r, dot))
    return empty;
  if (dot.k > std::min(known.depth, blocks.depth))
    return bind_blocks(dot, operand, result, blocks);
  const bool one_matrix = dot.batch == 1 && dot.rhs.is_dense();
  if (r.may_pack && one_matrix && known.packs)
    if (auto packed = MatMul::create(dot, operand, result, true))
      return packed;
  auto plain = MatMul::create(dot, operand, result, false);
  if (plain == nullptr || operand != DType::f32)
    return plain;
  if (known.chains)
    if (auto few = bind_few_rows(dot, r.idle_cores))
      return few;
  if (r.idle_cores && plain->parts() == 1 && one_matrix && dot.lhs.is_dense() &&
      (dot.lhs.k_inner() || dot.k <= Product::kMostTransposed))
    if (auto slices = bind_column_slices(dot, known.packs))
      return slices;
  return plain;
}

constexpr std::array kOps{ops::OpKind::dot};

} // namespace

Entry entry() { return {"onednn:matmul", kOps, bind}; }

} // namespace tw::kernels::onednn::matmul_kernel
