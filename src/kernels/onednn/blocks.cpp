// SPDX-License-Identifier: Apache-2.0
// A part of the run has some rows. Their blocks of k are brought together first; then, for some columns after
// the other, each block of the right matrix is packed and multiplied while it is in the cache.
#include "kernels/onednn/blocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "kernels/onednn/right_part.hpp"
#include "kernels/ref/convert.hpp"

namespace tw::kernels::onednn {

namespace {

using graph::DType;

class Blocks final : public Kernel {
public:
  Blocks(const DotLayout &dot, DType operand, DType result, const Proven &blocks)
      : dot_(dot), parts_(dot, kFlopsEach, kMostParts, std::clamp(dot.m / 2, kFewestRows, kGoodRows)),
        depth_(blocks.depth), columns_(std::min(dot.n, kColumns)),
        size_(static_cast<int64_t>(graph::byte_size(operand))),
        result_size_(static_cast<int64_t>(graph::byte_size(result))),
        narrow_(result == DType::f32 ? nullptr : ref::convert_block(DType::f32, result)),
        packs_lhs_(!dot.lhs.is_dense() || !dot.lhs.k_inner()), packs_rhs_(!dot.rhs.is_dense()),
        name_("onednn:blocks " + blocks.implementation) {
    for (const bool last : {false, true}) {
      const int64_t rows = parts_.rows(last ? parts_.count() - 1 : 0).size();
      if (last && rows == parts_.rows_each) {
        pieces_[last] = pieces_[0];
        break;
      }
      lhs_[last] = dot_.lhs.pack(rows, size_, true);
      // Of narrow types oneDNN's order has pairs of k side by side, which it makes faster than a copy of ours
      // does.
      const bool packs = blocks.packs && operand == DType::f32;
      for (const int64_t k : {depth_, dot.k % depth_})
        for (const int64_t n : {columns_, dot.n % columns_})
          if (k > 0 && n > 0)
            pieces_[last][k < depth_][n < columns_] =
                RightPart::create({1, rows, n, k, false, dot.rhs.k_inner(), operand, DType::f32},
                                  dot.rhs.k_inner() ? dot.k : dot.n, packs);
    }
    rhs_ = dot_.rhs.pack(dot.n, size_, dot.rhs.k_inner());
    plan_scratch();
  }

  bool works() const {
    bool works = true;
    each_piece([&](const RightPart &piece) { works = works && piece.is_known(); });
    return works;
  }

  const char *name() const override { return name_.c_str(); }
  int64_t parts() const override { return parts_.count(); }
  int64_t scratch_bytes() const override { return scratch_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const auto rows = parts_.rows(part);
    auto *const space = static_cast<std::byte *>(scratch);
    for (int64_t b = parts_.batches(part).begin; b < parts_.batches(part).end; ++b) {
      cut_lhs(static_cast<const std::byte *>(operands[0]) + dot_.lhs.offset(b, rows.begin) * size_,
              rows.size(), space);
      const std::byte *rhs = static_cast<const std::byte *>(operands[1]) + dot_.rhs.offset(b, 0) * size_;
      if (packs_rhs_) {
        rhs_.run(rhs, space + packed_rhs_);
        rhs = space + packed_rhs_;
      }
      std::byte *const result =
          static_cast<std::byte *>(results[0]) + (b * dot_.m + rows.begin) * dot_.n * result_size_;
      for (int64_t c = 0; c < dot_.n; c += columns_)
        TW_TRY(run_columns(rhs, rows.size(), c, result, space));
    }
    return {};
  }

private:
  static constexpr double kFlopsEach = 1e7; // as of other products
  static constexpr int64_t kMostParts = 8, kFewestRows = 128, kGoodRows = 256;
  static constexpr int64_t kColumns = 256; // of which a block stays in the second-level cache

  template <class Visit> void each_piece(Visit &&visit) const {
    for (const bool last : {false, true})
      for (const bool k : {false, true})
        for (const bool n : {false, true})
          if ((!k || dot_.k % depth_ != 0) && (!n || dot_.n % columns_ != 0))
            visit(pieces_[last][k][n]);
  }

  void plan_scratch() {
    const auto take = [&](int64_t bytes) {
      const int64_t at = scratch_;
      scratch_ += aligned(bytes);
      return at;
    };
    int64_t copied = 0, own = 0;
    each_piece([&](const RightPart &piece) {
      copied = std::max(copied, piece.copy.bytes());
      own = std::max(own, piece.product ? piece.product->scratch_bytes() : 0);
    });
    const int64_t lhs = parts_.rows_each * dot_.k * size_, sums = parts_.rows_each * columns_ * kFloat;
    blocks_ = take(lhs);
    packed_lhs_ = take(packs_lhs_ ? lhs : 0);
    packed_rhs_ = take(packs_rhs_ ? dot_.k * dot_.n * size_ : 0);
    copy_ = take(copied);
    sums_ = take(sums);
    more_ = take(sums);
    own_ = take(own);
  }

  // The rows' blocks of k, each dense.
  void cut_lhs(const std::byte *lhs, int64_t rows, std::byte *space) const {
    if (packs_lhs_) {
      lhs_[rows < parts_.rows_each].run(lhs, space + packed_lhs_);
      lhs = space + packed_lhs_;
    }
    for (int64_t k = 0; k < dot_.k; k += depth_) {
      const int64_t bytes = std::min(depth_, dot_.k - k) * size_;
      std::byte *to = space + blocks_ + rows * k * size_;
      for (int64_t r = 0; r < rows; ++r)
        std::memcpy(to + r * bytes, lhs + (r * dot_.k + k) * size_, static_cast<size_t>(bytes));
    }
  }

  Status run_columns(const std::byte *rhs, int64_t rows, int64_t c, std::byte *result,
                     std::byte *space) const {
    const int64_t columns = std::min(columns_, dot_.n - c);
    auto *const sums = reinterpret_cast<float *>(space + sums_), *const more =
                                                                     reinterpret_cast<float *>(space + more_);
    for (int64_t k = 0; k < dot_.k; k += depth_) {
      const RightPart &piece = pieces_[rows < parts_.rows_each][dot_.k - k < depth_][columns < columns_];
      piece.copy.run(rhs + (dot_.rhs.k_inner() ? c * dot_.k + k : k * dot_.n + c) * size_, space + copy_);
      TW_TRY(piece.product->run(space + blocks_ + rows * k * size_, space + copy_, k == 0 ? sums : more,
                                space + own_));
      if (k > 0)
        for (int64_t i = 0; i < rows * columns; ++i)
          sums[i] += more[i];
    }
    for (int64_t r = 0; r < rows; ++r) {
      const void *from = sums + r * columns;
      std::byte *to = result + (r * dot_.n + c) * result_size_;
      if (narrow_ != nullptr)
        narrow_(&from, to, columns);
      else
        std::memcpy(to, from, static_cast<size_t>(columns * kFloat));
    }
    return {};
  }

  static constexpr int64_t kFloat = sizeof(float);

  DotLayout dot_;
  DotParts parts_;
  int64_t depth_, columns_;
  int64_t size_, result_size_;
  BlockFn narrow_; // null: results are f32
  bool packs_lhs_, packs_rhs_;
  std::array<cpu::CopyPlan, 2> lhs_; // of the last part, and of all others
  cpu::CopyPlan rhs_;
  std::array<std::array<std::array<RightPart, 2>, 2>, 2>
      pieces_; // by rows, k and columns: whole ones, and what is left behind them
  int64_t blocks_ = 0, packed_lhs_ = 0, packed_rhs_ = 0, copy_ = 0, sums_ = 0, more_ = 0,
          own_ = 0; // in scratch
  int64_t scratch_ = 0;
  std::string name_;
};

} // namespace

std::unique_ptr<Kernel> bind_blocks(const DotLayout &dot, DType operand, DType result, const Proven &blocks) {
  auto kernel = std::make_unique<Blocks>(dot, operand, result, blocks);
  return kernel->works() ? std::move(kernel) : nullptr;
}

} // namespace tw::kernels::onednn
