// SPDX-License-Identifier: Apache-2.0
// dot_general by our own loops, for the element types and shapes that no library takes: floats of every width
// (narrow ones accumulate in f32) and integers. The right operand is cut into panels of a few columns that
// stay in cache while all rows pass over them.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "kernels/cpu/accumulator.hpp"
#include "kernels/cpu/panel.hpp"
#include "kernels/dot_layout.hpp"
#include "kernels/entry.hpp"
#include "kernels/ref/convert.hpp"

namespace tw::kernels::cpu::matmul_kernel {

namespace {

using graph::DType;

class MatMul final : public Kernel {
public:
  MatMul(const DotLayout &dot, DType operand, DType result, DType sum)
      : dot_(dot), parts_(dot, kFlopsEach, kMostParts, kFewestRows), operand_(operand), result_(result),
        sum_(sum), columns_(kPanelBytes / size_of(sum)),
        widen_(operand == sum ? nullptr : ref::convert_block(operand, sum)),
        narrow_(sum == result ? nullptr : ref::convert_block(sum, result)),
        full_rows_(dot_.lhs.pack(parts_.rows_each, size_of(operand), true)),
        last_rows_(dot_.lhs.pack(parts_.rows(parts_.count() - 1).size(), size_of(operand), true)),
        packs_lhs_(!dot_.lhs.is_dense() || !dot_.lhs.k_inner()),
        packs_rhs_(!dot_.rhs.is_dense() || dot_.rhs.k_inner()),
        strip_(packs_rhs_ ? std::min(dot_.n, std::lcm(columns_, dot_.rhs.granule())) : dot_.n),
        full_strip_(dot_.rhs.pack(strip_, size_of(operand), false)),
        last_strip_(dot_.rhs.pack((dot_.n - 1) % strip_ + 1, size_of(operand), false)) {
    const int64_t rows = parts_.rows_each;
    const auto take = [&](int64_t bytes) {
      const int64_t at = scratch_;
      scratch_ += aligned(bytes);
      return at;
    };
    panel_ = take(dot_.k * kPanelBytes);
    sums_ = take(rows * kPanelBytes);
    packed_lhs_ = packs_lhs_ ? take(rows * dot_.k * size_of(operand)) : 0;
    wide_lhs_ = widen_ ? take(rows * dot_.k * size_of(sum)) : 0;
    packed_rhs_ = packs_rhs_ ? take(dot_.k * strip_ * size_of(operand)) : 0;
  }

  const char *name() const override { return "cpu:matmul"; }
  int64_t parts() const override { return parts_.count(); }
  int64_t scratch_bytes() const override { return scratch_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const auto rows = parts_.rows(part);
    auto *space = static_cast<std::byte *>(scratch);
    for (int64_t b = parts_.batches(part).begin; b < parts_.batches(part).end; ++b) {
      const void *lhs = fetch_lhs(static_cast<const std::byte *>(operands[0]), b, rows, space);
      auto *out =
          static_cast<std::byte *>(results[0]) + (b * dot_.m + rows.begin) * dot_.n * size_of(result_);
      for (int64_t first = 0; first < dot_.n; first += strip_) {
        const int64_t width = std::min(strip_, dot_.n - first);
        const std::byte *strip =
            fetch_strip(static_cast<const std::byte *>(operands[1]), b, first, width, space);
        for (int64_t c = 0; c < width; c += columns_) {
          const int64_t columns = std::min(columns_, width - c);
          fill_panel(strip + c * size_of(operand_), width, columns, space + panel_);
          multiply_panel(sum_, lhs, rows.size(), dot_.k, space + panel_, space + sums_);
          store(space + sums_, rows.size(), first + c, columns, out);
        }
      }
    }
    return {};
  }

private:
  // A batch's rows, row-major and in the type of sums.
  const void *fetch_lhs(const std::byte *storage, int64_t batch, DotParts::Range rows,
                        std::byte *space) const {
    const void *lhs = storage + dot_.lhs.offset(batch, rows.begin) * size_of(operand_);
    if (packs_lhs_) {
      (rows.size() == parts_.rows_each ? full_rows_ : last_rows_).run(lhs, space + packed_lhs_);
      lhs = space + packed_lhs_;
    }
    if (widen_) {
      widen_(&lhs, space + wide_lhs_, rows.size() * dot_.k);
      lhs = space + wide_lhs_;
    }
    return lhs;
  }

  // Columns [first, first + width) of a batch's right operand as a k x width matrix.
  const std::byte *fetch_strip(const std::byte *storage, int64_t batch, int64_t first, int64_t width,
                               std::byte *space) const {
    const std::byte *strip = storage + dot_.rhs.offset(batch, first) * size_of(operand_);
    if (!packs_rhs_)
      return strip;
    (width == strip_ ? full_strip_ : last_strip_).run(strip, space + packed_rhs_);
    return space + packed_rhs_;
  }

  // The first columns of a k x width matrix, beside each other, with zeros behind them.
  void fill_panel(const std::byte *matrix, int64_t width, int64_t columns, std::byte *panel) const {
    for (int64_t k = 0; k < dot_.k; ++k) {
      const void *from = matrix + k * width * size_of(operand_);
      std::byte *to = panel + k * kPanelBytes;
      if (widen_)
        widen_(&from, to, columns);
      else
        std::memcpy(to, from, static_cast<size_t>(columns * size_of(sum_)));
      std::memset(to + columns * size_of(sum_), 0, static_cast<size_t>((columns_ - columns) * size_of(sum_)));
    }
  }

  void store(const std::byte *sums, int64_t rows, int64_t c, int64_t columns, std::byte *out) const {
    for (int64_t r = 0; r < rows; ++r) {
      const void *from = sums + r * kPanelBytes;
      std::byte *to = out + (r * dot_.n + c) * size_of(result_);
      if (narrow_)
        narrow_(&from, to, columns);
      else
        std::memcpy(to, from, static_cast<size_t>(columns * size_of(result_)));
    }
  }

  static constexpr double kFlopsEach = 4e6;
  static constexpr int64_t kMostParts = 8, kFewestRows = 32;

  DotLayout dot_;
  DotParts parts_;
  DType operand_, result_, sum_;
  int64_t columns_;        // of a panel
  BlockFn widen_, narrow_; // null: nothing to convert
  CopyPlan full_rows_, last_rows_;
  bool packs_lhs_, packs_rhs_;
  int64_t strip_; // columns of the right operand that are packed at once
  CopyPlan full_strip_, last_strip_;
  int64_t panel_ = 0, sums_ = 0, packed_lhs_ = 0, wide_lhs_ = 0, packed_rhs_ = 0; // offsets in scratch
  int64_t scratch_ = 0;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  const DType operand = r.operands[0].dtype, result = r.results[0].dtype;
  const auto sum = accumulator(result);
  const bool same_kind =
      graph::is_float(operand) == graph::is_float(result) && graph::is_int(operand) == graph::is_int(result);
  if (r.operands[1].dtype != operand || !sum || !same_kind)
    return nullptr;
  const DotLayout dot(r);
  if (auto empty = bind_empty_dot(r, dot))
    return empty;
  return std::make_unique<MatMul>(dot, operand, result, *sum);
}

constexpr std::array kOps{ops::OpKind::dot};

} // namespace

Entry entry() { return {"cpu:matmul", kOps, bind}; }

} // namespace tw::kernels::cpu::matmul_kernel
